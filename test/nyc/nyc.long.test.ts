// One engine is enough: every step of a run is tested on both.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSource, importBundle, runSource } from '../../src/ingest/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { READING } from '../support/rigs/sources.ts';
import { GEOJSON_FILES, NYC, writeNycBundle } from './load.ts';

const now = () => Temporal.Instant.from(NYC.now).epochMilliseconds;

describe.skipIf(NYC.missing)('New York', () => {
  let test: TestStore;
  let temporary: ReturnType<typeof temporaryFolder>;
  const run = (name: string) => runSource({ store: test.store, name, now, ...READING });
  const add = async (name: string, { kind, file, mapping }: { kind: string; file: string; mapping: string }) =>
    expect(
      await addSource({ store: test.store, name, kind, location: file, mapping: JSON.parse(readFileSync(mapping, 'utf8')), now }),
    ).toMatchObject({ ok: true });

  beforeAll(async () => {
    test = await openTestStore();
    temporary = temporaryFolder();
    writeNycBundle(temporary.folder);
    await importBundle({ store: test.store, folder: temporary.folder, now });
  });
  afterAll(async () => {
    temporary.remove();
    await test.dispose();
  });

  it('has 239 neighborhoods, and the same bundle again changes nothing', async () => {
    const report = await importBundle({ store: test.store, folder: temporary.folder, now });
    expect(report).toMatchObject({ neighborhoods: { created: 0, updated: 0, unchanged: 239 }, rejectedCount: 0 });
  });

  it.each(GEOJSON_FILES)('reads the published polygons of %s without a reject', async (file) => {
    const neighborhoods = JSON.parse(readFileSync(file, 'utf8'));
    const report = await importBundle({ store: test.store, bundle: { neighborhoods }, now, dryRun: true });
    expect(report.rejected).toEqual([]);
    expect(report.neighborhoods.created + report.neighborhoods.updated).toBe(neighborhoods.features.length);
  });

  it('takes cultural and open-air places from the points of interest, once', async () => {
    await add('places', NYC.venues);
    expect(await run('places')).toMatchObject({
      venues: { created: 2277, updated: 0, unchanged: 0 },
      dropped: 18_291,
      rejectedCount: 0,
    });
    expect(await run('places')).toMatchObject({ venues: { created: 0, updated: 0, unchanged: 2277 } });
  });

  /** Counted in the published file by `normalizing.test.ts`: 29 without a start, and 114 that are no events. */
  it('takes 3 404 of 3 547 listings and says of the others why not, once', async () => {
    await add('dashboard', NYC.events);
    const report = await run('dashboard');
    expect(report.events).toEqual({ created: 3404, updated: 0, unchanged: 0 });
    expect(report.rejectedCount).toBe(143);
    expect(report.rejected.filter(({ reason }) => reason === 'wanted a date-time (iso), got "nullT19:30:00"')).toHaveLength(29);
    const again = await run('dashboard');
    expect(again.events).toEqual({ created: 0, updated: 0, unchanged: 3404 });
    expect(again.venues).toEqual({ created: 0, updated: 0, unchanged: report.venues.created });
  });

  it('reads floating times as New York’s and finds what is cancelled or sold out only by its title', async () => {
    const { db } = test.store;
    const record = await db
      .selectFrom('record')
      .innerJoin('event', 'event.id', 'record.event_id')
      .select(['title', 'event.starts_at', 'ends_at', 'sources'])
      .where('external_id', '=', 'nyc-parks:2171241')
      .executeTakeFirstOrThrow();
    expect(record.starts_at.toISOString()).toBe('2026-06-16T11:30:00.000Z');
    expect(record.ends_at!.toISOString()).toBe('2026-06-16T12:30:00.000Z');
    expect(record.sources).toEqual(['nyc-parks']);
    const statuses = await db
      .selectFrom('event')
      .select(['status', (e) => e.fn.countAll<string>().as('count')])
      .where('status', '<>', 'scheduled')
      .groupBy('status')
      .execute();
    expect(new Map(statuses.map(({ status, count }) => [status, Number(count)]))).toEqual(
      new Map([
        ['cancelled', 13],
        ['rescheduled', 3],
        ['sold_out', 1],
      ]),
    );
    const marked = await db.selectFrom('event').select('title').where('title', 'like', '%CANCEL%').execute();
    expect(marked).toEqual([]);
  });

  /** Where a provider has but the middle of a postal code, thirty theatres at one point, its neighborhood is that of the code. */
  it('agrees with the providers where they name one of the 239 neighborhoods and know the door', async () => {
    const { db } = test.store;
    const placed = await db
      .selectFrom('record')
      .innerJoin('event', 'event.id', 'record.event_id')
      .innerJoin('venue', 'venue.id', 'event.venue_id')
      .innerJoin('neighborhood', 'neighborhood.slug', 'venue.neighborhood')
      .select(['external_id', 'neighborhood.name'])
      .execute();
    const byId = new Map(placed.map(({ external_id, name }) => [external_id, name]));
    const { events } = JSON.parse(readFileSync(NYC.events.file, 'utf8')) as {
      events: { id: string; venue: string; neighborhood?: string; lat?: number; lon?: number }[];
    };
    const venuesAt = Map.groupBy(events, ({ lat, lon }) => `${lat},${lon}`);
    const isDoor = ({ lat, lon }: (typeof events)[number]) =>
      lat !== undefined && new Set(venuesAt.get(`${lat},${lon}`)?.map(({ venue }) => venue)).size < 10;
    const names = new Set(byId.values());
    const named = events.filter((event) => names.has(event.neighborhood ?? '') && isDoor(event) && byId.has(event.id));
    expect(named.length).toBeGreaterThan(1800);
    const same = named.filter(({ id, neighborhood }) => byId.get(id) === neighborhood);
    expect(same.length / named.length).toBeGreaterThan(0.97);
  });
});
