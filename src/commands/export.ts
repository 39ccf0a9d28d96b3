/** `export`: the directory, or what a query asks for, as files in a folder. */

import { Command, Option } from 'commander';
import { readSecret, SecretError } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import {
  createSigningKey,
  EVENT_COLUMNS,
  EXPORT_FORMATS,
  type ExportFilter,
  ExportFolderError,
  type ExportFormat,
  exportToFolder,
  parseColumns,
} from '../exports/index.ts';
import { parseEventQuery } from '../query/index.ts';
import { beginSearch, type Snapshot } from '../search/index.ts';
import { notedAddress } from '../site-address.ts';
import type { Store } from '../store/index.ts';
import { baseUrl } from '../values/base-url.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { showProgress } from './print-run.ts';
import { counted } from './print-table.ts';

interface ExportFlags {
  format: ExportFormat;
  query?: string;
  columns?: string;
  json?: true;
}

export function exportCommand(context: Context): Command {
  return new Command('export')
    .description('exports the directory, or the events of a query, as files with a signed manifest')
    .argument('<folder>', 'a new or empty folder')
    .addOption(new Option('--format <format>', 'format of the files').choices(EXPORT_FORMATS).default('ndjson'))
    .option('--query <query>', 'filters of GET /events, such as category=concert&free=true (default: everything)')
    .option(
      '--columns <names>',
      'columns of events, separated by commas; "record" for the exact response of GET /events/{id} (default: all)',
    )
    .option('--json', 'print the manifest')
    .action((folder: string, flags: ExportFlags) => context.withStore((store) => runExport(context, store, folder, flags)));
}

async function runExport(context: Context, store: Store, folder: string, flags: ExportFlags): Promise<void> {
  const { config, log } = context;
  const columns = readColumns(flags.columns);
  const now = config.clocks.directory();
  const publicUrl = config.publicUrl ?? notedAddress(config.dataDir) ?? baseUrl(config.host, config.port);
  const key = createSigningKey(claimSecret(context));
  const search = await beginSearch({ dataDir: undefined, publicUrl, nowSetting: config.nowSetting, log }).open(store.address);
  const progress = showProgress(context, 'export');
  try {
    const snapshot = search.current();
    const query = flags.query === undefined ? null : flags.query.replace(/^\?/, '');
    const content = { format: flags.format, columns, filter: query === null ? null : readFilter(query, snapshot, now) };
    const total = snapshot.counts.events;
    const manifest = await exportToFolder({
      db: store.db,
      snapshot,
      content,
      query,
      folder,
      now,
      key,
      onProgress: (rows) => progress.update(total > 0 ? Math.min(1, rows / total) : 0, rows),
    });
    if (flags.json) context.print(JSON.stringify(manifest));
    else context.print(`${counted(manifest.rows, 'record', 'records')} in ${counted(manifest.files.length, 'file', 'files')}`);
  } catch (error) {
    throw error instanceof ExportFolderError ? new ExpectedError('refused', error.message, { cause: error }) : error;
  } finally {
    progress.end();
    await search.close();
  }
}

function readColumns(text: string | undefined) {
  if (text === 'record') return null;
  const names = text?.split(',').map((name) => name.trim()) ?? EVENT_COLUMNS;
  const columns = parseColumns(names);
  if (columns) return columns;
  const wrong = names.find((name) => !(EVENT_COLUMNS as readonly string[]).includes(name));
  throw new ExpectedError('refused', `--columns: wanted "record" or some of ${EVENT_COLUMNS.join(', ')}, got "${wrong}".`);
}

function readFilter(query: string, snapshot: Snapshot, now: number): ExportFilter {
  const parsed = parseEventQuery(query, { timezone: snapshot.city.timezone, now });
  if (parsed.ok) return parsed.query;
  throw new ExpectedError('refused', `--query: ${parsed.errors.map(({ detail }) => detail).join('; ')}.`);
}

function claimSecret({ config: { dataDir, secret } }: Context): string {
  try {
    return readSecret(dataDir, secret);
  } catch (error) {
    throw error instanceof SecretError ? new ExpectedError('refused', error.message, { cause: error }) : error;
  }
}
