/** A progress bar where a person watches, and what an import or the run of a source did, in words. */

import { Presets, SingleBar } from 'cli-progress';
import type { Context } from '../context.ts';
import { printable, type Reject } from '../facts/index.ts';
import { type RunDifference, type SourceReport, sourceOfPlace } from '../ingest/index.ts';
import { counted } from './print-table.ts';

/** Silent unless standard error is a terminal. */
export function showProgress(
  context: Context,
  title: string,
  stream: NodeJS.WriteStream = process.stderr,
  unit = 'lines',
): Progress {
  if (!context.watched) return { update: () => undefined, end: () => undefined };
  const format = `${title} {bar} {percentage}% {lines} ${unit}`;
  // A command may be ended at any moment, by Ctrl-C too: the cursor stays in sight and lines wrap, so that there is nothing to put back.
  const bar = new SingleBar({ format, stream, hideCursor: false, linewrap: true }, Presets.shades_classic);
  bar.start(STEPS, 0, { lines: 0 });
  return {
    update: (fraction, lines) => bar.update(Math.round(fraction * STEPS), { lines }),
    end: () => bar.stop(),
  };
}

interface Progress {
  update(fraction: number, lines: number): void;
  end(): void;
}

export interface RunReport {
  city?: { before: string; after: string } | null;
  neighborhoods?: object;
  venues: object;
  events: object;
  removed?: object;
  rejected: readonly Reject[];
  rejectedCount: number;
  warnings?: readonly string[];
}

/** The report as JSON, or in words with the first rejects on standard error. */
export function showReport(context: Context, report: RunReport, flags: { json?: true; dryRun?: true }): void {
  if (flags.json) {
    context.print(JSON.stringify(report));
    return;
  }
  for (const { file, line, field, reason } of report.rejected.slice(0, SHOWN_REJECTS)) {
    context.remark(`rejected ${file} line ${line}${field ? `, ${field}` : ''}: ${reason}`);
  }
  const hidden = report.rejectedCount - SHOWN_REJECTS;
  if (hidden > 0) context.remark(`… and ${hidden} more; --json prints them all`);
  for (const warning of report.warnings ?? []) context.remark(`warning: ${printable(warning)}`);
  context.print(`${flags.dryRun ? 'dry run, nothing written: ' : ''}${summarize(report)}`);
}

/** `events 3 created, 2 unchanged; … 0 rejected`. */
export function summarize(report: RunReport): string {
  const parts = (['neighborhoods', 'venues', 'events', 'removed'] as const).flatMap((kind) => {
    const counts = Object.entries(report[kind] ?? {}).filter(([, count]) => count > 0);
    return counts.length === 0 ? [] : [`${kind} ${counts.map(([what, count]) => `${count} ${what}`).join(', ')}`];
  });
  const city = report.city ? [`the city changed from ${report.city.before} to ${report.city.after}`] : [];
  return [...city, ...parts, `${report.rejectedCount} rejected`].join('; ');
}

/** The first rejects and all remarks on standard error; the difference and one line of counts on standard output. */
export function showRun(context: Context, report: SourceReport, flags: { dryRun?: true; lines?: number }): void {
  const remark = (text: string) => context.remark(printable(text));
  const { rejected, rejectedCount, reasons, remarks, waiting, held, source } = report;
  for (const { file, line, field, reason } of rejected.slice(0, SHOWN_REJECTS)) {
    remark(`rejected ${file} record ${line}${field ? `, ${field}` : ''}: ${reason}`);
  }
  if (rejectedCount > SHOWN_REJECTS) {
    const counts = Object.entries(reasons).map(([code, count]) => `${count} ${code}`);
    remark(`… and ${rejectedCount - SHOWN_REJECTS} more (${counts.join(', ')}); --json prints them all`);
  }
  for (const each of remarks) remark(each);
  for (const told of describeWaiting(waiting)) remark(told);
  if (held !== null) {
    remark(`${source} ${flags.dryRun ? 'would be put on hold' : 'is on hold, nothing was written'}: ${held}`);
    remark(`if this is correct, run marquee source release ${JSON.stringify(source)}`);
  }
  if (flags.dryRun) showDifference(context, report.difference);
  const extra = [
    ...count(report.difference.merged.length, 'merged'),
    ...count(report.difference.cancelled.length, 'canceled'),
    ...count(report.vanished, 'no longer listed'),
    ...count(report.dropped, 'dropped'),
    ...count(report.questions, 'new to review'),
  ];
  const told = [summarize(report), ...extra].join('; ');
  const run = report.run === null ? '' : ` (run ${report.run})`;
  context.print(`${unwritten(flags, held)}${source}: ${told}${run}`);
}

/** Listings in an area whose place somebody may know, and those that name no place and are not listed. */
function describeWaiting(waiting: SourceReport['waiting']): string[] {
  const places = Object.entries(waiting);
  const unnamed = places.filter(([name]) => sourceOfPlace(name) !== null);
  const named = places.filter(([name]) => sourceOfPlace(name) === null);
  const told = unnamed.map(
    ([name, count]) =>
      `${counted(count, 'listing names', 'listings name')} no place and ${count === 1 ? 'is' : 'are'} not listed; say where ${count === 1 ? 'it is' : 'they are'}: marquee venue same ${JSON.stringify(name)} <venue>`,
  );
  if (named.length === 0) return told;
  const listings = named.reduce((sum, [, count]) => sum + count, 0);
  const names = named.slice(0, SHOWN_PLACES).map(([name]) => name);
  const where = 'at places whose street nobody knows (marquee venue waiting)';
  told.push(
    `${counted(listings, 'listing is', 'listings are')} ${where}: ${names.join(', ')}${named.length > SHOWN_PLACES ? ', …' : ''}`,
  );
  return told;
}

/** Why the counts were not written; empty if they were. */
function unwritten({ dryRun }: { dryRun?: true }, held: string | null): string {
  if (dryRun) return 'dry run, nothing written: ';
  return held === null ? '' : 'on hold, nothing written: ';
}

/** One line for every venue and every event that is another afterwards. */
export function showDifference(context: Context, difference: RunDifference): void {
  const { created, changed, merged, cancelled, vanished, venues } = difference;
  const print = (line: string) => context.print(printable(line));
  for (const { title } of venues.created) print(`+ venue ${title}`);
  for (const { title, fields } of venues.changed) print(`~ venue ${title}  ${describeFields(fields)}`);
  for (const { title, into } of venues.merged) print(`= venue ${title}  merged into ${into}`);
  for (const { title, start } of created) print(`+ ${start}  ${title}`);
  for (const { title, fields } of changed) print(`~ ${title}  ${describeFields(fields)}`);
  for (const { title, into } of merged) print(`= ${title}  merged into ${into}`);
  for (const { title, start } of cancelled) print(`x ${start}  ${title}`);
  for (const { title, start } of vanished) print(`- ${start}  ${title}`);
}

const describeFields = (fields: RunDifference['changed'][number]['fields']): string =>
  Object.entries(fields)
    .map(([field, [before, after]]) => `${field}: ${brief(before)} → ${brief(after)}`)
    .join('; ');

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

const count = (number: number, word: string): string[] => (number === 0 ? [] : [`${number} ${word}`]);

const STEPS = 1000;
const SHOWN_REJECTS = 20;
const SHOWN_PLACES = 5;
const SHOWN_CHARS = 60;
