/** The `source` commands: providers registered, tried, paused, let through and removed. */

import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Context } from '../context.ts';
import {
  addSource,
  listSources,
  loadSourceId,
  type OverseenSource,
  overseeSources,
  releaseSource,
  removeSource,
  type Source,
  setSourceState,
} from '../ingest/index.ts';
import { PROVIDER_KINDS } from '../providers/index.ts';
import type { Store } from '../store/index.ts';
import { parseDuration } from '../values/duration.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { recordCommand } from './audit.ts';
import { findCommand } from './find-source.ts';
import { showRun } from './print-run.ts';
import { counted, printTable } from './print-table.ts';
import { withRunner } from './runner.ts';

interface AddFlags {
  mapping?: string;
  name?: string;
  every?: number;
  trust?: number;
  licence?: string;
}

export function sourceCommand(context: Context): Command {
  const source = new Command('source').description('providers of listings');
  source.addCommand(findCommand(context));
  defineAdd(source, context);
  defineList(source, context);
  defineTest(source, context);
  defineRemove(source, context);
  defineStates(source, context);
  defineRelease(source, context);
  return source;
}

function defineAdd(source: Command, context: Context): void {
  source
    .command('add')
    .description('registers a source')
    .argument('<kind>', `one of ${PROVIDER_KINDS.join(', ')}`)
    .argument('<url-or-file>', 'location of the listings (see docs/providers.md for each kind)')
    .option('--mapping <file>', 'file with what you know of the source, for every kind; required for json and csv')
    .option('--name <name>', 'name of the source (default: the file name or the host)')
    .addOption(
      new Option('--every <time>', 'interval of runs, such as 30m, 1h or 1d; needs a running worker').argParser(readSeconds),
    )
    .addOption(new Option('--trust <share>', 'trust in the source, from 0 to 1').argParser(readNumber))
    .option('--licence <text>', 'line of credit that pages and exports show for its data')
    .action((kind: string, location: string, { mapping, name, every, trust, licence }: AddFlags) =>
      withRunner(context, async ({ store, checkAddress }) => {
        const added = await addSource({
          store,
          kind,
          location,
          mapping: mapping === undefined ? null : await readMapping(mapping),
          name,
          everySeconds: every,
          trust,
          licence,
          checkAddress,
          now: context.config.clocks.directory,
        });
        if (!added.ok) throw new ExpectedError('refused', sentence(added.reason));
        await noteSource(context, store, 'add', added.source.name);
        context.print(`added ${added.source.name}; to try it, run marquee source test ${quoted(added.source.name)}`);
      }),
    );
}

function defineList(source: Command, context: Context): void {
  source
    .command('list')
    .description('lists the sources with their last complete read and last error')
    .option('--json', 'print them as JSON')
    .action((flags: { json?: true }) =>
      context.withStore(async (store) => {
        const sources = await listSources({ store });
        const overseen = await overseeSources({ store, now: context.config.clocks.directory() });
        const conditions = new Map(overseen.map(({ name, condition }) => [name, condition]));
        const conditionOf = ({ name }: Pick<Source, 'name'>) => conditions.get(name) ?? 'new';
        if (flags.json) {
          const lines = sources.map(({ mapping: _, ...source }) => ({ ...source, condition: conditionOf(source) }));
          return context.print(JSON.stringify(lines));
        }
        return printTable(
          context,
          COLUMNS,
          sources.map((source) => row(source, NOTES[conditionOf(source)] ?? null)),
        );
      }),
    );
}

function defineTest(source: Command, context: Context): void {
  source
    .command('test')
    .description('reads a source and shows the changes of a run without writing them')
    .argument('<name>', 'name of the source')
    .option('--json', 'print the report as JSON')
    .action((name: string, flags: { json?: true }) =>
      withRunner(context, async ({ rehearse }) => {
        const report = await rehearse(name, {
          onSample: (listings) => {
            if (!flags.json) for (const listing of listings) context.print(JSON.stringify(listing));
          },
        });
        if (flags.json) return context.print(JSON.stringify(report));
        return showRun(context, report, { dryRun: true });
      }),
    );
}

function defineRemove(source: Command, context: Context): void {
  source
    .command('remove')
    .description('removes a source and the records that only this source lists')
    .argument('<name>', 'name of the source')
    .action((name: string) =>
      context.withStore(async (store) => {
        const removed = await removeSource({ store, name, now: context.config.clocks.directory });
        if (!removed) throw unknownSource(name);
        await noteSource(context, store, 'remove', name);
        context.print(`removed ${name}, ${counted(removed.events, 'event')} and ${counted(removed.venues, 'venue')}`);
      }),
    );
}

function defineStates(source: Command, context: Context): void {
  for (const [word, state, description] of STATES) {
    source
      .command(word)
      .description(description)
      .argument('<name>', 'name of the source')
      .action((name: string) =>
        context.withStore(async (store) => {
          const became = await setSourceState({ store, name, state });
          if (became === null) throw unknownSource(name);
          await noteSource(context, store, word, name);
          context.print(
            `${name} is ${became}${became === 'held' ? `: to accept its next response, run marquee source release ${quoted(name)}` : ''}`,
          );
        }),
      );
  }
}

function defineRelease(source: Command, context: Context): void {
  source
    .command('release')
    .description('accepts the next response of a source on hold, without a sanity check')
    .argument('<name>', 'name of the source')
    .action((name: string) =>
      context.withStore(async (store) => {
        const released = await releaseSource({ store, name });
        if (!released.ok) {
          throw released.code === 'unknown'
            ? unknownSource(name)
            : new ExpectedError('refused', `${quoted(name)} is not on hold, so there is nothing to release.`);
        }
        await noteSource(context, store, 'release', name);
        context.print(`${name} is released; to run it now, use marquee ingest ${quoted(name)}`);
      }),
    );
}

/** By its name: where it is read may hold a secret. One that was removed has no id any more. */
export async function noteSource(context: Context, store: Store, action: string, name: string): Promise<void> {
  const subjectId = await loadSourceId(store.db, name);
  await recordCommand(context, store, { action: `source.${action}`, subject: 'source', subjectId, detail: { name } });
}

/** What is told of a source beside its state. */
const NOTES: Readonly<Partial<Record<OverseenSource['condition'], string>>> = {
  failing: 'failing',
  late: 'late',
  empty: 'lists nothing',
};
const COLUMNS = ['name', 'kind', 'state', 'runs', 'trust', 'last run', 'last complete read', 'last error'] as const;

function row(source: Source, note: string | null): string[] {
  const { name, kind, state, everySeconds, trust, lastRunAt, lastOkAt, lastError } = source;
  const moment = (at: number | null) => (at === null ? 'never' : new Date(at).toISOString());
  const runs = everySeconds === null ? 'manual' : `every ${everySeconds} s`;
  return [
    name,
    kind,
    note === null ? state : `${state}, ${note}`,
    runs,
    String(trust),
    moment(lastRunAt),
    moment(lastOkAt),
    lastError ?? '',
  ];
}

async function readMapping(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ExpectedError('refused', `Cannot read the mapping ${file}: ${(error as Error).message}.`);
  }
}

export function readSeconds(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === null) throw new InvalidArgumentError('wanted a time such as 30m, 1h or 1d.');
  return seconds;
}

function readNumber(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('wanted a number from 0 to 1.');
}

export const unknownSource = (name: string) => new ExpectedError('refused', `No source is named ${quoted(name)}.`);
const quoted = (name: string) => JSON.stringify(name);
const sentence = (reason: string) => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
const STATES = [
  ['pause', 'paused', 'pauses a source: it runs only manually'],
  ['resume', 'active', 'resumes a paused source: it runs on schedule again'],
] as const;
