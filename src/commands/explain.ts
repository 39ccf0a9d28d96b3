/** `explain event`: where an event came from, and why it ranks where it does. */

import { Command } from 'commander';
import { readScoreFacts } from '../ingest/index.ts';
import { discoveryScore } from '../ranking/index.ts';
import type { Store } from '../store/index.ts';
import { type Context, printTable, Refusal } from './context.ts';

export function explainCommand(context: Context): Command {
  const explain = new Command('explain').description('why a record is as it is');
  explain
    .command('event')
    .description('an event: its score signal by signal, and the records it was made of')
    .argument('<id>', 'its id, or its slug')
    .action((id: string) => context.withStore((store) => explainEvent(context, store, id)));
  return explain;
}

async function explainEvent(context: Context, { db }: Store, name: string): Promise<void> {
  const event = await db
    .selectFrom('event')
    .selectAll()
    .where(UUID.test(name) ? 'id' : 'slug', '=', name.toLowerCase())
    .executeTakeFirst();
  if (!event) throw new Refusal(`No event has the id or slug "${name}".`);
  const facts = (await readScoreFacts(db, [event.id])).get(event.id);
  context.print(`${event.title} (${event.id})`);
  context.print(`${event.state}, ${event.status}, starts ${event.starts_at.toISOString()}`);
  context.print('');
  if (facts) {
    const { total, signals } = discoveryScore(facts, event.scored_at.getTime());
    const rows = signals.map(({ signal, points, weight, sentence }) => [signal, points.toFixed(1), String(weight), sentence]);
    printTable(context, ['signal', 'points', 'of', 'why'], rows);
    context.print(`discovery score ${total}, as of ${event.scored_at.toISOString()}`);
    context.print('');
  }
  const records = await db
    .selectFrom('record')
    .innerJoin('source', 'source.id', 'record.source_id')
    .leftJoin('provenance', 'provenance.record_id', 'record.id')
    .select(['source.name', 'record.external_id', 'record.last_seen_at', 'provenance.fields'])
    .where('record.event_id', '=', event.id)
    .orderBy('record.first_seen_at')
    .execute();
  const rows = records.map((record) => [
    record.name,
    record.external_id,
    record.last_seen_at.toISOString(),
    (record.fields ?? []).join(', '),
  ]);
  printTable(context, ['source', 'its id', 'last seen', 'supplies'], rows);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
