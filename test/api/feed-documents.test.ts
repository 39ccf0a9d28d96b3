/** What a secret URL costs: long calendars, and documents that are asked for again and again. */

import fc from 'fast-check';
import { fastify } from 'fastify';
import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFeedUrlRoutes, sampleEvents } from '../../src/api/index.ts';
import { type Feed, FeedsUnavailableError, type TokenLookup } from '../../src/feeds/index.ts';
import { readSavedQuery } from '../../src/query/index.ts';
import { buildSnapshot, type Snapshot } from '../../src/search/index.ts';
import { createRandom, NOW, PUBLIC_URL, randomDirectory } from '../search/random-directory.ts';
import { randomEventFilters } from '../support/records/random-queries.ts';
import { idsOf } from '../support/records/read-forms.ts';

const TOKEN = 'a'.repeat(43);
const feed: Feed = { id: 'f', name: 'All', query: 'sort=start', createdAt: new Date(0), updatedAt: new Date(0) };
let snapshot: Snapshot;
let now = NOW;
let monotonic = 0;
let lookup: TokenLookup | Error = { found: 'open', feed };
let loads = 0;
let loading: () => Promise<null> = async () => null;
const app = fastify();
app.register(
  createFeedUrlRoutes({
    feeds: {
      peek: () => undefined,
      open() {
        if (lookup instanceof Error) throw lookup;
        return lookup;
      },
    },
    search: { current: () => snapshot },
    now: () => now,
    maxHeldBytes: 4 * 1_048_576,
    monotonic: () => monotonic,
    publicUrl: () => PUBLIC_URL,
    loadMerged() {
      loads += 1;
      return loading();
    },
    refuse: (_request, reply, { code }, headers = {}) => void reply.headers(headers).status(599).send(code),
  }).routes,
);
const ask = (form = 'ics', headers: Record<string, string> = {}) => {
  monotonic += 1_000;
  return app.inject({ url: `/feeds/${TOKEN}.${form}`, headers });
};

beforeAll(() => {
  const made = randomDirectory(createRandom(5), 3_000);
  const events = made.events.map((event, i) => ({
    ...event,
    ...{
      state: 'published' as const,
      mergedInto: null,
      status: i % 9 === 0 ? ('cancelled' as const) : i % 7 === 0 ? ('postponed' as const) : ('scheduled' as const),
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
    const json = JSON.parse((await ask('json')).body);
    const { total } = json.meta;
    expect(total).toBeGreaterThan(2_000);
    expect(body.match(/^BEGIN:VEVENT/gm)).toHaveLength(2_000);
    expect(body.replaceAll('\r\n ', '')).toContain(
      `At most 2\\,000 events\\; ${total.toLocaleString('en-US').replace(',', '\\,')} match.`,
    );
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
    now += 121_000;
    const later = await ask('ndjson', { 'if-none-match': String(first.headers.etag) });
    expect(later.statusCode).toBe(200);
    expect(later.body.split('\n').length).toBe(first.body.split('\n').length);
    expect(later.body).not.toBe(first.body);
    now = NOW;
  });

  test('is not written again when the directory changed elsewhere', async () => {
    const first = await ask('ndjson');
    const real = snapshot;
    const writes = { count: 0 };
    const counted: Snapshot['writeEvents'] = (...args) => {
      writes.count += 1;
      return real.writeEvents(...args);
    };
    snapshot = { ...real, edition: real.edition + 500, seq: real.seq + 1, writeEvents: counted };
    expect((await ask('ndjson', { 'if-none-match': String(first.headers.etag) })).statusCode).toBe(304);
    expect((await ask('ndjson')).body).toBe(first.body);
    expect(writes.count).toBe(0);
    snapshot = real;
  });

  test('is written again when it had to make room for others', async () => {
    const wide = { ...feed, name: 'x'.repeat(100) };
    const first = await ask();
    let others = 0;
    for (let version = 1; others < 5 * 1_048_576; version += 1) {
      lookup = { found: 'open', feed: { ...wide, updatedAt: new Date(version) } };
      others += (await ask('ics')).rawPayload.length;
    }
    lookup = { found: 'open', feed };
    expect((await ask('ics', { 'if-none-match': String(first.headers.etag) })).statusCode).toBe(304);
    const again = await ask();
    expect([again.headers.etag, again.body === first.body]).toEqual([first.headers.etag, true]);
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

describe('one truth', () => {
  const categories = [
    'concert',
    'sports',
    'comedy',
    'theater',
    'festival',
    'food',
    'art',
    'community',
    'nightlife',
    'family',
    'outdoor',
  ];
  const query = fc.record(
    {
      category: fc.subarray(categories, { minLength: 1, maxLength: 4 }).map((each) => each.join()),
      free: fc.constantFrom('', 'true', '0'),
      price_max: fc.integer({ min: 0, max: 80 }).map(String),
      status: fc.constantFrom('any', 'scheduled', 'cancelled,postponed'),
      when: fc.constantFrom('tonight', 'tomorrow', 'this_weekend', 'next_7_days'),
      ongoing: fc.constant('true'),
      sort: fc.constantFrom('start', 'trend', 'updated', 'score'),
    },
    { requiredKeys: [] },
  );
  const listed = (text: string): string[] => {
    const ids: string[] = [];
    for (let offset = 0; ; offset += 100) {
      const { data, meta } = JSON.parse(sampleEvents(`${text}&limit=100&offset=${offset}`, snapshot, now) ?? 'null');
      ids.push(...data.map(({ id }: { id: string }) => id));
      if (!meta.hasMore || ids.length >= 2_000) return ids;
    }
  };

  test('all forms of a feed hold the events that /events lists, whatever the query', async () => {
    let version = 0;
    await fc.assert(
      fc.asyncProperty(query, async (parts) => {
        const saved = readSavedQuery(new URLSearchParams(parts as Record<string, string>).toString(), { timezone: 'UTC', now });
        if (!saved.ok) throw new Error(JSON.stringify(saved.errors));
        lookup = { found: 'open', feed: { ...feed, query: saved.query, updatedAt: new Date(++version) } };
        const wanted = listed(saved.query).slice(0, 1_400);
        const json = JSON.parse((await ask('json')).body).data.map(({ id }: { id: string }) => id);
        const features = JSON.parse((await ask('geojson')).body).features.map(({ id }: { id: string }) => id);
        const rows = (await ask('ndjson')).body.split('\n').filter(Boolean);
        const cells = [...(await ask('csv')).body.matchAll(/^([0-9a-f-]{36}),/gm)].map(([, id]) => id);
        const calendar = (await ask('ics')).body.split('BEGIN:VEVENT').slice(1);
        const shown = calendar.filter(
          (each) => saved.query.includes('cancelled') || saved.query.includes('any') || !each.includes('STATUS:CANCELLED'),
        );
        const inCalendar = shown.map((each) => /UID:(\S+)/.exec(each)?.[1]);
        for (const ids of [json, features, rows.map((row) => JSON.parse(row).id), cells, inCalendar]) {
          expect(ids.slice(0, 1_400)).toEqual(wanted);
        }
      }),
      { numRuns: 10 },
    );
    lookup = { found: 'open', feed };
  });

  test('a thousand random saved queries have the same events in the same order in a feed as in GET /events', async () => {
    const large = snapshot;
    let version = 1_000_000;
    let events = 0;
    try {
      for (let seed = 0; seed < 25; seed += 1) {
        const random = createRandom(seed);
        snapshot = buildSnapshot(randomDirectory(random, 60), NOW, PUBLIC_URL);
        const at = { timezone: snapshot.city.timezone, now };
        for (let n = 0; n < 40; n += 1) {
          const sent = new URLSearchParams(randomEventFilters(random)).toString();
          const saved = readSavedQuery(sent, at);
          if (!saved.ok) throw new Error(JSON.stringify(saved.errors));
          lookup = { found: 'open', feed: { ...feed, query: saved.query, updatedAt: new Date(++version) } };
          const wanted = listed(sent);
          expect(
            JSON.parse((await ask('json')).body).data.map(({ id }: { id: string }) => id),
            sent,
          ).toEqual(wanted);
          const form = random.one(['rss', 'atom', 'feed.json', 'geojson', 'csv', 'ndjson', 'jsonld']);
          expect(idsOf(form, (await ask(form)).body), `${form} ${sent}`).toEqual(wanted);
          const calendar = new ICAL.Component(ICAL.parse((await ask('ics')).body)).getAllSubcomponents('vevent');
          const shown = calendar.map((each) => String(each.getFirstPropertyValue('uid')));
          expect(shown.slice(0, wanted.length), sent).toEqual(wanted);
          // Behind them stand those that were canceled lately.
          for (const each of calendar.slice(wanted.length)) expect(each.getFirstPropertyValue('status')).toBe('CANCELLED');
          events += wanted.length;
        }
      }
    } finally {
      snapshot = large;
      lookup = { found: 'open', feed };
    }
    expect(events).toBeGreaterThan(5_000);
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
    loading = async () => null;
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
