/** Writes the lines of a backup, compressed. docs/backup.md describes the format. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import type { BackupHeader, BackupManifest, DataFile, SequenceState, TableFacts } from './model.ts';
import { escapeRow } from './read-backup.ts';
import { createRowDigest } from './row-digest.ts';

export interface BackupWriter {
  beginTable(table: string, columns: readonly string[]): Promise<void>;
  /** Rows as PostgreSQL gives them. */
  writeRows(rows: readonly string[]): Promise<void>;
  endTable(): Promise<void>;
  writeSequence(state: SequenceState): Promise<void>;
  writeFile(file: DataFile): Promise<void>;
  /** Writes the manifest; resolves when `out` has taken all. `bytes`: as many as it has got. */
  finish(): Promise<{ manifest: BackupManifest; bytes: number }>;
  /** `out` gets an end, but no manifest. */
  abort(reason: Error): void;
}

export async function openBackupWriter(out: Writable, header: BackupHeader): Promise<BackupWriter> {
  const compressed = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  let bytes = 0;
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  const done = pipeline(compressed, count, out);
  // Whoever writes learns of it, too.
  done.catch(() => undefined);
  const sha256 = createHash('sha256');
  const tables: Record<string, TableFacts> = {};
  const files: string[] = [];
  let table = '';
  let rows = 0;
  let digest = createRowDigest();

  async function put(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    sha256.update(bytes);
    if (!compressed.write(bytes)) await Promise.race([once(compressed, 'drain'), done]);
  }
  const putLine = (line: object): Promise<void> => put(`${JSON.stringify(line)}\n`);

  await putLine(header);
  return {
    async beginTable(name, columns) {
      [table, rows, digest] = [name, 0, createRowDigest()];
      await putLine({ table, columns });
    },
    async writeRows(batch) {
      if (batch.length === 0) return;
      const lines = batch.map(escapeRow);
      for (const line of lines) digest.add(line);
      rows += lines.length;
      await put(`${lines.join('\n')}\n`);
    },
    async endTable() {
      const facts: TableFacts = { rows, digest: digest.value() };
      tables[table] = facts;
      await putLine({ end: table, ...facts });
    },
    writeSequence: putLine,
    async writeFile(file) {
      files.push(file.file);
      await putLine(file);
    },
    async finish() {
      const { marquee: _, ...facts } = header;
      const all = Object.values(tables).reduce((sum, each) => sum + each.rows, 0);
      const manifest: BackupManifest = { ...facts, tables, rows: all, files, sha256: sha256.digest('hex') };
      compressed.end(`${JSON.stringify({ manifest })}\n`);
      await done;
      return { manifest, bytes };
    },
    abort: (reason) => void compressed.destroy(reason),
  };
}
