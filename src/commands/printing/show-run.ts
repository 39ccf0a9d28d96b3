/** A source's run in words. */

import type { Context } from '../../context.ts';
import { printable } from '../../normalize/index.ts';
import type { RunDifference, SourceReport } from '../../sources/index.ts';
import { counted } from './counted.ts';
import { summarize } from './progress.ts';

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
  const places = Object.entries(waiting);
  if (places.length > 0) {
    const listings = places.reduce((sum, [, waiting]) => sum + waiting, 0);
    const names = places.slice(0, SHOWN_PLACES).map(([name]) => name);
    remark(
      `${counted(listings, 'listing waits', 'listings wait')} for a known venue: ${names.join(', ')}${places.length > SHOWN_PLACES ? ', …' : ''}`,
    );
  }
  if (held !== null) {
    remark(`${source} ${flags.dryRun ? 'would be put on hold' : 'is on hold, nothing was written'}: ${held}`);
    remark(`if these changes are correct, run marquee source release ${JSON.stringify(source)}`);
  }
  if (flags.dryRun) showDifference(context, report.difference);
  const extra = [
    ...count(report.difference.merged.length, 'merged'),
    ...count(report.difference.cancelled.length, 'canceled'),
    ...count(report.vanished, 'no longer listed'),
    ...count(report.dropped, 'dropped'),
    ...count(report.questions, 'to review'),
  ];
  const told = [summarize(report), ...extra].join('; ');
  const run = report.run === null ? '' : ` (run ${report.run})`;
  context.print(`${flags.dryRun ? 'dry run, nothing written: ' : ''}${source}: ${told}${run}`);
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
const SHOWN_REJECTS = 20;
const SHOWN_PLACES = 5;
const SHOWN_CHARS = 60;
