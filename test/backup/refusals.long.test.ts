/** Every restore that is refused, through the command: one sentence, and nothing was changed. */

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTarget } from '../../src/backup/index.ts';
import { openBackupWriter } from '../../src/backup/write-lines.ts';
import { DEFAULT_ENGINE, temporaryFolder } from '../support/database/store.ts';
import { demoPlace, emptyPlace, linesOf, manifestOf, type Place } from '../support/rigs/backup.ts';
import { marquee } from '../support/rigs/service.ts';

let files: ReturnType<typeof temporaryFolder>;
let demo: Place;
let empty: Place;
let good: string;
/** The manifest, as it was printed. */
let printed: string;
const at = (name: string) => join(files.folder, name);

beforeAll(async () => {
  files = temporaryFolder();
  demo = await demoPlace(DEFAULT_ENGINE);
  empty = await emptyPlace(DEFAULT_ENGINE);
  good = at('good.backup');
  const { status, stdout, stderr } = await demo.type('backup', good, '--json');
  expect([status, stderr]).toEqual([0, '']);
  printed = stdout;
});
afterAll(async () => {
  await empty?.remove();
  await demo?.remove();
  files?.remove();
});

/** The same file with other lines. */
function edited(name: string, edit: (lines: string[]) => string[]): string {
  writeFileSync(at(name), zstdCompressSync(`${edit(linesOf(good)).join('\n')}\n`));
  return at(name);
}

const restore = (file: string) => empty.type('restore', file);
const verify = (file: string) => empty.type('backup', '--verify', file);

async function isEmpty(): Promise<boolean> {
  if (empty.engine === 'embedded') {
    expect(readdirSync(empty.folder).filter((name) => !/lock$/.test(name))).toEqual([]);
    return true;
  }
  return empty.withStore(async ({ db }) => {
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from event) + (select count(*) from city) + (select seq from list_head where list = 'change') as count`.execute(
      db,
    );
    return Number(rows[0]?.count) === 0;
  });
}

// What a file holds is read before the store, whatever its engine is; on the other engine one file stands for all.
const FILES = DEFAULT_ENGINE === 'embedded' ? /./ : /^cut$/;

describe('a file that is no good backup is refused by restore and by verify alike', () => {
  const refused: [string, (name: string) => string, RegExp][] = [
    [
      'cut',
      (name) => {
        copyFileSync(good, at(name));
        truncateSync(at(name), Math.floor(statSync(good).size * 0.9));
        return at(name);
      },
      /cut ends too early\. The backup is incomplete/,
    ],
    [
      'flipped',
      (name) => {
        const bytes = readFileSync(good);
        const middle = bytes.length >> 1;
        bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
        writeFileSync(at(name), bytes);
        return at(name);
      },
      /flipped is damaged: |rejected rows of .*flipped: /,
    ],
    [
      'foreign',
      (name) => {
        writeFileSync(at(name), '-- PostgreSQL database dump\n'.repeat(100));
        return at(name);
      },
      /foreign is not a backup of Marquee\./,
    ],
    [
      'future',
      (name) =>
        edited(name, ([header = '', ...rest]) => [
          header
            .replace('"schema":[', '"schema":[{"name":"9999-future","checksum":"00"},')
            .replace(/"version":"[^"]+"/, '"version":"99.0.0"'),
          ...rest,
        ]),
      /written by a newer version of Marquee \(99\.0\.0; unknown migration: 9999-future\)/,
    ],
    [
      'format',
      (name) => edited(name, ([header = '', ...rest]) => [header.replace('"format":1', '"format":2'), ...rest]),
      /has format 2, but this version reads format 1/,
    ],
    [
      'history',
      (name) =>
        edited(name, ([header = '', ...rest]) => [header.replace(/"checksum":"[0-9a-f]{8}/, '"checksum":"00000000'), ...rest]),
      /has another form of the migration 0001-directory/,
    ],
    ['missing', (name) => at(name), /Cannot read .*missing: the folder or file does not exist/],
  ];
  test.each(refused.filter(([name]) => FILES.test(name)))('%s', async (name, make, reason) => {
    const file = make(name);
    for (const type of [restore, verify]) {
      const { status, stderr, stdout } = await type(file);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(reason);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(await isEmpty()).toBe(true);
  });
});

test('rows that break a rule of the database are refused although their digest fits', async () => {
  // Somebody else wrote it: an event of a venue that is not there.
  const { marquee: _, ...header } = JSON.parse(linesOf(good)[0] ?? '');
  const target = await openTarget(at('orphan'));
  const writer = await openBackupWriter(target.out, { marquee: 'backup', ...header });
  let table = '';
  for (const line of linesOf(good).slice(1, -1)) {
    const parsed = line.startsWith('{') ? JSON.parse(line) : null;
    if (parsed?.table) {
      table = parsed.table;
      await writer.beginTable(table, parsed.columns);
    } else if (parsed?.end) await writer.endTable();
    else if (!parsed && table !== 'venue') await writer.writeRows([line.replaceAll('\\\\', '\\')]);
  }
  await writer.finish();
  await target.keep();
  expect(await restore(at('orphan'))).toMatchObject({ status: 1, stderr: expect.stringContaining('rejected rows of') });
  expect(await isEmpty()).toBe(true);
});

test('a store that is not empty is refused, and stays as it is', async () => {
  const again = at('again.backup');
  const { status, stderr } = await demo.type('restore', good);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^The store is not empty: it has rows in .*event.*Nothing was changed\.\n$/),
  ]);
  await demo.type('backup', again);
  expect(manifestOf(again).tables).toEqual(manifestOf(good).tables);
  expect(manifestOf(again).epoch).toBe(manifestOf(good).epoch);
});

test('a secret in the settings that the backup does not have is refused', async () => {
  const { status, stderr } = await marquee(['restore', good], { ...empty.env, MARQUEE_SECRET: 'x'.repeat(40) });
  expect([status, stderr]).toEqual([1, expect.stringContaining('MARQUEE_SECRET differs from the secret in the backup')]);
  expect(stderr).not.toContain('xxx');
  expect(await isEmpty()).toBe(true);
});

// The embedded engine's folder has a secret as soon as it has a database.
if (DEFAULT_ENGINE === 'postgres')
  test('a backup without the secret of the service is only written on request', async () => {
    const { status, stderr } = await empty.type('backup', at('secretless'));
    expect([status, stderr]).toEqual([1, expect.stringContaining('No secret is set')]);
    expect(existsSync(at('secretless'))).toBe(false);
  });

test('a file that cannot be written is told, and no draft of it stays', async () => {
  mkdirSync(at('folder'));
  for (const [file, reason] of [
    [at('folder'), 'it is a folder'],
    ['/dev/null', 'it is not a file'],
    [at('nowhere/file'), 'the folder or file does not exist'],
  ] as const) {
    expect(await demo.type('backup', file)).toMatchObject({ status: 1, stderr: `Cannot write ${file}: ${reason}.\n` });
  }
  expect(readdirSync(files.folder).filter((name) => name.endsWith('draft'))).toEqual([]);
  expect(existsSync(at('nowhere'))).toBe(false);
});

test('a backup is for its owner alone, and its secret is in no manifest', async () => {
  expect(statSync(good).mode & 0o777).toBe(0o600);
  const secret = readFileSync(join(demo.folder, 'secret'), 'utf8').trim();
  expect(printed).not.toContain(secret);
  expect(JSON.parse(printed)).toMatchObject({ files: expect.arrayContaining(['secret']), bytes: statSync(good).size });
  await demo.type('backup', at('bare.backup'), '--without-secret');
  expect(linesOf(at('bare.backup')).join('\n')).not.toContain(secret);
  const bare = await emptyPlace(DEFAULT_ENGINE);
  const restored = await bare.type('restore', at('bare.backup'));
  await bare.remove();
  expect(restored).toMatchObject({ status: 0, stderr: expect.stringContaining('The backup has no secret') });
});
