/** `ingest` and the `run` commands: sources run now, what their runs did, and one of them taken back. */

import { Command } from 'commander';
import type { Context } from '../context.ts';
import {
  IngestError,
  listRuns,
  listSources,
  type Run,
  type RunDifference,
  type RunSourceOptions,
  type SourceReport,
  undoRun,
} from '../ingest/index.ts';
import type { Store } from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { recordCommand } from './audit.ts';
import { showDifference, showProgress, showRun } from './print-run.ts';
import { counted, printTable } from './print-table.ts';
import { type Runner, withRunner } from './runner.ts';
import { unknownSource } from './source.ts';

export function ingestCommand(context: Context): Command {
  return new Command('ingest')
    .description('runs sources now; without names, all sources that are not paused')
    .argument('[name...]', 'names of the sources')
    .option('--dry-run', 'writes nothing and prints all changes it would make')
    .option('--json', 'print the reports as a JSON list')
    .action((names: string[], flags: { dryRun?: true; json?: true }) =>
      withRunner(context, async (runner) => {
        const asked = names.length > 0 ? names : await allNames(runner);
        const reports: (SourceReport | FailedRun)[] = [];
        for (const name of asked) {
          const report = await runOne(context, runner, name, flags);
          reports.push(report);
          showReport(context, report, { ...flags, isAlone: asked.length === 1 });
        }
        if (flags.json) context.print(JSON.stringify(reports));
        refuseFailures(reports);
      }),
    );
}

/** One source that cannot be read says nothing of the others. */
function runOne(
  context: Context,
  runner: Runner,
  name: string,
  { dryRun }: { dryRun?: true },
): Promise<SourceReport | FailedRun> {
  const progress = showProgress(context, name);
  const onProgress: RunSourceOptions['onProgress'] = ({ step, done, of }) =>
    progress.update(STEP_ENDS[step] * (of > 0 ? done / of : 1), done);
  const running = dryRun ? runner.rehearse(name, { onProgress }) : runner.run(name, onProgress);
  return running.catch((error: unknown) => failureOf(context, name, error)).finally(progress.end);
}

/** The error of a single source ends the command, and is not shown twice. */
function showReport(
  context: Context,
  report: SourceReport | FailedRun,
  { dryRun, json, isAlone }: { dryRun?: true; json?: true; isAlone: boolean },
): void {
  if (!('error' in report)) {
    if (!json) showRun(context, report, { ...(dryRun && { dryRun }) });
    return;
  }
  if (!isAlone) context.remark(report.error);
}

/** The command ends with an error when a source failed or is on hold. */
function refuseFailures(reports: readonly (SourceReport | FailedRun)[]): void {
  const failed = reports.filter((report) => 'error' in report);
  if (reports.length === 1 && failed[0]) throw new ExpectedError('refused', failed[0].error);
  if (failed.length > 0)
    throw new ExpectedError('refused', `${failed.length} of ${counted(reports.length, 'source')} failed; see above.`);
  if (reports.some((report) => 'held' in report && report.held !== null))
    throw new ExpectedError('refused', 'A source is on hold: see above, or run marquee source list.');
}

/** Stands in the list of `--json` where a report would. */
interface FailedRun {
  source: string;
  /** One sentence that names the source. */
  error: string;
}

function failureOf({ log }: Context, source: string, error: unknown): FailedRun {
  if (!(error instanceof IngestError)) log.error({ err: error, source }, 'a run failed with an unexpected error');
  const { message } = error as Error;
  const isNamed = message.startsWith(`${source}: `) || message.includes(JSON.stringify(source));
  return { source, error: isNamed ? message : `${source}: ${message}` };
}

export function runCommand(context: Context): Command {
  const run = new Command('run').description('runs of sources');
  run
    .command('list')
    .description('lists the latest runs of one source or of all sources')
    .argument('[source]', 'name of the source')
    .option('--json', 'print the runs as JSON, with their changes')
    .action((source: string | undefined, flags: { json?: true }) =>
      context.withStore(async (store) => {
        const runs = await listRuns({ store, source });
        if (source !== undefined && runs.length === 0) await checkSource(store, source);
        if (flags.json) return context.print(JSON.stringify(runs));
        return printTable(context, ['run', 'source', 'kind', 'state', 'started', 'did', 'error'], runs.map(row));
      }),
    );
  run
    .command('undo')
    .description('undoes a run and pauses its source')
    .argument('<id>', 'id of the run')
    .option('--json', 'print the undone changes as JSON')
    .action((id: string, flags: { json?: true }) =>
      context.withStore(async (store) => {
        const { difference, run: undo } = await undoRun({ store, id, now: context.config.clocks.directory });
        await recordCommand(context, store, { action: 'run.undo', subject: 'run', subjectId: id });
        if (flags.json) return context.print(JSON.stringify({ run: undo, difference }));
        showDifference(context, difference);
        return context.print(`run ${id} is undone and its source is paused; to run the source again, use marquee source resume`);
      }),
    );
  return run;
}

function row({ id, source, kind, state, startedAt, report, error }: Run): string[] {
  const { difference } = (report ?? {}) as { difference?: RunDifference };
  const { venues: _, ...events } = difference ?? {};
  const did = Object.entries(events).flatMap(([what, lines]) => (lines.length > 0 ? [`${lines.length} ${what}`] : []));
  return [id, source ?? '', kind, state, new Date(startedAt).toISOString(), did.join(', '), error ?? ''];
}

async function checkSource(store: Store, name: string): Promise<void> {
  const sources = await listSources({ store });
  if (!sources.some((source) => source.name === name)) throw unknownSource(name);
}

async function allNames({ store }: Runner): Promise<string[]> {
  const sources = await listSources({ store });
  if (sources.length === 0) throw new ExpectedError('refused', 'No sources yet. See marquee source add --help.');
  return sources.filter(({ state }) => state !== 'paused').map(({ name }) => name);
}

/** Where on the bar each step ends: fetching and writing take the time. */
const STEP_ENDS = { fetching: 0.4, matching: 0.5, writing: 1 } as const;
