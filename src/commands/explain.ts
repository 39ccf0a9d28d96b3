/** `explain event`: where an event came from, and why it ranks where it does. */

import { Command } from 'commander';
import type { Context } from '../context.ts';
import { loadProvenance, readScoreFacts, readTrend } from '../ingest/index.ts';
import { discoveryScore, type ScoreSignal } from '../ranking/index.ts';
import { loadScoredEvent } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { isUuid } from '../values/uuid.ts';
import { printTable } from './print-table.ts';

export function explainCommand(context: Context): Command {
  const explain = new Command('explain').description('explains how a record came about');
  explain
    .command('event')
    .description('explains an event: its score, its trend signals and the listings behind it')
    .argument('<id>', 'its id, or its slug')
    .action((id: string) => context.withStore((store) => explainEvent(context, store, id)));
  return explain;
}

async function explainEvent(context: Context, store: Store, name: string): Promise<void> {
  const { db } = store;
  const event = await loadScoredEvent(db, isUuid(name) ? 'id' : 'slug', name.toLowerCase());
  if (!event) throw new ExpectedError('refused', `No event has the id or slug "${name}".`);
  const facts = (await readScoreFacts(db, [event.id])).get(event.id);
  context.print(`${event.title} (${event.id})`);
  context.print(`${event.state}, ${event.status}, starts ${event.startsAt.toISOString()}`);
  context.print('');
  if (facts) {
    const { total, signals } = discoveryScore(facts, event.scoredAt.getTime());
    formatSignals(context, signals);
    context.print(`discovery score ${total}, as of ${event.scoredAt.toISOString()}`);
    context.print('');
  }
  const now = context.config.clocks.directory();
  const trend = await readTrend(db, event.id, now);
  if (trend) {
    formatSignals(context, trend.signals);
    context.print(`trend score ${trend.trendScore}, as of ${new Date(now).toISOString()}`);
    context.print('');
  }
  const { records, fields, hidden } = await loadProvenance({ store, eventId: event.id });
  const sourceOf = new Map(records.map(({ id, provider }) => [id, provider]));
  if (hidden) {
    const why = hidden.note === null ? '' : `: ${hidden.note}`;
    context.print(`hidden by ${hidden.by}, ${new Date(hidden.at).toISOString()}${why}`);
    context.print('');
  }
  if (fields.length > 0) {
    const told = fields.map(({ field, value, recordId, why, others }) => [
      field,
      brief(value),
      recordId === null ? '' : (sourceOf.get(recordId) ?? ''),
      why,
      others.map((other) => `${sourceOf.get(other.recordId)}: ${brief(other.value)}`).join('; '),
    ]);
    printTable(context, ['field', 'value', 'from', 'why', 'other values'], told);
    context.print('');
  }
  const rows = records.map(({ id, source, provider, externalId, confirmedAt, isGone, repairs }) => [
    id,
    source === provider ? source : `${source} (${provider})`,
    externalId,
    `${new Date(confirmedAt).toISOString()}${isGone ? ' (no longer listed)' : ''}`,
    repairs.join(', '),
  ]);
  printTable(context, ['record', 'source', 'external id', 'last confirmed', 'repairs'], rows);
}

function formatSignals(context: Context, signals: readonly ScoreSignal[]): void {
  const rows = signals.map(({ signal, points, weight, sentence }) => [signal, points.toFixed(1), String(weight), sentence]);
  printTable(context, ['signal', 'points', 'of', 'why'], rows);
}

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const line = text.replace(/\s+/g, ' ');
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line;
}

const SHOWN_CHARS = 48;
