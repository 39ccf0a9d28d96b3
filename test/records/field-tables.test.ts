import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_RULES, eventChecks, VENUE_CHECKS, VENUE_RULES } from '../../src/ingest/decisions/correctable-fields.ts';
import {
  EVENT_FIELDS,
  type Event,
  loadStoredEvents,
  loadStoredVenues,
  type NamedRow,
  rowsOf,
  VENUE_FIELDS,
  type Venue,
  writeEvents,
  writeVenues,
} from '../../src/records/index.ts';
import { renderEvent } from '../../src/search/directory/render-event.ts';
import { renderVenue, renderVenueCard } from '../../src/search/directory/render-venue.ts';
import { transact } from '../../src/store/index.ts';
import { createCityTime } from '../../src/values/city-time.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';
import { emptyDirectory, NOW } from '../support/records/bundle.ts';

const CITY_TIME = createCityTime('America/New_York');
const instant = fc.integer({ min: NOW, max: NOW + 1e9 });
const words = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' });
const amount = fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100);

/** A value of each kind, as the records of a test need them. */
const VALUES: Partial<Record<NamedRow['kind'], fc.Arbitrary<unknown>>> = {
  text: words,
  prose: words,
  url: words.map((path) => `https://example.org/${encodeURIComponent(path)}`),
  texts: fc.array(words, { maxLength: 3 }),
  flag: fc.boolean(),
  amount,
  degrees: fc.integer({ min: -80, max: 80 }),
  instant,
  links: fc.array(fc.record({ provider: words, url: fc.webUrl() }), { maxLength: 2 }),
  hours: fc.constant({ timezone: 'UTC', weekly: [], exceptions: [] }),
};

const valueFor = ({ kind, of, nullable }: NamedRow): fc.Arbitrary<unknown> => {
  const known = of ? fc.constantFrom(...of) : (VALUES[kind] ?? fc.constant(null));
  return nullable ? fc.option(known) : known;
};
const factsOf = (table: Parameters<typeof rowsOf>[0]): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    Object.fromEntries(
      rowsOf(table).flatMap((row) => (row.column === undefined || row.kind === 'venue' ? [] : [[row.field, valueFor(row)]])),
    ),
  );

describe('the tables of fields', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore();
  });
  beforeEach(() => emptyDirectory(test.store));
  afterAll(() => test.dispose());

  it.each([
    ['event', EVENT_FIELDS],
    ['venue', VENUE_FIELDS],
  ] as const)('name the columns of %s that are facts', async (name, table) => {
    const { rows } = await sql<{ column: string }>`
      select column_name as column from information_schema.columns where table_name = ${name}`.execute(test.store.db);
    const facts = rowsOf(table).flatMap(({ column }) => column ?? []);
    expect(
      rows
        .map(({ column }) => column)
        .filter((column) => !NO_FACTS.has(column))
        .sort(),
    ).toEqual(facts.sort());
  });

  it('give back every fact as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(factsOf(EVENT_FIELDS), factsOf(VENUE_FIELDS), async (eventFacts, venueFacts) => {
        await emptyDirectory(test.store);
        const place = { ...venueFacts, neighborhood: null };
        const venue = { ...place, id: randomUUIDv7() } as unknown as Venue;
        const facts = { ...eventFacts, endsAt: null, isFree: false, priceMax: null };
        const event = { ...facts, id: randomUUIDv7(), venueId: venue.id } as unknown as Event;
        await transact(test.store.db, async (trx) => {
          await writeVenues(trx, [venue], NOW);
          await writeEvents(trx, [{ ...event, discoveryScore: 50, showing: 1, context: [], appeal: 1 }], {
            now: NOW,
            day: '2026-06-01',
          });
        });
        const stored = (await loadStoredEvents(test.store.db, [event.id])).get(event.id);
        const storedVenue = (await loadStoredVenues(test.store.db, [venue.id])).get(venue.id);
        expect(stored?.fields).toEqual({ ...facts, venueId: venue.id });
        expect(storedVenue?.fields).toEqual(place);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a record as it is printed', () => {
  const named = (table: Parameters<typeof rowsOf>[0], ...forms: string[]) =>
    rowsOf(table).flatMap(({ form, shownAs }) => (shownAs !== null && forms.includes(form) ? [shownAs] : []));
  const venue = { id: randomUUIDv7(), slug: 'cellar', name: 'Cellar' } as Venue;
  const row = {
    ...{ id: randomUUIDv7(), slug: 'jazz', startsAt: NOW, endsAt: null, imageUrl: null, signals: [], scores: [], title: 'Jazz' },
    ...Object.fromEntries(rowsOf(EVENT_FIELDS).flatMap(({ field, kind }) => (kind === 'texts' ? [[field, []]] : []))),
  };
  const fill = (table: Parameters<typeof rowsOf>[0], own: object) => ({
    ...Object.fromEntries(rowsOf(table).flatMap(({ field, column }) => (column === undefined ? [] : [[field, null]]))),
    ...own,
  });

  it('has in each form exactly the members of the table', () => {
    const printed = renderEvent(
      { ...fill(EVENT_FIELDS, row), discoveryScore: 1, scoredAt: NOW, updatedAt: NOW } as never,
      renderVenueCard(fill(VENUE_FIELDS, venue) as unknown as Venue),
      CITY_TIME,
      'https://example.org',
    );
    const compact = JSON.parse(`${printed.compact}}`) as object;
    const list = JSON.parse(`${printed.compact}${printed.list}}}`) as { venue: object };
    const detail = JSON.parse(`${printed.compact}${printed.list}${printed.detail}}`) as { venue: object };
    expect(Object.keys(compact).sort()).toEqual(named(EVENT_FIELDS, 'compact').sort());
    expect(Object.keys(list).sort()).toEqual(named(EVENT_FIELDS, 'compact', 'list').sort());
    expect(Object.keys(detail).sort()).toEqual(named(EVENT_FIELDS, 'compact', 'list', 'detail').sort());
    const ofEvent = (...forms: string[]) =>
      rowsOf(VENUE_FIELDS).flatMap((each) => (forms.includes(each.ofEvent ?? '') ? [each.field] : []));
    expect(Object.keys(list.venue).sort()).toEqual(ofEvent('list').sort());
    expect(Object.keys(detail.venue).sort()).toEqual(ofEvent('list', 'detail').sort());
  });

  it('of a venue has exactly the members of the table', () => {
    const { base, metadata } = renderVenue(fill(VENUE_FIELDS, venue) as unknown as Venue, 'https://example.org');
    const printed = JSON.parse(`${base}${metadata}}`) as { metadata: object };
    const { metadata: inside, ...listed } = printed;
    expect([...Object.keys(listed), 'upcomingEventCount'].sort()).toEqual(named(VENUE_FIELDS, 'list').sort());
    expect(Object.keys(inside).sort()).toEqual(named(VENUE_FIELDS, 'metadata').sort());
  });
});

describe('corrections', () => {
  it('have a check for each field that may be corrected', () => {
    expect(Object.keys(eventChecks(CITY_TIME)).sort()).toEqual(Object.keys(EVENT_RULES).sort());
    expect(Object.keys(VENUE_CHECKS).sort()).toEqual(Object.keys(VENUE_RULES).sort());
  });

  it('name the fields as people know them', () => {
    expect(Object.keys(EVENT_RULES)).toEqual(
      expect.arrayContaining(['title', 'start', 'end', 'image', 'price', 'venue', 'links']),
    );
    expect(Object.keys(EVENT_RULES)).not.toContain('sources');
    expect(EVENT_RULES.price.read({ ...({} as Event), isFree: true, priceMin: 0, priceMax: 0 })).toEqual({
      isFree: true,
      priceMin: 0,
      priceMax: 0,
    });
    expect(VENUE_RULES.coordinates.put({ latitude: 1, longitude: 2 })).toEqual({ latitude: 1, longitude: 2 });
  });
});

/** Ids, slugs, states, scores and times of the records, and words for finding them. */
const NO_FACTS: ReadonlySet<string> = new Set([
  'id',
  'slug',
  'state',
  'merged_into',
  'created_at',
  'updated_at',
  'words',
  'run',
  'showing',
  'score_context',
  'scored_at',
  'scored_day',
  'discovery_score',
  'appeal',
  'previous_starts_at',
  'unconfirmed_since',
  'revision',
]);
