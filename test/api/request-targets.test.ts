import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { createRequestTargets } from '../../src/api/response-cache.ts';
import { SerializedHeaders } from '../../src/http/fast-path.ts';
import { createLog } from '../../src/log.ts';
import { buildSnapshot, type Snapshot } from '../../src/search/index.ts';
import { createServer, type Server } from '../../src/server/index.ts';
import { NAMED_WINDOWS } from '../../src/values/named-window.ts';
import { createRandom, eventId, NOW, PUBLIC_URL, randomDirectory, venueId } from '../search/random-directory.ts';
import { createFakeChanges } from '../support/fakes/changes.ts';
import { createFakeExports } from '../support/fakes/exports.ts';
import { createFakeFeeds } from '../support/fakes/feeds.ts';
import { createFakeGate, FAKE_KEYS } from '../support/fakes/gate.ts';

const HOUR = 3_600_000;
const random = createRandom(7);
const directory = randomDirectory(random, 60);
let asked = 0;
let now = NOW;
let current = counting(buildSnapshot(directory, NOW, PUBLIC_URL));

/** The same questions to two doors: one that may hold answers, one whose directory never says how long they are good. */
const holding = openDoor(() => current);
const asking = openDoor(() => ({
  ...current,
  events: (query) => withoutWord(current.events(query)),
  venueEvents: (...all) => withoutWord(current.venueEvents(...all)),
  ask(asked) {
    const { until: _, ...page } = current.ask(asked);
    return page;
  },
}));
afterAll(() => Promise.all([holding.drain(), asking.drain()]));

const ASKED = [
  'jazz',
  'free concerts',
  'tonight',
  'comedy this weekend',
  'madonna tomorrow night',
  'after 8pm',
  'before 8pm',
  'nothing of this',
  'march 8',
];
const ADDRESSES = [
  '/events',
  '/events?limit=3&offset=2',
  '/events?ongoing=true',
  `/events?end_date=${new Date(NOW + 7 * HOUR).toISOString()}`,
  '/events?start_date=2026-03-08T01:30:00&limit=100',
  '/events?sort=start&category=concert,comedy',
  '/events?q=zona',
  ...NAMED_WINDOWS.map((when) => `/events?when=${when}`),
  '/events?tags=live&price_max=20',
  ...ASKED.map((ask) => `/events?ask=${encodeURIComponent(ask)}`),
  '/events?ask=jazz&when=next_7_days',
  '/events?facets=day',
  `/venues/${venueId(0)}/events`,
  `/events/${eventId(1)}`,
  '/events?limit=0',
];

test('what is held is what would be answered anew, at every moment, while time goes back and forth', async () => {
  const moments = directory.events.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt ?? NOW]).map((at) => at - HOUR / 2);
  for (let round = 0; round < 120; round += 1) {
    now = random.one(moments) + random.one([-1, 0, 1, HOUR / 2 - 1, HOUR / 2, HOUR / 2 + 1]);
    for (const address of random.some(ADDRESSES)) {
      expect(await answer(holding, address), `${address} at ${now}`).toEqual(await answer(asking, address));
    }
  }
});

test('an address that is asked again is answered without asking the directory, until an event starts', async () => {
  const listed = directory.events.filter(({ status }) => status === 'scheduled');
  const starts = listed.map(({ startsAt }) => startsAt).sort((a, b) => a - b);
  const next = starts.find((at, index) => at - (starts[index - 1] ?? 0) > 1_000) ?? 0;
  now = next - 500;
  await answer(holding, '/events?limit=9');
  const before = asked;
  for (now of [next - 400, next - 1]) await answer(holding, '/events?limit=9');
  expect(asked).toBe(before);
  now = next + 1;
  await answer(holding, '/events?limit=9');
  expect(asked).toBe(before + 1);
});

test('nothing is held of an older directory, nor for strict reading', async () => {
  now = NOW;
  const first = await answer(holding, '/events?offset=1&lmit=3');
  expect((await answer(holding, '/events?offset=1&lmit=3', { prefer: 'handling=strict' })).status).toBe(400);
  current = counting(buildSnapshot(randomDirectory(createRandom(8), 60), NOW, PUBLIC_URL));
  const second = await answer(holding, '/events?offset=1&lmit=3');
  expect(second.text).not.toBe(first.text);
  expect(second).toEqual(await answer(asking, '/events?offset=1&lmit=3'));
});

test('a held answer is 304 to its tag, and compressed for those who read that', async () => {
  const { etag } = (await answer(holding, '/events?limit=100')).headers;
  expect((await answer(holding, '/events?limit=100', { 'if-none-match': String(etag) })).status).toBe(304);
  for (let time = 0; time < 3; time += 1) {
    const { headers } = await answer(holding, '/events?limit=100', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    await nextTurn();
  }
});

test('a request that waited does not get what an older directory answered', () => {
  const addresses = createRequestTargets();
  const [older, newer] = [buildSnapshot(directory, NOW, PUBLIC_URL), buildSnapshot(directory, NOW, PUBLIC_URL)];
  const head = new SerializedHeaders([]);
  const held = (etag: string) => ({ etag, bodyKey: etag, unchanged: head, plain: head });
  addresses.hold(addresses.of('/api/v1/events'), older, held('old'), NOW, NOW + HOUR);
  const waiting = addresses.of('/api/v1/events');
  expect(addresses.answerAt(waiting, older, NOW)?.etag).toBe('old');
  expect(addresses.answerAt(waiting, newer, NOW)).toBeUndefined();
  addresses.hold(addresses.of('/api/v1/venues'), newer, held('new'), NOW, NOW + HOUR);
  expect(addresses.answerAt(waiting, newer, NOW)).toBeUndefined();
  expect(addresses.answerAt(addresses.of('/api/v1/venues'), newer, NOW)?.etag).toBe('new');
});

function openDoor(snapshot: () => Snapshot): Server {
  const log = createLog('silent');
  const clocks = { directory: () => now, limits: () => NOW };
  const api = createApi({
    search: { current: snapshot },
    changes: createFakeChanges(),
    feeds: createFakeFeeds(),
    exports: createFakeExports(),
    gate: createFakeGate(),
    publicUrl: () => PUBLIC_URL,
    clocks,
    log,
  });
  return createServer({ api, log, ready: () => true, newRequestId: () => 'id' });
}

async function answer(server: Server, path: string, headers: Record<string, string> = {}) {
  const url = `/api/v1${path}`;
  const reply = await server.app.inject({ url, headers: { 'x-api-key': FAKE_KEYS.enterprise, ...headers } });
  const { date, 'x-ratelimit-remaining': _left, ratelimit: _both, ...rest } = reply.headers;
  return { status: reply.statusCode, headers: rest, text: reply.body };
}

function counting(snapshot: Snapshot): Snapshot {
  return {
    ...snapshot,
    events(query) {
      asked += 1;
      return snapshot.events(query);
    },
  };
}

function withoutWord<T extends { steady?: object }>({ steady, ...page }: T): Omit<T, 'steady'> {
  return page;
}
