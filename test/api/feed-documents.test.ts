/** What a secret URL costs: long calendars, and documents that are asked for again and again. */

import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFeedUrlRoutes } from '../../src/api/index.ts';
import { type Feed, FeedsUnavailableError, type TokenLookup } from '../../src/feeds/index.ts';
import { buildSnapshot, type Snapshot } from '../../src/search/index.ts';
import { createRandom, NOW, PUBLIC_URL, randomDirectory } from '../search/random-directory.ts';

const TOKEN = 'a'.repeat(43);
const feed: Feed = { id: 'f', name: 'All', query: 'sort=start', createdAt: new Date(0), updatedAt: new Date(0) };
let snapshot: Snapshot;
let now = NOW;
let monotonic = 0;
let lookup: TokenLookup | Error = { found: 'open', feed };
let loads = 0;
let loading: () => Promise<[]> = async () => [];
const app = fastify();
app.register(
  createFeedUrlRoutes({
    feeds: {
      open() {
        if (lookup instanceof Error) throw lookup;
        return lookup;
      },
    },
    search: { current: () => snapshot },
    now: () => now,
    monotonic: () => monotonic,
    publicUrl: () => PUBLIC_URL,
    loadMerged() {
      loads += 1;
      return loading();
    },
    refuse: (_request, reply, { code }, headers = {}) => void reply.headers(headers).status(599).send(code),
  }),
);
const ask = (form = 'ics', headers: Record<string, string> = {}) => {
  monotonic += 1_000;
  return app.inject({ url: `/feeds/${TOKEN}.${form}`, headers });
};

beforeAll(() => {
  const made = randomDirectory(createRandom(5), 2_600);
  const events = made.events.map((event, i) => ({
    ...event,
    ...{
      state: 'published' as const,
      mergedInto: null,
      status: 'scheduled' as const,
      precision: 'time' as const,
      startsAt: NOW + (i + 1) * 60_000,
      endsAt: null,
    },
  }));
  const venues = made.venues.map((venue) => ({ ...venue, state: 'published' as const, mergedInto: null }));
  snapshot = buildSnapshot({ ...made, venues, events }, NOW, PUBLIC_URL);
});
afterAll(() => app.close());

describe('a document', () => {
  test('holds 2,000 events at most, and a calendar says how many match', async () => {
    const { body } = await ask();
    const total = snapshot.counts.events;
    expect(total).toBeGreaterThan(2_000);
    expect(body.match(/^BEGIN:VEVENT/gm)).toHaveLength(2_000);
    expect(body.replaceAll('\r\n ', '')).toContain(
      `At most 2\\,000 events\\; ${total.toLocaleString('en-US').replace(',', '\\,')} match.`,
    );
    const json = JSON.parse((await ask('json')).body);
    expect(json.data).toHaveLength(2_000);
    expect(json.meta).toEqual({ total, limit: 2_000, offset: 0, hasMore: true });
  });

  test('is written once while nothing changes, also when many ask at the same time', async () => {
    const reads = { count: 0 };
    const real = snapshot;
    snapshot = { ...real, events: (query) => real.events({ ...query, limit: query.limit + 0 * ++reads.count }) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('ndjson')));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const before = reads.count;
    const etag = String(answers[0]?.headers.etag);
    for (let number = 0; number < 5; number += 1) {
      expect((await ask('ndjson', { 'if-none-match': etag })).statusCode).toBe(304);
    }
    expect([before, reads.count]).toEqual([1, 1]);
    snapshot = real;
  });

  test('changes with the clock: an event that starts leaves it', async () => {
    const first = await ask('ndjson');
    now += 61_000;
    const later = await ask('ndjson', { 'if-none-match': String(first.headers.etag) });
    expect(later.statusCode).toBe(200);
    expect(later.body.split('\n').length).toBe(first.body.split('\n').length);
    expect(later.body).not.toBe(first.body);
    now = NOW;
  });

  test('asks for merged events once for each state of the directory, and only for calendars', async () => {
    snapshot = { ...snapshot, seq: snapshot.seq + 1, edition: snapshot.edition + 1_000 };
    loads = 0;
    await ask('json');
    expect(loads).toBe(0);
    await ask();
    await ask();
    expect(loads).toBe(1);
  });
});

describe('while the database is away', () => {
  test('a URL that must be looked up answers that it is unavailable', async () => {
    lookup = new FeedsUnavailableError('away');
    expect((await ask()).body).toBe('dependency_unavailable');
    lookup = { found: 'open', feed };
    snapshot = { ...snapshot, seq: snapshot.seq + 1, edition: snapshot.edition + 1 };
    loading = () => Promise.reject(new Error('away'));
    expect((await ask()).body).toBe('dependency_unavailable');
    expect((await ask('rss')).statusCode).toBe(200);
    loading = async () => [];
    expect((await ask()).statusCode).toBe(200);
  });
});

test('requests with unknown tokens are slowed down for each address', async () => {
  lookup = { found: 'unknown' };
  const codes = new Map<string, number>();
  for (let number = 0; number < 650; number += 1) {
    const { body } = await app.inject(`/feeds/${TOKEN}.ics`);
    codes.set(body, (codes.get(body) ?? 0) + 1);
  }
  expect(Object.fromEntries(codes)).toEqual({ unknown_route: 600, rate_limit_minute: 50 });
  lookup = { found: 'open', feed };
});
