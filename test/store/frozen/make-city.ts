/**
 * Makes the files `city-NNNN.*` beside it: a small city with one of everything, as an earlier version left it. A test opens them with
 * this version. Make them once for each version that is worth it, from a checkout of that version with its packages installed:
 *
 *     node test/store/frozen/make-city.ts CHECKOUT NNNN     NNNN: the last migration of that version
 *
 * - `city-NNNN.tar.zst`: the data folder of the stopped service, packed by `pack-folder.sh`, and in `made.json` what it was made with
 * - `city-NNNN.backup`: its backup, written by that version
 * - `city-NNNN.json`: what that version answers to `questions.ts`
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Ask, createAsk, headerOf } from '../../proof/client.ts';
import { openReceiver } from '../../support/network/receiver.ts';
import { pagesReady, startService } from '../../support/rigs/service.ts';
import { until } from '../../support/runs/patience.ts';
import { idOf, listingsOf, MAPPING, NUMBERS, writeBundle } from './city.ts';
import { createForms, type Fields, type Send, signIn } from './forms.ts';
import { askEverything, CITY_NOW, CITY_URL, DEVELOPER, type Made, OPERATOR, WEBHOOK_FORM } from './questions.ts';

const [checkout = '', migration = ''] = process.argv.slice(2);
if (!/^\d{4}$/.test(migration)) throw new Error('usage: node make-city.ts CHECKOUT NNNN');
const program = [resolve(checkout, 'node_modules/.bin/node'), resolve(checkout, 'bin/marquee.mjs')] as const;
const here = (name: string) => join(import.meta.dirname, name);

/** The sources remember where their files were. */
const LISTINGS = '/tmp/tidewater';
const PASSWORD = 'a long enough password';
const keyIn = (printed: string): string => /mq_(?:live|test)_\w+/.exec(printed)?.[0] ?? '';
const publicPartOf = (key: string): string => key.split('_')[2] ?? '';
const idIn = (text: string): string => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? '';

const folder = mkdtempSync(join(tmpdir(), 'marquee-city-'));
const dataDir = join(folder, 'data');
const receiver = await openReceiver();
const settings = {
  MARQUEE_DATA_DIR: dataDir,
  MARQUEE_PUBLIC_URL: CITY_URL,
  MARQUEE_TRUST_PROXY: '127.0.0.1',
  MARQUEE_ALLOWED_HOSTS: receiver.host,
};
try {
  const made = await makeCity();
  writeFileSync(join(dataDir, 'made.json'), `${JSON.stringify(made, null, 2)}\n`);
  execFileSync(here('pack-folder.sh'), [resolve(checkout), dataDir, here(`city-${migration}.tar.zst`)], { stdio: 'inherit' });
} finally {
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
  rmSync(LISTINGS, { recursive: true, force: true });
}

/** One command of that version; the clock stands so many minutes before the end. Gives what it printed. */
function marquee(minutesBefore: number, ...words: string[]): string {
  const moment = Temporal.Instant.from(CITY_NOW).subtract({ minutes: minutesBefore }).toString();
  const env = { ...process.env, ...settings, MARQUEE_NOW: moment, LOG_LEVEL: 'warn', MARQUEE_METRICS_PORT: 'off' };
  return execFileSync(program[0], [program[1], ...words], { env, encoding: 'utf8' });
}

async function makeCity(): Promise<Made> {
  makeDirectory();
  const keys = makePeople();
  const service = await startService(['serve'], { ...settings, MARQUEE_NOW: CITY_NOW }, program);
  try {
    await pagesReady(service);
    const ask = createAsk(Number(new URL(service.url).port), new URL(CITY_URL).host);
    const ids = await readIds(ask, keys.enterprise);
    const developer = await enter(ask, DEVELOPER);
    const webhook = await makeWebhook(developer);
    await changeWhileServing(ask);
    const made = { password: PASSWORD, keys, ...ids, ...webhook, ...(await makeOutlets(ask, developer, keys.enterprise)) };
    const command = async (words: readonly string[]) => ({ status: 0, stdout: marquee(0, ...words), stderr: '' });
    const answers = await askEverything(ask, made, command);
    writeFileSync(here(`city-${migration}.json`), `${JSON.stringify(answers, null, 1)}\n`);
    return made;
  } finally {
    await service.stop();
    const file = here(`city-${migration}.backup`);
    rmSync(file, { force: true });
    marquee(0, 'backup', file);
  }
}

/** A bundle that is imported twice, two sources, one of them read twice, and what an operator decides about both. */
function makeDirectory(): void {
  for (const isSecond of [false, true]) {
    const bundle = join(folder, 'bundle');
    writeBundle(bundle, isSecond);
    marquee(isSecond ? 230 : 240, 'import', bundle, ...(isSecond ? ['--prune'] : []));
  }
  const mapping = join(folder, 'mapping.json');
  writeFileSync(mapping, JSON.stringify(MAPPING));
  writeListings(false);
  for (const name of Object.keys(listingsOf(false)))
    marquee(200, 'source', 'add', 'json', join(LISTINGS, `${name}.json`), '--mapping', mapping, '--name', name, '--every', '1d');
  marquee(200, 'ingest', 'harbor-office');
  marquee(190, 'ingest', 'city-radio');
  writeListings(true);
  marquee(180, 'ingest', 'harbor-office');
  const corrected = idOf('event', NUMBERS.corrected);
  marquee(170, 'correct', 'event', corrected, 'title', 'Night of Ninety Fiddles', '--note', 'As on the poster');
  marquee(169, 'correct', 'event', corrected, 'price', '12.5-30');
  marquee(168, 'correct', 'venue', idOf('venue', 2), 'address', '21 Quay Street');
  marquee(167, 'hide', 'event', idOf('event', NUMBERS.hidden), '--note', 'Not a public event');
  const [same, ...others] = JSON.parse(marquee(160, 'review', 'list', '--json')) as { left: Side; right: Side }[];
  if (!same || others.length === 0) throw new Error('the sources list too few possible duplicates');
  marquee(150, 'review', 'same', same.left.recordId, same.right.recordId, '--note', 'One evening');
  const incident = marquee(60, 'incident', 'open', 'Search is slow', '--message', 'We are looking into it.', '--impact', 'minor');
  marquee(30, 'incident', 'update', idIn(incident), '--message', 'A disk was full.', '--state', 'monitoring');
}

function writeListings(isSecond: boolean): void {
  mkdirSync(LISTINGS, { recursive: true });
  for (const [name, events] of Object.entries(listingsOf(isSecond)))
    writeFileSync(join(LISTINGS, `${name}.json`), JSON.stringify({ events }));
}

interface Side {
  recordId: string;
}

function makePeople(): Made['keys'] {
  marquee(120, 'account', 'create', '--email', DEVELOPER, '--tier', 'enterprise');
  marquee(120, 'account', 'create', '--email', OPERATOR, '--tier', 'growth', '--operator');
  marquee(120, 'account', 'create', '--email', 'bob@marquee.example', '--tier', 'starter');
  const create = (...words: string[]) => keyIn(marquee(110, 'key', 'create', '--account', ...words));
  const keys = {
    enterprise: create(DEVELOPER, '--name', 'all of it'),
    starter: create('bob@marquee.example'),
    test: create(DEVELOPER, '--test'),
    revoked: create(DEVELOPER, '--name', 'lost'),
  };
  marquee(100, 'key', 'revoke', publicPartOf(keys.revoked));
  const replaced = create(DEVELOPER, '--name', 'old', '--tier', 'growth');
  return { ...keys, rotated: keyIn(marquee(90, 'key', 'rotate', publicPartOf(replaced), '--grace', '0')) };
}

/** Chooses a password by a link, and signs in with it. */
async function enter(ask: Ask, email: string): Promise<Send> {
  const [, token = ''] = /[?&]token=([\w-]+)/.exec(marquee(0, 'account', 'link', '--email', email)) ?? [];
  await createForms(ask)('/reset', { token, password: PASSWORD });
  return signIn(ask, email, PASSWORD);
}

/** Of the bundle by number; those that the source alone lists, by title or name. */
async function readIds(ask: Ask, key: string): Promise<Pick<Made, 'events' | 'venues'>> {
  const read = async (path: string) => {
    const { body } = await ask({ path: `/api/v1${path}`, headers: { 'x-api-key': key } });
    return (JSON.parse(body.toString()) as { data: { id: string; title?: string; name?: string }[] }).data;
  };
  const named = (records: Awaited<ReturnType<typeof read>>) =>
    records.filter(({ id }) => !id.startsWith(idOf('event', 0).slice(0, 19))).map(({ id, title, name }) => [title ?? name, id]);
  const counted = (kind: 'event' | 'venue', count: number) =>
    Array.from({ length: count }, (_, index) => [`${kind} ${index + 1}`, idOf(kind, index + 1)]);
  const events = await read('/events?start_date=2019-06-01&end_date=2020-12-31&status=any&ongoing=true&limit=50');
  return {
    events: Object.fromEntries([...counted('event', 16), ...named(events)]),
    venues: Object.fromEntries([...counted('venue', 6), ...named(await read('/venues'))]),
  };
}

/** An endpoint that has got its test message. */
async function makeWebhook(send: Send): Promise<Pick<Made, 'webhookId' | 'webhookSecret'>> {
  const shown = (await send('/dashboard/webhooks/new', { ...WEBHOOK_FORM, url: receiver.url, token: 'webhook' })).body.toString();
  const [, webhookId = ''] = /\/dashboard\/webhooks\/([0-9a-f-]{36})/.exec(shown) ?? [];
  const webhookSecret = /whsec_[A-Za-z0-9+/=]+/.exec(shown)?.[0] ?? '';
  const path = `/dashboard/webhooks/${webhookId}`;
  await send(path, { intent: 'verify' });
  await send(path, { intent: 'test', type: 'event.updated' });
  await until(() => received(1));
  return { webhookId, webhookSecret };
}

function received(count: number): void {
  if (receiver.received.length < count) throw new Error(`${receiver.received.length} messages instead of ${count}`);
}

/** A change that the webhook is told, a merge at the desk, a report and some use. */
async function changeWhileServing(ask: Ask): Promise<void> {
  const operator = await enter(ask, OPERATOR);
  await operator(`/desk/events/${idOf('event', 8)}`, {
    intent: 'correct',
    field: 'description',
    value: 'Five comedians.',
    note: '',
  });
  const merge = { intent: 'merge', other: idOf('event', 10), token: 'merge' };
  const merged = await operator(`/desk/events/${idOf('event', 13)}`, merge);
  if (merged.status !== 302 && merged.status !== 303) throw new Error(`nothing was merged: ${merged.status}`);
  await until(() => received(2));
  const report = { kind: 'wrong_time', words: 'It begins at nine.', email: 'reader@marquee.example', token: 'report' };
  const reported = await createForms(ask)(`/report?event=${idOf('event', 11)}`, report);
  if (reported.status >= 400) throw new Error(`nothing was reported: ${reported.status}`);
}

/** A feed with secret URLs, an embed, and two exports, of which one comes daily. */
async function makeOutlets(ask: Ask, send: Send, key: string) {
  const create = async (path: string, fields: Fields): Promise<string> => {
    const answer = await send(path, { intent: 'save', token: path, ...fields });
    const [, id = ''] = /\/([^/?]+)\?created/.exec(headerOf(answer, 'location')) ?? [];
    if (id === '') throw new Error(`${path} made nothing: ${answer.status}`);
    return id;
  };
  const feedId = await create('/dashboard/feeds/new', { feed_name: 'Concerts to hear', category: 'concert', sort: 'start' });
  const feedUrls: string[] = [];
  for (const form of ['ics', 'csv', 'json']) {
    const { body } = await send(`/dashboard/feeds/${feedId}`, { intent: 'renew', form, token: `url-${form}` });
    feedUrls.push(new RegExp(`/feeds/[\\w-]{30,}\\.${form}`).exec(body.toString())?.[0] ?? '');
  }
  const embedId = await create('/dashboard/embeds/new', {
    feed_name: 'Free evenings',
    free: 'true',
    layout: 'list',
    origins: '',
  });
  const order = { intent: 'create', columns: 'record' };
  await send('/dashboard/exports', { ...order, repeat: 'once', content: 'everything', format: 'ndjson', token: 'first' });
  const first = await untilReady(ask, key);
  await send('/dashboard/exports', { ...order, repeat: 'daily', content: feedId, format: 'geojson', token: 'second' });
  await until(async () => {
    if ((await listExports(ask, key)).some(({ state }) => state !== 'ready')) throw new Error('an export is not ready');
  });
  return { feedId, feedUrls, embedId, ...first };
}

async function untilReady(ask: Ask, key: string): Promise<Pick<Made, 'exportId' | 'exportFiles'>> {
  const { id: exportId } = await until(async () => {
    const [first] = await listExports(ask, key);
    if (first?.state !== 'ready') throw new Error('the export is not ready');
    return first;
  });
  const { body } = await ask({ path: `/api/v1/exports/${exportId}`, headers: { 'x-api-key': key } });
  const { files } = (JSON.parse(body.toString()) as { data: { manifest: { files: { url: string }[] } } }).data.manifest;
  return { exportId, exportFiles: files.map(({ url }) => url.slice(CITY_URL.length)) };
}

async function listExports(ask: Ask, key: string): Promise<{ id: string; state: string }[]> {
  const { body } = await ask({ path: '/api/v1/exports', headers: { 'x-api-key': key } });
  return (JSON.parse(body.toString()) as { data: { id: string; state: string }[] }).data;
}
