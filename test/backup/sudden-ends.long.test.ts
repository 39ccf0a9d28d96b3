/** kill -9 in the middle of a backup leaves no file that looks whole; in the middle of a restore it leaves an empty store. Ctrl-C leaves nothing. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_ENGINE, temporaryFolder } from '../support/database/store.ts';
import { openS3Stub } from '../support/fakes/s3.ts';
import { BRIEF_NODE } from '../support/processes/brief-node.ts';
import { eventually } from '../support/processes/child-process.ts';
import { demoPlace, emptyPlace, manifestOf, type Place } from '../support/rigs/backup.ts';

let files: ReturnType<typeof temporaryFolder>;
let demo: Place;
const at = (name: string) => join(files.folder, name);
beforeAll(async () => {
  files = temporaryFolder();
  demo = await demoPlace(DEFAULT_ENGINE);
});
afterAll(async () => {
  await demo?.remove();
  files?.remove();
});

/** A command that is not waited for. */
function begin(place: Place, ...words: string[]): ChildProcess {
  const program = new URL('../../bin/marquee.mjs', import.meta.url).pathname;
  // On a busy machine, a backup that gives way says so.
  const now = words[0] === 'backup' ? ['--now'] : [];
  const child = spawn(process.execPath, [...BRIEF_NODE, program, ...words, ...now], {
    env: { ...process.env, LOG_LEVEL: 'warn', ...place.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const drafts = () => readdirSync(files.folder).filter((name) => name.endsWith('.marquee-draft'));

test('a backup that was killed leaves no file by its name, and the next one cleans up', async () => {
  const child = begin(demo, 'backup', at('killed'));
  await eventually(() => drafts().length > 0);
  await kill(child);
  // Whole or not there; nothing in between has the name.
  if (existsSync(at('killed'))) manifestOf(at('killed'));
  const left = drafts();
  expect(left).toHaveLength(1);
  // A draft of another file, which somebody may still be writing, stays for an hour.
  expect(await demo.type('backup', at('next'))).toMatchObject({ status: 0, stderr: '' });
  expect(drafts()).toEqual(left);
  // That of the same file goes at once: nobody writes it any more.
  expect(await demo.type('backup', at('killed'))).toMatchObject({ status: 0, stderr: '' });
  expect(drafts()).toEqual([]);
  writeFileSync(at('.killed.0a0b0c0d.marquee-draft'), 'of an older version');
  utimesSync(at('.killed.0a0b0c0d.marquee-draft'), 0, 0);
  expect(await demo.type('backup', at('next'))).toMatchObject({ status: 0, stderr: '' });
  expect(drafts()).toEqual([]);
  expect(await demo.type('backup', '--verify', at('next'))).toMatchObject({ status: 0 });
  // Nor does the data folder keep the copy.
  expect(existsSync(join(demo.folder, 'database.copy'))).toBe(false);
});

test('a restore that was killed leaves an empty store, and the next one succeeds', async () => {
  expect(await demo.type('backup', at('good'))).toMatchObject({ status: 0, stderr: '' });
  const bytes = readFileSync(at('good'));
  const place = await emptyPlace(DEFAULT_ENGINE);
  try {
    for (const share of [0.05, 0.999]) {
      const child = begin(place, 'restore', '-');
      // It has taken what it was given, and waits for the rest.
      await new Promise((resolve) => child.stdin?.write(bytes.subarray(0, Math.floor(bytes.length * share)), resolve));
      await eventually(() => isLoading(place));
      await kill(child);
      await eventually(() => isGone(place));
    }
    // Of another service: what it has sealed must not be lost.
    writeFileSync(join(place.folder, 'secret'), `${'y'.repeat(40)}\n`);
    const restored = await place.type('restore', at('good'));
    const kept = readdirSync(place.folder).filter((name) => name.startsWith('secret.'));
    expect(kept.map((name) => readFileSync(join(place.folder, name), 'utf8'))).toEqual([`${'y'.repeat(40)}\n`]);
    expect(restored).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`it is in ${join(place.folder, kept[0] ?? '')} now`),
    });
    expect(readFileSync(join(place.folder, 'secret'), 'utf8')).toBe(readFileSync(join(demo.folder, 'secret'), 'utf8'));
    expect(leftIn(place)).toEqual([]);
    const again = at('again');
    await place.type('backup', again);
    // A restore renews the epoch and the histories of the lists.
    const others = ({ change_log: _, list_head: __, ...tables }: ReturnType<typeof manifestOf>['tables']) => tables;
    expect(others(manifestOf(again).tables)).toEqual(others(manifestOf(at('good')).tables));
  } finally {
    await place.remove();
  }
});

test('a backup, a restore and a check that are interrupted say so and leave nothing', async () => {
  expect(await demo.type('backup', at('good'))).toMatchObject({ status: 0, stderr: '' });
  const half = readFileSync(at('good')).subarray(0, Math.floor(statSync(at('good')).size / 2));
  const writing = begin(demo, 'backup', at('interrupted'));
  await eventually(() => drafts().length > 0);
  await interrupt(writing);
  expect([drafts(), existsSync(at('interrupted')), leftIn(demo)]).toEqual([[], false, []]);

  const temporary = at('temporary');
  mkdirSync(temporary);
  const checking = begin({ ...demo, env: { ...demo.env, TMPDIR: temporary } }, 'backup', '--verify', '-');
  checking.stdin?.write(half);
  await eventually(() => readdirSync(temporary).some((name) => existsSync(join(temporary, name, 'database/PG_VERSION'))));
  await interrupt(checking);
  expect(readdirSync(temporary)).toEqual([]);

  const place = await emptyPlace(DEFAULT_ENGINE);
  try {
    const restoring = begin(place, 'restore', '-');
    restoring.stdin?.write(half);
    await eventually(() => isLoading(place));
    await interrupt(restoring);
    expect(leftIn(place)).toEqual([]);
    expect(await place.type('restore', at('good'))).toMatchObject({ status: 0 });
  } finally {
    await place.remove();
  }
});

test('a backup that is interrupted before its storage has answered says so', async () => {
  const stub = await openS3Stub();
  try {
    const asked = stub.fallSilent();
    const keys = { AWS_ACCESS_KEY_ID: stub.accessKeyId, AWS_SECRET_ACCESS_KEY: stub.secretAccessKey };
    const writing = begin({ ...demo, env: { ...demo.env, ...keys } }, 'backup', `s3://vault/silent?endpoint=${stub.endpoint}`);
    await asked;
    await interrupt(writing);
    expect([stub.asked.length, leftIn(demo)]).toEqual([1, []]);
  } finally {
    await stub.close();
  }
});

/** As Ctrl-C does where npm sends on what the terminal sends, too. */
async function interrupt(child: ChildProcess): Promise<void> {
  const said = text(child.stderr as Readable);
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await eventually(() => !isPending(child));
  child.kill('SIGINT');
  expect([await ended, await said]).toEqual([[1, null], 'Interrupted. Nothing was changed.\n']);
}

/** Whether a signal has not arrived yet: a second one would be one with it. */
function isPending({ pid }: ChildProcess): boolean {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && /^ShdPnd:\s*0*[1-9a-f]/m.test(readFileSync(status, 'utf8'));
}

const leftIn = ({ folder }: Place) =>
  readdirSync(folder).filter((name) => name.startsWith('database.') && !name.endsWith('.lock'));

/** Whether its transaction has begun. Beside a server, opening a store would wait for the tables that the restore has locked. */
async function isLoading(place: Place): Promise<boolean> {
  if (place.engine === 'embedded') return existsSync(join(place.folder, 'database.restore/database/PG_VERSION'));
  return (
    (await countOnServer(
      place,
      "pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    )) > 0
  );
}

/** The server has noticed that the process is gone. */
async function isGone(place: Place): Promise<boolean> {
  if (place.engine === 'embedded') return true;
  return (
    (await countOnServer(place, "pg_stat_activity where datname = current_database() and application_name = 'marquee'")) === 0
  );
}

async function countOnServer(place: Place, rows: string): Promise<number> {
  const client = new pg.Client({ connectionString: place.env.DATABASE_URL });
  await client.connect();
  try {
    return (await client.query<{ count: number }>(`select count(*)::int as count from ${rows}`)).rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}
