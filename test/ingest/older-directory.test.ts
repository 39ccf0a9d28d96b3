/** A directory as version 0.1.0 left it, with listings that waited for their venue: the next run lists them, though nothing was sent anew. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importAddressFile, openAddressFile } from '../../src/addresses/index.ts';
import { listWaitingPlaces, runSource } from '../../src/ingest/index.ts';
import type { OutboundRequest } from '../../src/outbound/index.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';
import { openNewTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { CITY, NOW } from '../support/records/bundle.ts';
import { FEED_MAPPING, listing, READING } from '../support/rigs/sources.ts';

let opened: TestStore;
beforeAll(async () => {
  opened = await openNewTestStore();
});
afterAll(() => opened.dispose());

const RELEASED = 40;
const SOURCE = '019c0000-0000-7000-8000-000000000001';
const LISTINGS = [
  listing('1', { place: 'Gull Hall', address: '12 Marrow St', lat: null, lon: null }),
  listing('2', { place: 'Copper Kettle', lat: null, lon: null, start: '2026-06-21T20:00:00', name: 'Quiz' }),
  listing('3', { place: null, lat: null, lon: null, start: '2026-06-22T20:00:00', name: 'Chess' }),
];

async function leaveOldDirectory(): Promise<void> {
  const { db } = opened.store;
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrate(db, readMigrations().slice(0, RELEASED));
  const { slug, name, timezone, currency, locale, center } = CITY;
  await sql`insert into city (slug, name, timezone, currency, locale, latitude, longitude)
    values (${slug}, ${name}, ${timezone}, ${currency}, ${locale}, ${center.latitude}, ${center.longitude})`.execute(db);
  const before = new Date(NOW - 3_600_000);
  await sql`insert into source (id, name, kind, location, mapping, created_at, last_run_at, last_ok_at, etag)
    values (${SOURCE}, 'web', 'json', 'https://feed.example/events.json', ${JSON.stringify(FEED_MAPPING)}::jsonb, ${before}, ${before},
      ${before}, '"1"')`.execute(db);
  // Of listings whose venue nobody knew, it kept a record without an event. One without a place was rejected, and left none.
  for (const { id, name: title, place, address = null, start } of LISTINGS.slice(0, 2)) {
    const where = { name: place, address, latitude: null, longitude: null };
    const facts = {
      provider: 'web',
      externalId: id,
      title,
      localStart: String(start).slice(0, 16),
      place: where,
      venueKey: null,
    };
    await sql`insert into record (id, source_id, kind, external_id, content_hash, listing, first_seen_at, last_seen_at, own_id, facts,
        night, starts_at)
      values (gen_random_uuid(), ${SOURCE}, 'event', ${id}, 'old', ${JSON.stringify({ title, place: where })}::jsonb, ${before}, ${before},
        gen_random_uuid(), ${JSON.stringify({ seriesId: null, category: 'concert', endsAt: null, precision: 'time', performers: [], url: null, ...facts })}::jsonb,
        ${String(start).slice(0, 10)}::date, ${new Date(`${String(start)}-04:00`)})`.execute(db);
  }
}

/** A site that answers "not modified" to whoever has its answer. */
const run = () =>
  runSource({
    store: opened.store,
    name: 'web',
    now: () => NOW,
    ...READING,
    outbound: {
      fetch: async ({ url, etag }: OutboundRequest) => {
        if (etag === '"1"') return { ok: 'unchanged' } as const;
        const body = Buffer.from(JSON.stringify({ events: LISTINGS }));
        return { ok: true, status: 200, url, body, contentType: 'application/json', etag: '"1"', lastModified: null } as const;
      },
    },
  });

const venues = () =>
  opened.store.db
    .selectFrom('event')
    .innerJoin('venue', 'venue.id', 'event.venue_id')
    .select(['venue.name', 'venue.location_precision as precision', 'event.state'])
    .orderBy('venue.name')
    .execute();

test('listings that waited are listed by the first run after the migration, and get their points once addresses are imported', async () => {
  await leaveOldDirectory();
  const { db } = opened.store;
  expect(await migrate(db)).toEqual(
    readMigrations()
      .slice(RELEASED)
      .map(({ name }) => name),
  );
  const report = await run();
  expect(report.events).toEqual({ created: 2, updated: 0, unchanged: 0 });
  expect(report.waiting).toEqual({ 'Gull Hall': 1, 'Copper Kettle': 1, 'source:web': 1 });
  expect(await venues()).toEqual([
    { name: 'Copper Kettle', precision: 'area', state: 'published' },
    { name: 'Gull Hall', precision: 'area', state: 'published' },
  ]);
  const { places } = await listWaitingPlaces({ store: opened.store, now: NOW });
  expect(places.map(({ name }) => name).sort()).toEqual(['Copper Kettle', 'Gull Hall', 'source:web']);

  const { folder, remove } = temporaryFolder();
  const file = join(folder, 'register.csv');
  writeFileSync(file, `number,street,city,lat,lon\n12,Marrow Street,${CITY.name},40.02,-73.95\n`);
  await importAddressFile(db, await openAddressFile(file), { name: 'register.csv', credit: 'Town', now: NOW });
  remove();
  await run();
  expect(await venues()).toMatchObject([{ precision: 'area' }, { name: 'Gull Hall', precision: 'exact' }]);
});
