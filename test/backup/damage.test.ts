/** What is no whole backup is refused, wherever the damage is. */

import { hash, randomBytes } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BackupHeader } from '../../src/backup/model.ts';
import { type BackupReader, escapeRow, openBackup, readBackup, unescapeRow } from '../../src/backup/read-backup.ts';
import { createRowDigest } from '../../src/backup/row-digest.ts';
import { openBackupWriter } from '../../src/backup/write-lines.ts';

const HEADER: BackupHeader = {
  ...{ marquee: 'backup', format: 1, version: '0.1.0', engine: 'embedded', moment: '2026-06-16T20:00:00.000Z' },
  ...{ epoch: 'f0a5f5d3-6a6e-4b58-9b37-06f4c6fbd0a3', sequence: 7, schema: [{ name: '0001-directory', checksum: 'ab' }] },
};
const ROWS = Array.from(
  { length: 300 },
  (_, index) => `(${index},"a ""title""\nof two lines ${randomBytes(20).toString('hex')}",\\x00)`,
);

const CONTAINER_END = 32;

async function write(rows: readonly string[], header = HEADER): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const out = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  const writer = await openBackupWriter(out, header);
  await writer.beginTable('event', ['id', 'title', 'hash']);
  for (let at = 0; at < rows.length; at += 70) await writer.writeRows(rows.slice(at, at + 70));
  await writer.endTable();
  await writer.beginTable('venue', ['id']);
  await writer.endTable();
  await writer.writeSequence({ sequence: 'event_id_seq', last: '300', isCalled: true });
  await writer.writeFile({ file: 'secret', content: 'not for logs' });
  const { bytes } = await writer.finish();
  const all = Buffer.concat(chunks);
  expect(bytes).toBe(all.length);
  return all;
}

/** Everything that was taken, as text. */
async function read(bytes: Buffer): Promise<string> {
  const taken: unknown[] = [];
  const take =
    (name: string) =>
    async (...given: unknown[]) =>
      void taken.push(name === 'rows' ? given[0] : [name, ...given]);
  const names: (keyof BackupReader)[] = ['header', 'beginTable', 'rows', 'endTable', 'sequence', 'file'];
  const reader = Object.fromEntries(names.map((name) => [name, take(name)])) as unknown as BackupReader;
  const chunks = Array.from({ length: Math.ceil(bytes.length / 777) }, (_, index) =>
    bytes.subarray(index * 777, index * 777 + 777),
  );
  const manifest = await readBackup(Readable.from(chunks), reader);
  return JSON.stringify([taken.flat(2), manifest]);
}

/** As a restore begins. */
async function restore(bytes: Buffer): Promise<string> {
  const { header, read: readRest } = await openBackup(Readable.from([bytes]));
  const taken = header.schema.map(({ name }) => name);
  const ignore = async () => {};
  const beginTable = async (table: string, columns: readonly string[]) => void taken.push(table, columns.join());
  await readRest({ header: ignore, beginTable, rows: ignore, endTable: ignore, sequence: ignore, file: ignore });
  return taken.join();
}

const codeOf = (reading: Promise<string>): Promise<string> =>
  reading.then(
    () => 'read',
    (error: { code?: string }) => String(error.code),
  );

let whole: Buffer;
beforeAll(async () => {
  whole = await write(ROWS);
});

describe('a backup', () => {
  test('is read as it was written, rows with line ends and backslashes included', async () => {
    const taken = await read(whole);
    for (const row of ROWS) expect(taken).toContain(JSON.stringify(row));
    expect(taken).toContain('"not for logs"');
  });

  test('that was cut anywhere is refused as incomplete', async () => {
    const taken = await read(whole);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (length) => {
        const found = await read(whole.subarray(0, length)).catch(({ code }: { code: string }) => code);
        // Behind the manifest the container has a checksum of its own.
        expect(length < whole.length - CONTAINER_END ? ['cut'] : ['cut', taken]).toContain(found);
      }),
      { numRuns: 200 },
    );
  });

  test('of which any bit was changed is refused, or says the same', async () => {
    const taken = await read(whole);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length * 8 - 1 }), async (bit) => {
        const changed = Buffer.from(whole);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const found = await read(changed).catch(({ code }: { code: string }) => code);
        // Some bits of the container mean nothing; one of the first line makes the number of its format another.
        expect(['cut', 'damaged', 'not_a_backup', 'newer_format', taken]).toContain(found);
      }),
      { numRuns: 300 },
    );
  });

  test('whose lines were edited and packed again is refused', async () => {
    const lines = zstdDecompressSync(whole).toString().trimEnd().split('\n');
    const pack = (edited: readonly string[]) => zstdCompressSync(`${edited.join('\n')}\n`);
    expect(await read(pack(lines))).toBe(await read(whole));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: lines.length - 1 }),
        fc.constantFrom('gone', 'twice', 'other', 'swapped'),
        async (at, edit) => {
          const edited = [...lines];
          const [line = ''] = edited.splice(at, 1);
          if (edit === 'twice') edited.splice(at, 0, line, line);
          if (edit === 'other')
            edited.splice(
              at,
              0,
              line.replace(/[0-9a-f](?=[^0-9a-f]*$)/, (digit) => (digit === '0' ? '1' : '0')),
            );
          if (edit === 'swapped') edited.splice(at - 1, 0, line);
          expect(['cut', 'damaged', 'not_a_backup']).toContain(await codeOf(read(pack(edited))));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('whose lines lack something is refused', async () => {
    const lines = zstdDecompressSync(whole).toString().trimEnd().split('\n');
    const columns = lines.findIndex((line) => line.startsWith('{"table"'));
    for (const [at, name] of [
      [0, 'schema'],
      [columns, 'columns'],
    ] as const) {
      for (const value of [undefined, null, 'text']) {
        const edited = lines.with(at, JSON.stringify({ ...JSON.parse(lines[at] ?? ''), [name]: value }));
        expect([name, value, await codeOf(restore(zstdCompressSync(`${edited.join('\n')}\n`)))]).toEqual([
          name,
          value,
          'damaged',
        ]);
      }
    }
  });

  test('of a newer format says which version wrote it', async () => {
    const newer = await write(ROWS, { ...HEADER, format: 2, version: '9.0.0' });
    await expect(read(newer)).rejects.toThrow('has format 2, but this version reads format 1');
    await expect(read(newer)).rejects.toThrow('9.0.0');
  });
});

test.each([
  ['text', Buffer.from('-- PostgreSQL database dump\n')],
  ['another compressed file', zstdCompressSync('{"some":"json"}\n')],
  ['rows without a beginning', zstdCompressSync('(1,2)\n(3,4)\n')],
  ['one byte after another', zstdCompressSync(Buffer.alloc(100_000))],
])('a file of another program is refused: %s', async (_, bytes) => {
  expect(['not_a_backup', 'cut']).toContain(await codeOf(read(bytes)));
});

test('an empty file is refused', async () => {
  expect(await codeOf(read(Buffer.alloc(0)))).toBe('cut');
});

test('every row comes back from its line, and its line has no end within', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('\\', '\n', '\r', 'n', 'r', '"', 'é', '(') }), (row) => {
      expect(escapeRow(row)).not.toMatch(/[\n\r]/);
      expect(unescapeRow(escapeRow(row))).toBe(row);
    }),
  );
});

test('the digest of rows is the sum of their hashes in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (rows) => {
      const digestOf = (some: readonly string[]) => {
        const digest = createRowDigest();
        for (const row of some) digest.add(row);
        return digest.value();
      };
      expect(digestOf(rows.toReversed())).toBe(digestOf(rows));
      const sum = rows.reduce((total, row) => total + BigInt(`0x${hash('sha256', row)}`), 0n) % 2n ** 256n;
      expect(digestOf(rows)).toBe(sum.toString(16).padStart(64, '0'));
    }),
  );
});
