import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { readScoreFacts, readTrend } from '../../src/ingest/index.ts';
import { decodeContext, discoveryScore, type ScoreFacts, trendScores } from '../../src/ranking/index.ts';
import { SIGNAL_KINDS, type Signal } from '../../src/records/index.ts';
import { spareSignals } from '../../src/retention/thin-history.ts';
import type { Database } from '../../src/store/index.ts';
import { write } from '../search/directory-writer.ts';
import { createRandom, NOW, randomDirectory } from '../search/random-directory.ts';
import { openTestStore } from '../support/database/store.ts';
import { cleanUpAt, DAY } from '../support/runs/clean-up.ts';

const facts: Omit<ScoreFacts, 'signals'> = {
  hasDescription: true,
  hasImage: false,
  hasEnd: true,
  hasPrice: false,
  performers: 1,
  category: 'concert',
  isFree: false,
  isSoldOut: false,
  context: decodeContext(1, null),
  startsAt: NOW + 3 * DAY,
  latestStart: NOW + 3 * DAY,
};
const signal = fc.record({
  kind: fc.constantFrom(...SIGNAL_KINDS),
  value: fc.oneof(fc.nat(30), fc.nat(5000), fc.constantFrom(1e9, 1e10, 1e11, 1e12)),
  // Many of one day, some long ago, some that are yet to come.
  observedAt: fc
    .tuple(fc.oneof(fc.integer({ min: -2, max: 14 }), fc.integer({ min: 0, max: 120 })), fc.integer({ min: 0, max: 47 }))
    .map(([days, halfHours]) => NOW - days * DAY + halfHours * 1_800_000),
});

it('scores and trends are the same with what is kept of the observations, now and later', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(signal, { maxLength: 60, selector: ({ kind, observedAt }) => `${kind} ${observedAt}` }),
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 0, max: 50 }),
      (signals: Signal[], scoredDays, laterDays) => {
        const scoredAt = NOW - scoredDays * DAY;
        const readings = signals.map(({ kind, observedAt, value }) => ({ kind, at: observedAt, value }));
        const spare = new Set(
          spareSignals(readings, { now: NOW, scoredAt, overAt: facts.startsAt }).map(({ kind, at }) => `${kind} ${at}`),
        );
        const kept = signals.filter(({ kind, observedAt }) => !spare.has(`${kind} ${observedAt}`));
        for (const moment of [scoredAt, NOW, NOW + laterDays * DAY]) {
          expect(discoveryScore({ ...facts, signals: kept }, moment)).toEqual(discoveryScore({ ...facts, signals }, moment));
        }
        for (const moment of [NOW, NOW + laterDays * DAY]) {
          const event = { id: 'a', category: 'concert', venueId: 'v', run: 'a', discoveryScore: 80, scores: [] } as const;
          expect(trendScores([{ ...event, signals: kept }], moment)).toEqual(trendScores([{ ...event, signals }], moment));
        }
      },
    ),
    { numRuns: 400 },
  );
});

it('keeps few of many observations', () => {
  const readings = Array.from({ length: 24 * 200 }, (_, hour) => ({
    kind: 'page_views',
    at: NOW - hour * 3_600_000,
    value: (hour * 7919) % 997,
  }));
  const kept = readings.length - spareSignals(readings, { now: NOW, scoredAt: NOW, overAt: NOW + DAY }).length;
  expect(kept).toBeLessThan(24 * 11 + 3 * 31);
  expect(readings.length - spareSignals(readings, { now: NOW, scoredAt: NOW, overAt: NOW - 61 * DAY }).length).toBeLessThan(
    24 * 11 + 2,
  );
  expect(spareSignals(readings, { now: NOW, scoredAt: NOW, overAt: NOW - 401 * DAY })).toHaveLength(readings.length);
});

it('scores and trends of a whole directory are the same before and after, on every later day', async () => {
  const { store, dispose } = await openTestStore();
  onTestFinished(dispose);
  const random = createRandom(7);
  const made = randomDirectory(random, 24);
  const published = { state: 'published', mergedInto: null } as const;
  await write(
    store,
    {
      ...made,
      venues: made.venues.map((venue) => ({ ...venue, ...published })),
      events: made.events.map((event) => ({
        ...event,
        ...published,
        priceMin: event.isFree ? 0 : null,
        priceMax: event.isFree ? 0 : null,
        startsAt: NOW + random.below(90) * DAY,
        endsAt: null,
        status: 'scheduled' as const,
        scoredAt: NOW,
        signals: Array.from({ length: random.below(80) }, (_, number) => ({
          kind: random.one(SIGNAL_KINDS),
          value: random.below(3000),
          observedAt: NOW - random.below(120 * 24) * 3_600_000 - number,
        })),
        scores: [...new Set(Array.from({ length: random.below(9) }, () => random.below(110)))]
          .sort((a, b) => b - a)
          .map((days) => ({ day: new Date(NOW - days * DAY).toISOString().slice(0, 10), score: random.one([3, 3, 7, 14]) })),
      })),
    },
    NOW,
  );
  await sql`update score_history set appeal = null where day < ${new Date(NOW - 100 * DAY)}`.execute(store.db);
  const before = await Promise.all(MOMENTS.map((moment) => judgements(store.db, moment)));
  const rows = await countHistory(store.db);
  const deleted = await cleanUpAt(store, NOW, { rows: 25 });
  expect(deleted.signal).toBeGreaterThan(40);
  expect(deleted.score_history).toBeGreaterThan(10);
  expect(await countHistory(store.db)).toBe(rows - (deleted.signal ?? 0) - (deleted.score_history ?? 0));
  expect(await Promise.all(MOMENTS.map((moment) => judgements(store.db, moment)))).toEqual(before);
  // Once a day is enough, and another time finds nothing more.
  expect(await cleanUpAt(store, NOW + 1000)).toEqual({});
  await cleanUpAt(store, NOW + DAY);
  expect(await judgements(store.db, NOW + 9 * DAY)).toEqual(before.at(-1));
});

const MOMENTS = [NOW, NOW + 9 * DAY];

/** What `explain event` tells of each event, and what a scoring at that moment would give. */
async function judgements(db: Kysely<Database>, moment: number): Promise<unknown[]> {
  const events = await db.selectFrom('event').select(['id', 'scored_at']).orderBy('id').execute();
  const facts = await readScoreFacts(db, events.map(({ id }) => id)); // biome-ignore format: one line
  const told: unknown[] = [];
  for (const { id, scored_at } of events) {
    const event = facts.get(id)!;
    told.push([id, await readTrend(db, id, moment), discoveryScore(event, scored_at.getTime()), discoveryScore(event, moment)]);
  }
  return told;
}

async function countHistory(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select ((select count(*) from signal) + (select count(*) from score_history))::int as rows`.execute(db);
  return rows[0]?.rows ?? 0;
}
