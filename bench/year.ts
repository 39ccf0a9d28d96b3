/**
 * A made year of a city that ends today, day by day on a moved clock: `node bench/year.ts --days 365 --events 500`. With `--keep` nothing is cleaned up,
 * and with `--into FOLDER` the data folder stays. Each day new events are listed, scores follow the calendar and keys are used. Prints what the tables take.
 */

import { randomUUIDv7 } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { cleanUpUsage, createAccounts, recordAudit } from '../src/accounts/index.ts';
import { importBundle, rescore } from '../src/ingest/index.ts';
import { createLog } from '../src/log.ts';
import { CATEGORIES } from '../src/records/index.ts';
import { cleanUp, readSizes } from '../src/retention/index.ts';
import { openStore } from '../src/store/index.ts';
import { CITY, createRandom, word } from './city.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '365' },
    events: { type: 'string', default: '500' },
    keep: { type: 'boolean', default: false },
    into: { type: 'string' },
  },
});
const [days, listed] = [Number(values.days), Number(values.events)];
const DAY_MS = 86_400_000;
const AHEAD_DAYS = 60;
const KEYS = 20;
const dataDir = values.into ?? mkdtempSync(join(tmpdir(), 'marquee-year-'));
const store = await openStore({ dataDir });
const { db } = store;
const log = createLog('error');
const random = createRandom(1);
const first = Math.floor(Date.now() / DAY_MS) * DAY_MS - (days - 0.5) * DAY_MS;
const venues = Array.from({ length: 20 }, (_, index) => ({
  ...{ externalId: `venue-${index}`, name: `Hall ${index}`, type: 'club', address: `${index} Main Street` },
  latitude: 40.01 + index / 1_000,
  longitude: -89.99,
  isVerified: true,
}));
const accounts = createAccounts({ db, now: () => first });
await accounts.createAccount({ email: 'year@marquee.example', tier: 'growth' });
for (let key = 0; key < KEYS; key += 1) await accounts.createKey({ email: 'year@marquee.example', name: `key ${key}` });

let events = Array.from({ length: listed }, (_, index) => eventOf(index, first + random() * AHEAD_DAYS * DAY_MS, first));
let made = listed;
for (let day = 0; day < days; day += 1) {
  const now = first + day * DAY_MS;
  events = events.filter(({ startsAt }) => startsAt > now - DAY_MS);
  while (events.length < listed) events.push(eventOf(made++, now + (0.5 + random() / 2) * AHEAD_DAYS * DAY_MS, now));
  // A third is watched, and has new figures every day.
  const lines = events.map(({ startsAt: _, ...event }, index) =>
    index % 3 === 0
      ? {
          ...event,
          signals: [
            { kind: 'page_views', value: Math.floor(random() * 900), observedAt: new Date(now - 3_600_000).toISOString() },
          ],
        }
      : event,
  );
  await importBundle({ store, bundle: { city: CITY, venues, events: lines }, now: () => now });
  await rescore({ store, now: () => now + DAY_MS / 2 });
  await use(now);
  const moments = { directory: now, limits: now, machine: now };
  if (!values.keep) await cleanUp({ db, dataDir, moments, log, pauseMs: 0 });
  if (day % 30 === 29) {
    await sql`vacuum analyze`.execute(db);
    console.log(`day ${day + 1}: ${await megabytes()} MB, ${made} events so far`);
  }
}
await sql`vacuum analyze`.execute(db);
console.log(
  `${days} days, ${listed} events listed at a time, ${values.keep ? 'nothing cleaned up' : 'cleaned up every day'}: ${await megabytes()} MB`,
);
for (const { name, bytes, rows, oldest } of (await readSizes(db)).slice(0, 10)) {
  console.log(`${name.padEnd(16)} ${(bytes / 2 ** 20).toFixed(1).padStart(7)} MB  ~${rows} rows  ${oldest ?? ''}`);
}
await store.close();
if (!values.into) rmSync(dataDir, { recursive: true, force: true });

function eventOf(index: number, startsAt: number, now: number) {
  return {
    startsAt,
    externalId: `event-${index}`,
    title: `${word(random)} ${word(random)} ${index}`,
    category: CATEGORIES[index % CATEGORIES.length],
    startDatetime: new Date(Math.max(startsAt, now)).toISOString(),
    description: Array.from({ length: 30 }, () => word(random)).join(' '),
    isFree: false,
    venue: `venue-${index % venues.length}`,
    performers: [],
    tags: [],
    sources: ['North Feed'],
  };
}

/** Every key every hour of a day, at three endpoints; and twenty acts of people. */
async function use(now: number): Promise<void> {
  await sql`insert into usage_day select id, ${new Date(now)}::date, 900 from subscription on conflict do nothing`.execute(db);
  await sql`insert into usage_hour select id, date_trunc('hour', ${new Date(now)}::timestamptz) - hour * interval '1 hour', '/api/v1/' || part, 200, 12
    from api_key, generate_series(0, 23) as hour, generate_series(1, 3) as part on conflict do nothing`.execute(db);
  await cleanUpUsage({ db, now: () => now });
  const entry = { actor: { id: null, name: 'year' }, action: 'key.create', subject: 'key', subjectId: randomUUIDv7() };
  for (let act = 0; act < 20; act += 1) await recordAudit(db, entry, { now: () => now });
}

async function megabytes(): Promise<string> {
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(db);
  return (Number(rows[0]?.bytes ?? 0) / 2 ** 20).toFixed(0);
}
