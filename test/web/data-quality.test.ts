/** The page that says how complete the directory is, against what the API lists. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEMO_CITY } from '../../src/demo/demo-bundle.ts';
import { EVENT_FACTS, loadCoverage, recordChanges, VENUE_FACTS } from '../../src/records/index.ts';
import { createCityTime } from '../../src/values/city-time.ts';
import { type Site, sharedSite } from '../support/rigs/site.ts';
import { until } from '../support/runs/patience.ts';

let site: Site;
let key = '';
beforeAll(async () => {
  site = await sharedSite();
  key = JSON.parse(readFileSync(join(site.dataDir, 'demo-keys.json'), 'utf8')).enterprise;
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Row = Record<string, any>;

async function askApi<Data>(path: string): Promise<Data> {
  const answer = await fetch(`${site.url}/api/v1${path}`, { headers: { 'X-API-Key': key } });
  return ((await answer.json()) as { data: Data }).data;
}

/** Every record of a list, page by page, as the slow twin of a count. */
async function listAll(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: string | undefined = `${site.url}/api/v1${path}`; next; ) {
    const answer: Response = await fetch(next, { headers: { 'X-API-Key': key } });
    expect(answer.status).toBe(200);
    rows.push(...((await answer.json()) as { data: Row[] }).data);
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return rows;
}

/** An event whose hour is unknown is listed until its day is over. Ends when it is served, and so all that other files changed before. */
async function keepToDay(now: number): Promise<void> {
  const city = createCityTime(DEMO_CITY.timezone);
  const { first } = city.dayBounds(city.day(now));
  const times = { starts_at: new Date(first), ends_at: null, precision: 'date' };
  const [{ id }] = await askApi<[Row]>('/events?limit=1');
  await site.store.db.transaction().execute(async (trx) => {
    await trx.updateTable('event').set(times).where('id', '=', id).execute();
    await recordChanges(trx, [{ kind: 'updated', entity: 'event', entityId: id }], now);
  });
  const served = () => askApi<Row>(`/events/${id}?include=startPrecision`);
  // Another file may have taken its hour away before.
  const kept = { startPrecision: 'date', startDatetime: city.format(first), endDatetime: null };
  await until(async () => expect(await served()).toMatchObject(kept));
}

/** Versions of ICU differ in which space groups digits. */
const oneSpace = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

describe('what is known of the directory', () => {
  test('is counted as the API lists it', async () => {
    const now = site.now();
    await keepToDay(now);
    const from = new Date(now).toISOString();
    const include = 'startPrecision,sources,performers';
    const events = await listAll(`/events?start_date=${from}&end_date=2099-01-01&limit=100&include=${include}`);
    const { events: counted, venues } = await loadCoverage(site.store.db, now);
    const count = (rows: Row[], holds: (row: Row) => unknown) => rows.filter((row) => Boolean(holds(row))).length;
    expect(counted).toMatchObject({
      total: events.length,
      several: count(events, ({ sources }) => sources.length > 1),
      listings: events.reduce((sum, { sources }) => sum + sources.length, 0),
    });
    expect(counted.known).toMatchObject({
      hour: count(events, ({ startPrecision }) => startPrecision === 'time'),
      price: count(events, ({ priceMin }) => priceMin !== null),
      description: count(events, ({ description }) => description !== null),
      picture: count(events, ({ imageUrl }) => imageUrl !== null),
      end: count(events, ({ endDatetime }) => endDatetime !== null),
      performers: count(events, ({ performers }) => performers.length > 0),
    });
    expect(Object.keys(counted.known).sort()).toEqual([...EVENT_FACTS].sort());
    const listed = await listAll('/venues?limit=100&include=locationPrecision');
    expect(venues.total).toBe(listed.length);
    expect(venues.known).toMatchObject({
      address: count(listed, ({ address }) => address !== null),
      neighborhood: count(listed, ({ neighborhood }) => neighborhood !== null),
      point: count(listed, ({ locationPrecision }) => locationPrecision === 'exact'),
      capacity: count(listed, ({ capacityTier }) => capacityTier !== null),
    });
    expect(Object.keys(venues.known).sort()).toEqual([...VENUE_FACTS].sort());
    expect(counted.total).toBeGreaterThan(0);
    expect(venues.total).toBeGreaterThan(0);
  });

  test('is told in every language, with numbers and sources', async () => {
    const now = site.now();
    const [least, most] = await Promise.all([
      loadCoverage(site.store.db, now + A_MINUTE_MS),
      loadCoverage(site.store.db, now - HELD_MS),
    ]);
    // The page may have been counted for another file of this process; since then events began, and files changed some.
    const from = least.events.total - CHANGED_BY_TESTS;
    const totals = Array.from({ length: most.events.total + CHANGED_BY_TESTS - from + 1 }, (_, more) => from + more);
    for (const [language, title] of [
      ['en', 'Data quality'],
      ['de', 'Datenqualität'],
      ['fr', 'Qualité des données'],
      ['es', 'Calidad de los datos'],
    ] as const) {
      const answer = await site.ask(`/data-quality?lang=${language}`);
      const text = await answer.text();
      expect(answer.status).toBe(200);
      expect(text).toContain(`<title>${title} · `);
      const told = totals.filter((total) => oneSpace(text).includes(`>${oneSpace(total.toLocaleString(language))}</dd>`));
      expect(told).not.toEqual([]);
      expect(text.match(/class="quality-bar"/g)).toHaveLength(EVENT_FACTS.length + VENUE_FACTS.length);
      expect(text).not.toMatch(/<script|modulepreload/);
    }
  });
});

const A_MINUTE_MS = 60_000;
/** Events that other tests hide, join or add, at most. */
const CHANGED_BY_TESTS = 20;
/** As long as the page keeps what it counted. */
const HELD_MS = 300_000;
