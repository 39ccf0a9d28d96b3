/**
 * What version 0.1.0 left behind when its last migration was 0040: its data folder opens, its backup restores, and both answer as that
 * version did. `frozen/make-city.ts` made the files. What differs is listed at the end.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { zstdDecompressSync } from 'node:zlib';
import { parseTar } from 'nanotar';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readMigrations } from '../../src/store/migrate.ts';
import { createAsk } from '../proof/client.ts';
import { DEFAULT_ENGINE, temporaryFolder } from '../support/database/store.ts';
import { openReceiver, type Receiver } from '../support/network/receiver.ts';
import { emptyPlace, linesOf, manifestOf, type Place, rowsOf } from '../support/rigs/backup.ts';
import { marquee, marqueeHere, type RunningService, startService } from '../support/rigs/service.ts';
import { until } from '../support/runs/patience.ts';
import { signIn } from './frozen/forms.ts';
import { askEverything, CITY_NOW, CITY_URL, DEVELOPER, type KeptAnswers, type Made, WEBHOOK_FORM } from './frozen/questions.ts';

const frozen = (name: string): string => new URL(`./frozen/${name}`, import.meta.url).pathname;
const OLD_BACKUP = frozen('city-0040.backup');
const OLD_ANSWERS = JSON.parse(readFileSync(frozen('city-0040.json'), 'utf8')) as KeptAnswers;
const NEWER = readMigrations()
  .map(({ name }) => name)
  .slice(40);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test.skipIf(DEFAULT_ENGINE !== 'embedded')(
  'a data folder of 0.1.0 is migrated without the loss of a row, and served as before',
  async () => {
    const { folder, remove } = temporaryFolder();
    cleanups.push(remove);
    const made = unpack(folder);
    const env = { MARQUEE_DATA_DIR: folder };
    const check = await marqueeHere(['migrate', '--check'], env);
    expect(check.status).toBe(2);
    expect(check.stdout.match(/\b\d{4}-[\w-]+/g)).toEqual(NEWER);
    expect(await marqueeHere(['migrate'], env)).toMatchObject({ status: 0, stderr: '' });
    expect(await expectSameRows(env)).toEqual(manifestOf(OLD_BACKUP).epoch);
    await expectSameService(env, made, (text) => text);
  },
);

test('a backup of 0.1.0 is restored without the loss of a row, and served as before', async () => {
  const place: Place = await emptyPlace(DEFAULT_ENGINE);
  cleanups.push(place.remove);
  const restored = await place.type('restore', OLD_BACKUP, '--json');
  expect([restored.status, restored.stderr]).toEqual([0, '']);
  expect(JSON.parse(restored.stdout).migrations).toEqual(NEWER);
  // A restored directory begins another history of changes, so that no follower takes it for the old one.
  const epoch = await expectSameRows(place.env, RENEWED_BY_RESTORE);
  const inOldHistory = (text: string) => text.replaceAll(epoch, manifestOf(OLD_BACKUP).epoch);
  // Files of exports are in no backup.
  await expectSameService(place.env, { ...readMade(), exportFiles: [] }, inOldHistory);
});

/**
 * Compares a backup of now with the stored one, row by row as PostgreSQL prints them: new columns are at the end of a row. `renewed`:
 * tables of which only the number of rows stays. Gives the epoch of now.
 */
async function expectSameRows(env: Record<string, string>, renewed: readonly string[] = []): Promise<string> {
  const { folder, remove } = temporaryFolder();
  cleanups.push(remove);
  const file = join(folder, 'now.backup');
  // It lowers the priority of its process.
  expect(await marquee(['backup', file, '--json', '--now'], env)).toMatchObject({ status: 0, stderr: '' });
  const [was, now] = [linesOf(OLD_BACKUP), linesOf(file)];
  const tables = Object.keys(manifestOf(OLD_BACKUP).tables);
  expect(tables.length).toBeGreaterThan(MIN_TABLES);
  expect(Object.keys(manifestOf(file).tables).filter((table) => !tables.includes(table))).toEqual(ADDED_TABLES);
  for (const table of tables) {
    const added = ADDED_COLUMNS[table] ?? '';
    const kept = rowsOf(was, table).map((row) => row.replace(/\)$/, `${added})`));
    const found = rowsOf(now, table);
    expect([table, found.length]).toEqual([table, kept.length]);
    if (!renewed.includes(table)) expect([table, found.sort()]).toEqual([table, kept.sort()]);
  }
  return manifestOf(file).epoch;
}

/** Starts a service, asks it what the old one was asked, and uses what the developer of the city has. `rename`: what is another name. */
async function expectSameService(env: Record<string, string>, made: Made, rename: (text: string) => string): Promise<void> {
  const service = await serve(env);
  const ask = askOf(service);
  const settings = { ...env, MARQUEE_PUBLIC_URL: CITY_URL, MARQUEE_NOW: CITY_NOW };
  const answers = await askEverything(ask, made, (words) => marqueeHere(words, settings));
  const now = JSON.parse(rename(JSON.stringify(answers))) as KeptAnswers;
  const asked = Object.keys(OLD_ANSWERS).filter((name) => made.exportFiles.length > 0 || !name.startsWith('of an export'));
  expect(Object.keys(now)).toEqual(asked);
  const found = Object.entries(now).flatMap(([name, each]) => differences(OLD_ANSWERS[name], each, name.replace(/[?]\S+/, '')));
  expect([...new Set(found)]).toEqual(WANTED);

  // The old password signs in, and the old secret signs what a webhook gets.
  const send = await signIn(ask, DEVELOPER, made.password);
  const path = `/dashboard/webhooks/${made.webhookId}`;
  await send(path, { ...WEBHOOK_FORM, url: receiver.url });
  await send(path, { intent: 'verify' });
  receiver.received.length = 0;
  await send(path, { intent: 'test', type: 'event.updated' });
  await until(() => expect(receiver.received).toHaveLength(1));
  const [message] = receiver.received;
  expect(new Webhook(made.webhookSecret).verify(message?.text ?? '', message?.headers ?? {})).toMatchObject({
    type: 'event.updated',
  });

  // A correction can be taken back: what the bundle said is still there. The webhook is told.
  const corrected = made.events['event 1'] ?? '';
  expect(await marqueeHere(['correct', 'event', corrected, 'title', '--undo'], settings)).toMatchObject({
    status: 0,
    stderr: '',
  });
  await until(async () => {
    const { body } = await ask({ path: `/api/v1/events/${corrected}`, headers: { 'x-api-key': made.keys.starter } });
    expect(JSON.parse(body.toString()).data.title).toBe('Night of Fiddles');
  });
  await until(() => expect(receiver.received).toHaveLength(2));

  const doctor = await marqueeHere(['doctor'], settings);
  expect([doctor.status, doctor.stderr]).toEqual([0, '']);
  expect(await service.stop()).toBe(0);
}

/** Each place in which two answers differ, as a line. What is added may be wanted; nothing else is. */
function differences(was: unknown, now: unknown, path: string): string[] {
  if (Array.isArray(was) && Array.isArray(now) && was.length === now.length)
    return was.flatMap((each, index) => differences(each, now[index], `${path}[]`));
  if (isObject(was) && isObject(now)) {
    const names = [...new Set([...Object.keys(was), ...Object.keys(now)])];
    return names.flatMap((name) =>
      Object.hasOwn(was, name) ? differences(was[name], now[name], `${path}.${name}`) : [`${path}.${name} is added`],
    );
  }
  if (/\bcsv\b/.test(path) && String(now).startsWith(`${was},`)) return [`${path} is longer`];
  return isDeepStrictEqual(was, now) ? [] : [`${path} was ${JSON.stringify(was)}, is ${JSON.stringify(now)}`];
}
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

async function serve(env: Record<string, string>): Promise<RunningService> {
  const more = { MARQUEE_TRUST_PROXY: '127.0.0.1', MARQUEE_ALLOWED_HOSTS: receiver.host };
  const service = await startService(['serve'], { ...env, ...more, MARQUEE_PUBLIC_URL: CITY_URL, MARQUEE_NOW: CITY_NOW });
  cleanups.push(() => service.process.kill('SIGKILL'));
  return service;
}

const askOf = ({ url }: RunningService) => createAsk(Number(new URL(url).port), new URL(CITY_URL).host);

function unpack(folder: string): Made {
  for (const { name, type, data } of storedFiles()) {
    if (type === 'directory') mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    else writeFileSync(join(folder, name), data ?? '', { mode: 0o600 });
  }
  return readMade();
}

function readMade(): Made {
  const file = storedFiles().find(({ name }) => name.endsWith('/made.json'));
  return JSON.parse(Buffer.from(file?.data ?? '').toString());
}

const storedFiles = () => parseTar(zstdDecompressSync(readFileSync(frozen('city-0040.tar.zst'))));

const MIN_TABLES = 50;
const RENEWED_BY_RESTORE = ['change_log', 'list_head'];
const ADDED_TABLES = ['secret_digest'];
/** As they end a row that was there before. */
const ADDED_COLUMNS: Readonly<Record<string, string>> = { decision: ',f', event: ',', export: ',,0,' };
/** Differences of answers: each is an addition. */
const WANTED: readonly string[] = [
  '/events.csv (enterprise).body[] is longer',
  ...['/exports (enterprise).body.data[]', '/exports/01a22110-d692-76d1-a9eb-1ed43317cce7 (enterprise).body.data'].flatMap(
    (path) => [`${path}.waitingFor is added`, `${path}.retryAt is added`],
  ),
  'a feed as csv.body[] is longer',
];
