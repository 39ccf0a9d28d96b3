/** Restores a backup into an empty store of either engine, whole or not at all. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { sql, type Transaction } from 'kysely';
import type { Log } from '../log.ts';
import { beginHistory } from '../records/index.ts';
import { allowLongQueries, type Database, openStore, type RunQuery, replaceEmbedded, type Store } from '../store/index.ts';
import { putDataFiles, type WrittenFiles } from './data-files.ts';
import { createBackupLoader, migrationsOf } from './database/load.ts';
import { keepAlive, prepareSession } from './database/session.ts';
import { findContents } from './database/tables.ts';
import { BackupError, type BackupManifest, type DataFile } from './model.ts';
import { type OpenBackup, openBackup } from './read-backup.ts';

export interface RestoreOptions {
  source: Readable;
  dataDir: string;
  /** Null: the embedded engine in `dataDir`. */
  databaseUrl: string | null;
  /** `MARQUEE_SECRET`; null: the one of the data folder counts. */
  secret: string | null;
  log: Log;
}

export interface RestoreReport extends WrittenFiles {
  manifest: BackupManifest;
  /** The names of those that were applied to an older backup. */
  migrations: readonly string[];
}

/** Rejects with a `BackupError` or a `StoreError`, and nothing was changed then. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  try {
    const backup = await openKnown(options.source);
    const { databaseUrl } = options;
    // An index of a large table takes minutes.
    return await allowLongQueries(() =>
      databaseUrl === null ? restoreEmbedded(backup, options) : restoreOnServer(backup, options, databaseUrl),
    );
  } finally {
    options.source.destroy();
  }
}

/** What this version cannot read is refused before a store is opened. */
async function openKnown(source: Readable): Promise<OpenBackup> {
  const backup = await openBackup(source);
  migrationsOf(backup.header);
  return backup;
}

async function restoreOnServer(backup: OpenBackup, options: RestoreOptions, databaseUrl: string): Promise<RestoreReport> {
  const { dataDir, log } = options;
  // One connection: all others are of somebody else.
  const store = await openStore({ dataDir, databaseUrl, log, poolSize: 1, onOlder: 'refuse' });
  try {
    await checkUnused(store);
    return await load(store, backup, options, (trx) => checkEmpty(createQuery(trx)));
  } finally {
    await store.close();
  }
}

async function restoreEmbedded(backup: OpenBackup, options: RestoreOptions): Promise<RestoreReport> {
  let report: RestoreReport | undefined;
  await replaceEmbedded({
    dataDir: options.dataDir,
    check: checkEmpty,
    async build(folder) {
      const store = await openStore({ dataDir: folder, log: options.log });
      try {
        report = await load(store, backup, options, async () => {});
      } finally {
        await store.close();
      }
    },
  });
  if (!report) throw new Error('the restore gave no report');
  return report;
}

/** Restores into a folder that goes again, and compares every row. Rejects as `restoreBackup` does. */
export async function verifyBackup({ source, log }: Pick<RestoreOptions, 'source' | 'log'>): Promise<BackupManifest> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-verify-'));
  try {
    const backup = await openKnown(source);
    const store = await openStore({ dataDir: folder, log });
    try {
      return await allowLongQueries(() => store.db.transaction().execute((trx) => compareAll(trx, backup)));
    } finally {
      await store.close();
    }
  } finally {
    source.destroy();
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

async function compareAll(trx: Transaction<Database>, backup: OpenBackup): Promise<BackupManifest> {
  await prepareSession(trx);
  const loader = createBackupLoader(trx);
  return await keepAlive(trx, async () => {
    const manifest = await backup.read(loader);
    await loader.finish(manifest);
    await loader.compare(manifest);
    await loader.migrate();
    return manifest;
  });
}

async function load(
  store: Store,
  backup: OpenBackup,
  { dataDir, secret }: RestoreOptions,
  check: (trx: Transaction<Database>) => Promise<void>,
): Promise<RestoreReport> {
  return await store.db.transaction().execute(async (trx) => {
    await prepareSession(trx);
    await check(trx);
    const loader = createBackupLoader(trx);
    return await keepAlive(trx, async () => {
      const manifest = await backup.read(loader);
      checkSecret(loader.files, secret);
      await loader.finish(manifest);
      const migrations = await loader.migrate();
      await beginHistory(trx);
      await sql`analyze`.execute(trx);
      // Before the commit: a store with rows always has the secret that opens them.
      return { manifest, migrations, ...putDataFiles(dataDir, loader.files, secret) };
    });
  });
}

async function checkEmpty(query: RunQuery): Promise<void> {
  const tables = await findContents(query);
  if (tables.length > 0) throw new BackupError('not_empty', { tables: tables.join(', ') });
}

function createQuery(trx: Transaction<Database>): RunQuery {
  return async (text) => (await sql.raw<Record<string, unknown>>(text).execute(trx)).rows;
}

/** A service that runs would go on with what it remembers of the empty store. */
async function checkUnused(store: Store): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = 'marquee' and pid <> pg_backend_pid()`.execute(store.db);
  const [{ count } = { count: 0 }] = rows;
  if (count > 0) throw new BackupError('store_in_use', { count: String(count) });
}

function checkSecret(files: readonly DataFile[], secret: string | null): void {
  const own = files.find(({ file }) => file === 'secret')?.content.trim();
  if (own !== undefined && secret !== null && own !== secret) throw new BackupError('secret_differs');
}
