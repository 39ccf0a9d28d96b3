import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocator } from '../../src/facts/index.ts';
import { addSource, importBundle, runSource } from '../../src/ingest/index.ts';
import type { EventListing } from '../../src/providers/index.ts';
import { listHead } from '../../src/store/index.ts';
import { openTestStore, temporaryFolder } from '../support/database/store.ts';
import { ALWAYS, eventsIn, fates, readPage } from '../support/fakes/provider.ts';
import { READING } from '../support/rigs/sources.ts';
import { CITIES, missing, type SecondCity, writeCityBundle } from './load.ts';

const [chicago, austin] = CITIES as [SecondCity, SecondCity];
const readEvents = async ({ events: { kind, file, mapping }, city }: SecondCity) =>
  readPage(kind, readFileSync(file), {
    ...ALWAYS,
    location: `file://${file}`,
    mapping: JSON.parse(readFileSync(mapping, 'utf8')),
    zone: city.timezone,
  });

describe('a second city', () => {
  it('is configured by files alone', () => {
    const here = new URL('./', import.meta.url).pathname;
    expect(readdirSync(here).sort()).toEqual(['cities.test.ts', 'load.ts', 'townsounds.mapping.json']);
    const { mapping } = chicago.events;
    expect(JSON.parse(readFileSync(mapping, 'utf8'))).not.toHaveProperty('zone');
    expect(austin.events.mapping).toBe(mapping);
  });

  it.skipIf(missing)('lists every concert at its local time', async () => {
    for (const each of CITIES) {
      const page = await readEvents(each);
      const events = eventsIn(page);
      expect(new Set(fates(page))).toEqual(new Set(['listed']));
      expect(events.filter(({ title, venue }) => title === null || venue.name === null)).toEqual([]);
      expect(events.filter(({ start }) => !/^2021-0[78]-\d\dT\d\d:\d\d:00$/.test(start ?? ''))).toEqual([]);
      expect(events.flatMap(({ categoryWords }) => categoryWords)).not.toContain('No genre available');
    }
  });

  it.skipIf(missing)('says of each concert where it is, but for seven that their provider has nowhere', async () => {
    const counts = CITIES.map(async (each) => {
      const events = eventsIn(await readEvents(each));
      return [events.length, events.filter(({ venue }) => venue.latitude === null).length];
    });
    expect(await Promise.all(counts)).toEqual([
      [292, 0],
      [269, 7],
    ]);
  });

  it.skipIf(missing)('has its neighborhoods in its bundle, and the concerts of the city itself lie in them', async () => {
    const { folder, remove } = temporaryFolder();
    writeCityBundle(chicago, folder);
    writeCityBundle(austin, join(folder, 'austin'));
    expect(readdirSync(join(folder, 'austin'))).toEqual(['city.json']);
    const { features } = JSON.parse(readFileSync(join(folder, 'neighborhoods.geojson'), 'utf8'));
    remove();
    const named = features.map(({ properties, geometry }: { properties: { name: string }; geometry: object }) => ({
      slug: properties.name,
      geometry,
    }));
    const locate = createLocator(named);
    const isInside = ({ venue }: EventListing) => locate(venue.latitude ?? 0, venue.longitude ?? 0) !== null;
    const events = eventsIn(await readEvents(chicago));
    // The list is of the region: 166 are in its suburbs, or misplaced by their provider.
    expect(events.filter(isInside)).toHaveLength(126);
  });

  it.skipIf(missing).for([
    // Those that wait have no point, or one that stands for an area. What is over 60 km from Austin is outside it.
    [chicago, { events: 227, refused: 63, waiting: 6, placed: 114 }],
    [austin, { events: 231, refused: 35, waiting: 10, placed: 0 }],
  ] as const)('becomes a directory by one run, and the same answer again changes nothing', async ([each, expected]) => {
    const test = await openTestStore();
    const { folder, remove } = temporaryFolder();
    const { store } = test;
    const now = () => Temporal.Instant.from(each.now).epochMilliseconds;
    writeCityBundle(each, folder);
    await importBundle({ store, folder, now });
    const { kind, file, mapping } = each.events;
    await addSource({ store, kind, location: file, mapping: JSON.parse(readFileSync(mapping, 'utf8')), name: 'concerts', now });
    const { rejectedCount, waiting } = await runSource({ store, name: 'concerts', now, ...READING });
    const head = await listHead(store.db, 'change');
    await runSource({ store, name: 'concerts', now, ...READING });
    expect(await listHead(store.db, 'change')).toBe(head);
    const events = await store.db
      .selectFrom('event')
      .innerJoin('venue', 'venue.id', 'venue_id')
      .select('neighborhood')
      .where('event.state', '=', 'published')
      .execute();
    await test.dispose();
    remove();
    expect({
      events: events.length,
      refused: rejectedCount,
      waiting: Object.values(waiting).reduce((sum, count) => sum + count, 0),
      placed: events.filter(({ neighborhood }) => neighborhood !== null).length,
    }).toEqual(expected);
  });
});
