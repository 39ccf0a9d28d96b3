/** Writes a backup of a store: everything of one moment. */

import type { Writable } from 'node:stream';
import type { Transaction } from 'kysely';
import packageFile from '../../package.json' with { type: 'json' };
import type { Log } from '../log.ts';
import { readLogState } from '../records/index.ts';
import { appliedMigrations, type Database, type Store, withStoreCopy } from '../store/index.ts';
import { readRows } from './database/read-rows.ts';
import { keepAlive, prepareSession } from './database/session.ts';
import { estimateRows, readColumns, readSequences, TABLES } from './database/tables.ts';
import { LEFT_OUT } from './left-out.ts';
import { type BackupHeader, type BackupManifest, type DataFile, FORMAT } from './model.ts';
import { type BackupWriter, openBackupWriter } from './write-lines.ts';

export interface BackupOptions {
  store: Store;
  /** For the copy of an embedded database. */
  dataDir: string;
  log: Log;
  /** As `readDataFiles` gives them. */
  files: readonly DataFile[];
  out: Writable;
  /** `total`: as the database reckons, 0 for unknown. */
  onProgress?: (rows: number, total: number) => void;
  /** The users of an embedded database wait no longer. */
  onCopied?: () => void;
}

export interface WrittenBackup {
  manifest: BackupManifest;
  bytes: number;
}

/** Resolves when `out` has all of it. Rejects when anything of it is missing; `out` is destroyed then. */
export async function writeBackup(options: BackupOptions): Promise<WrittenBackup> {
  const { store, dataDir, log, onCopied } = options;
  return withStoreCopy({ store, dataDir, log, ...(onCopied && { onCopied }) }, (copy) =>
    copy.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        await prepareSession(trx);
        return await keepAlive(trx, () => writeMoment(trx, options));
      }),
  );
}

async function writeMoment(trx: Transaction<Database>, options: BackupOptions): Promise<WrittenBackup> {
  const { out, files, onProgress = () => {} } = options;
  const total = await estimateRows(trx);
  const columns = await readColumns(trx);
  const tables = TABLES.filter((table) => !Object.hasOwn(LEFT_OUT, table));
  const writer = await openBackupWriter(out, await describeMoment(trx, options.store.kind));
  let written = 0;
  try {
    for (const table of tables) {
      await writer.beginTable(table, columns.get(table) ?? []);
      for await (const rows of readRows(trx, table)) {
        await writer.writeRows(rows);
        written += rows.length;
        onProgress(written, total);
      }
      await writer.endTable();
    }
    await writeRest(writer, await readSequences(trx, tables), files);
    return await writer.finish();
  } catch (error) {
    writer.abort(error as Error);
    throw error;
  }
}

async function writeRest(
  writer: BackupWriter,
  sequences: Awaited<ReturnType<typeof readSequences>>,
  files: readonly DataFile[],
): Promise<void> {
  for (const sequence of sequences) await writer.writeSequence(sequence);
  for (const file of files) await writer.writeFile(file);
}

async function describeMoment(trx: Transaction<Database>, engine: Store['kind']): Promise<BackupHeader> {
  const { epoch, head } = await readLogState(trx);
  const schema = [...(await appliedMigrations(trx))].map(([name, checksum]) => ({ name, checksum }));
  return {
    marquee: 'backup',
    format: FORMAT,
    version: packageFile.version,
    engine,
    moment: new Date().toISOString(),
    epoch,
    sequence: head,
    schema: schema.sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
