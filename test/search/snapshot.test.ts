import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildSnapshot, type EventQuery, type ResultPage, type Snapshot } from '../../src/search/index.ts';
import { createCityTime } from '../../src/values/city-time.ts';
import { NAMED_WINDOWS, namedWindow } from '../../src/values/named-window.ts';
import {
  createRandom,
  eventId,
  NOW,
  PUBLIC_URL,
  type Random,
  type RandomDirectory,
  randomDirectory,
  randomEventQuery,
  randomVenueQuery,
  venueId,
} from './random-directory.ts';
import { createSlowTwin } from './slow-twin.ts';

const HOUR = 3_600_000;
const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const sizes = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: 40, max: 400 }) },
);

type Twin = ReturnType<typeof createSlowTwin>;
/** Runs a check on many made-up directories, several times on each. */
function onRandomDirectories(
  runs: number,
  rounds: number,
  check: (snapshot: Snapshot, twin: Twin, random: Random, directory: RandomDirectory) => void,
  examples: [seed: number, size: number][] = [],
): void {
  fc.assert(
    fc.property(seeds, sizes, (seed, size) => {
      const random = createRandom(seed);
      const directory = randomDirectory(random, size);
      const snapshot = buildSnapshot(directory, NOW, PUBLIC_URL);
      const twin = createSlowTwin(directory, NOW);
      for (let round = 0; round < rounds; round += 1) check(snapshot, twin, random, directory);
    }),
    { numRuns: runs, examples },
  );
}

const eventIds = (snapshot: Snapshot, page: ResultPage): string[] =>
  (JSON.parse(snapshot.writeEvents(page.items, 'compact', '[', ']').toString()) as { id: string }[]).map(({ id }) => id);
const venueIds = (snapshot: Snapshot, page: ResultPage): string[] =>
  (JSON.parse(snapshot.writeVenues(page.items, 'list', NOW, '[', ']').toString()) as { id: string }[]).map(({ id }) => id);

function randomNamedWindow(random: Random, timezone: string): Pick<EventQuery, 'from' | 'to' | 'lastDayEnds' | 'ongoing'> {
  const now = NOW + (random.below(60) - 20) * HOUR;
  const { from, to, lastDayEnds, ongoing } = namedWindow(random.one(NAMED_WINDOWS), now, createCityTime(timezone));
  return { from, to, lastDayEnds, ongoing };
}

test('the first answers to free text are the first of all, however few are asked for', () => {
  let pruned = 0;
  const check = (snapshot: Snapshot, _: Twin, random: Random): void => {
    const { text } = randomEventQuery(random);
    if (text === undefined) return;
    const [offset, limit] = [random.below(3), 1 + random.below(4)];
    const ask = (page: { offset: number; limit: number }) => snapshot.ask({ text, now: NOW, given: {}, ...page });
    const all = ask({ offset: 0, limit: 1_000 });
    if (all.asked.complete > offset + limit) pruned += 1;
    expect(ask({ offset, limit }).items, text).toEqual(all.items.slice(offset, offset + limit));
  };
  // Words of a name, of which one stands at the venue of another event.
  onRandomDirectories(40, 30, check, [[2147467233, 123]]);
  expect(pruned).toBeGreaterThan(20);
});

describe('a snapshot answers like the slow twin', () => {
  test('pages of events: which, how many, in what order, read how, with what counts', () => {
    onRandomDirectories(
      80,
      30,
      (snapshot, twin, random, { city }) => {
        const query = { ...randomEventQuery(random), ...(random.chance(0.2) && randomNamedWindow(random, city.timezone)) };
        const page = snapshot.events(query);
        const answer = {
          total: page.total,
          ids: eventIds(snapshot, page),
          interpretations: page.interpretations,
          facets: page.facets,
        };
        expect(answer, JSON.stringify(query)).toEqual(twin.events(query));
        // The rarity of a word, with and without unlisted events, orders two events of this one differently.
      },
      [[16578152, 234]],
    );
  });

  test('a page of events stays as it is while its range moves on below what it names', () => {
    let moved = 0;
    onRandomDirectories(60, 20, (snapshot, _, random) => {
      const query = randomEventQuery(random);
      const { steady, ...page } = snapshot.events(query);
      if (!steady) throw new Error('no word of how long');
      const ends = query.to < Number.POSITIVE_INFINITY ? steady.to - query.to : 100 * HOUR;
      const least = Math.min(steady.from - query.from, ends, 100 * HOUR);
      for (const shift of [1, Math.floor(least / 2), least - 1]) {
        if (shift <= 0 || shift >= least) continue;
        moved += 1;
        const { steady: _later, ...later } = snapshot.events({ ...query, from: query.from + shift, to: query.to + shift });
        expect(later, JSON.stringify(query)).toEqual(page);
      }
    });
    expect(moved).toBeGreaterThan(100);
  });

  test('pages of venues, while time goes back and forth', () => {
    onRandomDirectories(60, 20, (snapshot, twin, random) => {
      const query = randomVenueQuery(random);
      const now = NOW + (random.below(40) - 10) * HOUR;
      const page = snapshot.venues(query, now);
      const answer = { total: page.total, ids: venueIds(snapshot, page), interpretations: page.interpretations };
      expect(answer, JSON.stringify(query)).toEqual(twin.venues(query, now));
    });
  });

  test('neighborhoods and trends, while time goes back and forth', () => {
    onRandomDirectories(60, 10, (snapshot, twin, random) => {
      const now = NOW + (random.below(40) - 10) * HOUR;
      expect(snapshot.neighborhoods(now).items).toEqual(twin.neighborhoods(now));
      const limit = random.one([1, 3, 50]);
      const type = random.one(['events', 'venues', 'both'] as const);
      const trending = snapshot.trending(type, limit, now);
      const expected = twin.trending(limit, now);
      expect(trending.events).toEqual(type === 'venues' ? [] : expected.events);
      expect(trending.venues).toEqual(type === 'events' ? [] : expected.venues);
      expect(trending.generatedAt).toBe(NOW);
    });
  });

  test('every form of every record', () => {
    onRandomDirectories(40, 1, (snapshot, twin, _, directory) => {
      const events = twin.asSeen.map(({ id }) => {
        const lookup = snapshot.event(id.toUpperCase());
        if (lookup.found === 'merged') return lookup.into;
        if (lookup.found !== 'published') return lookup.found;
        return EVENT_FORMS.map((form) => JSON.parse(snapshot.writeEvents([lookup.item], form, '', '').toString()));
      });
      const seenEvents = twin.asSeen.map(({ id, state }) => {
        if (state === 'merged') return twin.survivor(twin.asSeen, id) ?? 'removed';
        return FOUND[state] === 'published' ? EVENT_FORMS.map((form) => twin.eventJson(id, form)) : FOUND[state];
      });
      expect(events).toEqual(seenEvents);
      const venues = directory.venues.map(({ id }) => {
        const lookup = snapshot.venue(id, NOW);
        if (lookup.found === 'merged') return lookup.into;
        if (lookup.found !== 'published') return lookup.found;
        return VENUE_FORMS.map((form) => JSON.parse(snapshot.writeVenues([lookup.item], form, NOW, '', '').toString()));
      });
      const seenVenues = directory.venues.map(({ id, state }) => {
        if (state === 'merged') return twin.survivor(directory.venues, id) ?? 'removed';
        return FOUND[state] === 'published' ? VENUE_FORMS.map((form) => twin.venueJson(id, form, NOW)) : FOUND[state];
      });
      expect(venues).toEqual(seenVenues);
      expect(snapshot.event('99999999-0000-7000-8000-000000000000').found).toBe('unknown');
      expect(snapshot.venue(eventId(0), NOW).found).toBe('unknown');
    });
  });

  test('the extras of every event', () => {
    onRandomDirectories(20, 1, (snapshot, twin, _, directory) => {
      for (const event of directory.events) {
        const lookup = snapshot.event(event.id);
        if (lookup.found !== 'published') continue;
        const extras = snapshot.extras(lookup.item);
        const { status, performers, tags, sources } = event;
        expect(extras).toMatchObject({ status, performers, tags, sources, timezone: directory.city.timezone, currency: 'USD' });
        // Answers name seconds.
        expect(Date.parse(extras.updatedAt)).toBe(Math.floor(event.updatedAt / 1000) * 1000);
        expect(snapshot.lifecycle(lookup.item)).toEqual({
          status,
          startPrecision: event.precision,
          updatedAt: event.updatedAt,
          revision: event.revision ?? 0,
        });
        expect(extras.score.discoveryScore).toBe(event.discoveryScore);
        expect(extras.score.trendScore).toBe(twin.trendOf(event.id));
        const points = extras.score.trendSignals.map((signal) => signal.points);
        expect(points.reduce((sum, each) => sum + each, 0)).toBeCloseTo(extras.score.trendScore, 1);
      }
    });
  });
});

describe('pages', () => {
  test('one after the other repeat nothing and skip nothing, in every order', () => {
    onRandomDirectories(40, 5, (snapshot, _, random) => {
      const { offset: _offset, limit: _limit, ...query } = randomEventQuery(random);
      const whole = eventIds(snapshot, snapshot.events({ ...query, offset: 0, limit: 1000 }));
      const step = 1 + random.below(7);
      const pieces: string[] = [];
      for (let offset = 0; offset < whole.length; offset += step)
        pieces.push(...eventIds(snapshot, snapshot.events({ ...query, offset, limit: step })));
      expect(pieces).toEqual(whole);
      expect(new Set(whole).size).toBe(whole.length);
    });
  });

  test('of a venue are what /events lists of it from now on', () => {
    onRandomDirectories(30, 5, (snapshot, twin, random) => {
      const id = venueId(random.below(4));
      const now = NOW + (random.below(40) - 10) * HOUR;
      const page = snapshot.venueEvents(id, now, 5, random.below(3));
      const { total } = twin.events({ venueId: id, from: now, to: Number.POSITIVE_INFINITY, limit: 5, offset: 0 });
      expect(page.total).toBe(total);
    });
  });

  test('have equal tags exactly when bytes and total are equal, in any process that has the same rows', () => {
    onRandomDirectories(40, 1, (snapshot, _, random, directory) => {
      const [events, venues] = [directory.events.toReversed(), directory.venues.toReversed()];
      const replica = buildSnapshot({ ...directory, events, venues }, NOW, PUBLIC_URL);
      const bytes = (of: Snapshot, page: ResultPage) => `${page.total} ${of.writeEvents(page.items, 'detail', '[', ']')}`;
      for (let round = 0; round < 20; round += 1) {
        const [one, other] = [randomEventQuery(random), randomEventQuery(random)];
        const [left, right] = [snapshot.events(one), replica.events(other)];
        expect(replica.events(one).tag).toBe(left.tag);
        expect(left.tag === right.tag).toBe(bytes(snapshot, left) === bytes(replica, right));
      }
    });
  });
});

test('an empty directory answers everything with nothing', () => {
  const snapshot = buildSnapshot({ seq: 0, city: null, neighborhoods: [], venues: [], events: [] }, NOW, PUBLIC_URL);
  expect(snapshot.city.timezone).toBe('UTC');
  expect(
    snapshot.events({ from: NOW, to: Number.POSITIVE_INFINITY, limit: 20, offset: 0, text: 'jazz', ongoing: true }),
  ).toMatchObject({ total: 0, items: [] });
  expect(snapshot.venues({ limit: 20, offset: 0 }, NOW)).toMatchObject({ total: 0, items: [] });
  expect(snapshot.neighborhoods(NOW).items).toEqual([]);
  expect(snapshot.trending('both', 10, NOW)).toMatchObject({ events: [], venues: [] });
  expect(snapshot.writeEvents([], 'list', '{"data":[', ']}').toString()).toBe('{"data":[]}');
});

const EVENT_FORMS = ['compact', 'list', 'detail'] as const;
const VENUE_FORMS = ['list', 'detail'] as const;
/** Of what its state makes an id answer. */
const FOUND = { published: 'published', unlisted: 'published', removed: 'removed', hidden: 'removed' } as const;
