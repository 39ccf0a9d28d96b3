/** The `source` commands and `ingest`: providers registered, tried, run and removed. */

import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { addSource, listSources, removeSource, runSource, type SourceReport, testSource } from '../ingest/index.ts';
import { PROVIDER_KINDS } from '../providers/index.ts';
import type { Store } from '../store/index.ts';
import { type Context, printTable, Refusal } from './context.ts';
import { showProgress, showReport } from './progress.ts';

interface AddFlags {
  mapping: string;
  name?: string;
  every?: number;
  trust?: number;
}

export function sourceCommand(context: Context): Command {
  const now = context.config.clocks.directory;
  const source = new Command('source').description('providers of listings');
  source
    .command('add')
    .description('registers a source')
    .argument('<kind>', `one of ${PROVIDER_KINDS.join(', ')}`)
    .argument('<url-or-file>', 'where its listings are')
    .requiredOption('--mapping <file>', 'how its records are read (docs/providers.md)')
    .option('--name <name>', "default: the file's name")
    .addOption(
      new Option('--every <time>', 'runs it this often while a worker serves, such as 30m, 1h or 1d').argParser(readSeconds),
    )
    .addOption(new Option('--trust <share>', 'how far it is believed, from 0 to 1').argParser(readNumber))
    .action((kind: string, location: string, { mapping, name, every, trust }: AddFlags) =>
      context.withStore(async (store) => {
        const added = await addSource({
          store,
          kind,
          location,
          mapping: await readMapping(mapping),
          name,
          everySeconds: every,
          trust,
          now,
        });
        if (!added.ok) throw new Refusal(sentence(added.reason));
        context.print(`added ${added.source.name}; try it with: marquee source test ${quoted(added.source.name)}`);
      }),
    );
  source
    .command('list')
    .description('the sources, when each ran last and what went wrong')
    .option('--json', 'print them as JSON')
    .action((flags: { json?: true }) =>
      context.withStore(async (store) => {
        const sources = await listSources({ store });
        if (flags.json) return context.print(JSON.stringify(sources.map(({ mapping: _, ...rest }) => rest)));
        const rows = sources.map(({ name, kind, everySeconds, trust, lastRunAt, lastError }) => [
          name,
          kind,
          everySeconds === null ? 'by hand' : `every ${everySeconds} s`,
          String(trust),
          lastRunAt === null ? 'never' : new Date(lastRunAt).toISOString(),
          lastError ?? '',
        ]);
        return printTable(context, ['name', 'kind', 'runs', 'trust', 'last run', 'last error'], rows);
      }),
    );
  source
    .command('test')
    .description('reads a source and shows what a run would do, without doing it')
    .argument('<name>', 'which source')
    .option('--json', 'print the report as JSON')
    .action((name: string, flags: { json?: true }) =>
      context.withStore(async (store) => {
        const report = await testSource({ store, name, now });
        if (!flags.json) for (const listing of report.sample) context.print(JSON.stringify(listing));
        showReport(context, report, { ...flags, dryRun: true });
      }),
    );
  source
    .command('remove')
    .description('removes a source and the records that only it has brought')
    .argument('<name>', 'which source')
    .action((name: string) =>
      context.withStore(async (store) => {
        const removed = await removeSource({ store, name, now });
        if (!removed) throw new Refusal(`There is no source named ${quoted(name)}.`);
        context.print(`removed ${name}, ${removed.events} events and ${removed.venues} venues`);
      }),
    );
  return source;
}

export function ingestCommand(context: Context): Command {
  return new Command('ingest')
    .description('runs sources now; without names all of them')
    .argument('[name...]', 'which sources')
    .option('--dry-run', 'writes nothing, reports what it would do')
    .option('--json', 'print the reports as a JSON list')
    .action((names: string[], flags: { dryRun?: true; json?: true }) =>
      context.withStore(async (store) => {
        const reports: SourceReport[] = [];
        for (const name of names.length > 0 ? names : await allNames(store)) {
          const progress = showProgress(context, name);
          const report = await runSource({
            store,
            name,
            now: context.config.clocks.directory,
            dryRun: flags.dryRun ?? false,
            onProgress: ({ bytes, totalBytes, lines }) => progress.update(totalBytes > 0 ? bytes / totalBytes : 0, lines),
          }).finally(progress.end);
          reports.push(report);
          if (!flags.json) showReport(context, report, flags);
        }
        if (flags.json) context.print(JSON.stringify(reports));
      }),
    );
}

async function allNames(store: Store): Promise<string[]> {
  const sources = await listSources({ store });
  if (sources.length === 0) throw new Refusal('There is no source yet: see marquee source add --help.');
  return sources.map(({ name }) => name);
}

async function readMapping(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Refusal(`The mapping ${file} cannot be read: ${(error as Error).message}.`);
  }
}

function readSeconds(text: string): number {
  const parts = /^(\d{1,6})([smhd])$/.exec(text);
  if (!parts) throw new InvalidArgumentError('wanted a time such as 30m, 1h or 1d.');
  return Number(parts[1]) * SECONDS_PER_UNIT[parts[2] as keyof typeof SECONDS_PER_UNIT];
}

function readNumber(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('wanted a number from 0 to 1.');
}

const quoted = (name: string) => JSON.stringify(name);
const sentence = (reason: string) => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
const SECONDS_PER_UNIT = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
