/** A progress bar where a person watches, and a run's report in words. */

import { Presets, SingleBar } from 'cli-progress';
import type { Context } from '../../context.ts';
import type { Reject } from '../../normalize/index.ts';

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

const STEPS = 1000;
const SHOWN_REJECTS = 20;
