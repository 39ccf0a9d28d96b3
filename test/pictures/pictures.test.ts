/**
 * Pictures of sources through this service: resized, kept, and never a way into another network. One engine is enough: the files are
 * in the data folder.
 */

import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pictureOf, type SharedEvent, shareImageOf } from '../../src/pictures/index.ts';
import { recordChanges } from '../../src/records/index.ts';
import { type ImageHost, openImageHost, photo, pixelBomb, sendBytes } from '../support/network/image-host.ts';
import { openSite, type Site } from '../support/rigs/site.ts';
import { until } from '../support/runs/patience.ts';

let host: ImageHost;
let site: Site;
let events: SharedEvent[];
let next = 0;
let isRecovered = false;
/** Milliseconds. */
let passed = 0;

beforeAll(async () => {
  const jpeg = await photo(1600, 900);
  host = await openImageHost({
    '/photo.jpg': sendBytes(jpeg),
    '/late.jpg': (response) => void pause(300).then(() => sendBytes(jpeg)(response)),
    '/photo.png': sendBytes(await photo(900, 1600, 'png'), 'image/png'),
    '/photo.webp': sendBytes(await photo(800, 600, 'webp'), 'text/plain'),
    '/photo.avif': sendBytes(await photo(800, 600, 'avif'), 'image/avif'),
    '/small.gif': sendBytes(await photo(200, 150, 'gif'), 'image/gif'),
    '/to-private': (response) => void response.writeHead(302, { location: 'http://10.0.0.1/photo.jpg' }).end(),
    '/to-loopback': (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/photo.jpg' }).end(),
    '/to-itself': (response) => void response.writeHead(302, { location: '/to-itself' }).end(),
    '/huge': (response) =>
      void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(Buffer.alloc(13 * 1024 * 1024, 255)),
    '/page': sendBytes(Buffer.from('<html>Not here</html>')),
    '/drawing': sendBytes(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"/>'), 'image/svg+xml'),
    '/bomb': sendBytes(pixelBomb(), 'image/png'),
    '/cut': sendBytes(jpeg.subarray(0, 2000)),
    '/pixel': sendBytes(await photo(1, 1, 'gif'), 'image/gif'),
    '/broken': (response) => void response.writeHead(500).end(),
    '/never': () => undefined,
    '/recovering.jpg': (response) => (isRecovered ? sendBytes(jpeg)(response) : void response.writeHead(503).end()),
  });
  site = await openSite({
    settings: { MARQUEE_ALLOWED_HOSTS: host.host },
    limitsClock: () => Date.now() + passed,
    // The last test spends what the others leave.
    pageLimits: { documentBurstMs: 2_000, documentPerSecondMs: 1e-6 },
  });
  events = await readEvents();
});

afterAll(async () => {
  await site.close();
  await host.close();
});

describe('a picture of a source', () => {
  test.each([
    ['/photo.jpg', [320, 640, 1200]],
    ['/photo.png', [320, 640, 900]],
    ['/photo.webp', [320, 640, 800]],
    ['/photo.avif', [320, 640, 800]],
    ['/small.gif', [200, 200, 200]],
  ])('%s comes as WebP in three widths, 4:3 and never enlarged', async (path, widths) => {
    const event = await give(host.url + path);
    for (const [at, file] of filesOf(event).entries()) {
      const answer = await site.ask(file);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
      const { width, height, exif } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      expect([width, height]).toEqual([widths[at], ((widths[at] ?? 0) * 3) / 4]);
      expect(exif).toBeUndefined();
    }
  });

  test('is asked for once, however many want it at once, without a word about the reader', async () => {
    const event = await give(`${host.url}/late.jpg`);
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, at) =>
        site.ask(filesOf(event)[at % 3] ?? '', { headers: { referer: 'http://a.example/', cookie: 'a=b' } }),
      ),
    );
    expect(new Set(answers.map(({ headers }) => headers.get('content-type')))).toEqual(new Set(['image/webp']));
    await site.ask(filesOf(event)[0] ?? '');
    const asked = host.asked.filter(({ path }) => path === '/late.jpg');
    expect(asked).toHaveLength(1);
    expect(Object.keys(asked[0]?.headers ?? {})).not.toContain('referer');
    expect(Object.keys(asked[0]?.headers ?? {})).not.toContain('cookie');
  });

  test('may be kept for ever under its address, and is answered with 304 to whoever has it', async () => {
    const event = await give(`${host.url}/photo.jpg`);
    const [file = ''] = filesOf(event);
    const first = await site.ask(file);
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const etag = first.headers.get('etag') ?? '';
    expect((await site.ask(file, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const other = await site.ask(file.replace(/\/[\da-f]{10}\//, '/0000000000/'));
    expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
  });

  test('is read by its own host only: the address in a request counts for nothing', async () => {
    const event = await give(null);
    const before = host.asked.length;
    const version = filesOf(await give(`${host.url}/photo.jpg`))[0]?.split('/')[3];
    for (const path of [
      `/images/${event.id}/${version}/640.webp`,
      `/images/${event.id}/${version}/640.webp?url=${host.url}/photo.jpg`,
      `/images/${encodeURIComponent(`${host.url}/photo.jpg`)}/${version}/640.webp`,
      `/images/019aaaaa-0000-7000-8000-000000000000/${version}/640.webp`,
      `/images/${event.id}/${version}/641.webp`,
      `/images/${event.id}/${version}/..%2f640.webp`,
    ]) {
      expect((await site.ask(path)).status, path).toBe(404);
    }
    expect(host.asked).toHaveLength(before);
  });
});

describe('a picture that cannot be had', () => {
  test.each([
    '/to-private',
    '/to-loopback',
    '/to-itself',
    '/huge',
    '/page',
    '/drawing',
    '/bomb',
    '/cut',
    '/pixel',
    '/broken',
    '/missing',
    '/never',
  ])('%s ends in the poster, for a short while, and its host is not asked again', async (path) => {
    const event = await give(host.url + path);
    const [file = ''] = filesOf(event);
    const answer = await site.ask(file);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(await answer.text()).toBe(await (await site.ask(posterOf(event))).text());
    const asked = host.asked.length;
    await site.ask(file);
    expect(host.asked).toHaveLength(asked);
  });

  test('leaves the service and the next picture alone', async () => {
    await site.ask(filesOf(await give(`${host.url}/bomb`))[0] ?? '');
    const answer = await site.ask(filesOf(await give(`${host.url}/photo.jpg`))[0] ?? '');
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect((await readdir(join(site.dataDir, 'pictures'))).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe('a share image', () => {
  test.each([
    ['with the picture of the source', '/photo.jpg'],
    ['with the poster', null],
  ])('is a PNG of 1200 × 630 %s', async (_, path) => {
    const event = await give(path && host.url + path);
    const { src } = shareImageOf(event, CITY, site.url);
    const answer = await site.ask(src);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    expect(bytes.length).toBeLessThan(600_000);
  });

  test('that lacks its picture may be kept for a short while only, and the next one is whole', async () => {
    const event = await give(`${host.url}/recovering.jpg`);
    const { src } = shareImageOf(event, CITY, site.url);
    const poster = await site.ask(src);
    expect([poster.status, poster.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(poster.headers.get('cache-control')).toBe('public, max-age=300');
    passed += 11 * 60_000;
    isRecovered = true;
    const whole = await site.ask(src);
    expect(whole.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(whole.headers.get('etag')).not.toBe(poster.headers.get('etag'));
  });

  test('has another address when the event says something else', () => {
    const event = events[0] ?? expect.fail('no events');
    const { src } = shareImageOf(event, CITY, site.url);
    expect(shareImageOf({ ...event, title: 'Renamed' }, CITY, site.url).src).not.toBe(src);
    expect(shareImageOf({ ...event, startPrecision: 'date' }, CITY, site.url).src).not.toBe(src);
  });

  test('is drawn of any title', async () => {
    const titles = ['.', 'ł Þ ế 東京 🎷', 'x'.repeat(300), 'word '.repeat(60), '</svg><script>'];
    for (const title of titles) {
      const event = await give(null, title);
      const answer = await site.ask(shareImageOf(event, CITY, site.url).src);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    }
  });
});

test('a network that has had many share images drawn waits for the next one, and goes on to get those that are there', async () => {
  const drawn = shareImageOf(await give(null), CITY, site.url).src;
  expect((await site.ask(drawn)).status).toBe(200);
  for (let more = 0; ; more += 1) {
    expect(more).toBeLessThan(15);
    const answer = await site.ask(shareImageOf(await give(null), CITY, site.url).src);
    if (answer.status === 200) continue;
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await answer.json()).toMatchObject({ code: 'page_limit' });
    break;
  }
  expect((await site.ask(drawn)).status).toBe(200);
});

const CITY = { name: 'Port Alder', locale: 'en-US' };

/** An event of its own for each, in the directory that is served now. */
async function give(imageUrl: string | null, title?: string): Promise<SharedEvent> {
  const event = {
    ...(events[next] ?? expect.fail('the demo city has fewer events')),
    imageUrl,
    ...(title !== undefined && { title }),
  };
  next += 1;
  await site.store.db.transaction().execute(async (trx) => {
    await trx.updateTable('event').set({ image_url: imageUrl, title: event.title }).where('id', '=', event.id).execute();
    await recordChanges(trx, [{ kind: 'updated', entity: 'event', entityId: event.id }], site.now());
  });
  await until(async () => {
    const { data } = (await (await askApi(`/events/${event.id}`)).json()) as { data: SharedEvent };
    expect([data.imageUrl, data.title]).toEqual([imageUrl, event.title]);
  });
  return event;
}

const filesOf = (event: SharedEvent): string[] =>
  (pictureOf(event, site.url).srcSet ?? expect.fail('it has no picture')).split(', ').map((each) => each.split(' ')[0] ?? '');
const posterOf = (event: SharedEvent): string => pictureOf({ ...event, imageUrl: null }, site.url).src;

async function readEvents(): Promise<SharedEvent[]> {
  const { data } = (await (await askApi('/events?limit=100')).json()) as { data: SharedEvent[] };
  const { rows } = await sql<{ id: string }>`select id from event where precision = 'time'`.execute(site.store.db);
  const timed = new Set(rows.map(({ id }) => id));
  return data.filter(({ id }) => timed.has(id)).map((event) => ({ ...event, startPrecision: 'time' }));
}

function askApi(path: string): Promise<Response> {
  const { enterprise } = JSON.parse(readFileSync(join(site.dataDir, 'demo-keys.json'), 'utf8')) as { enterprise: string };
  return site.ask(`/api/v1${path}`, { headers: { 'X-API-Key': enterprise } });
}
