import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { correct, findEvents, findVenues, hide, importBundle } from '../../src/ingest/index.ts';
import { mayStart } from '../../src/records/index.ts';
import type { Database } from '../../src/store/index.ts';
import { createCityTime } from '../../src/values/city-time.ts';
import { DAY_MS, HOUR_MS } from '../../src/values/duration.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';
import { eventLine, NOW, now, smallBundle, venueLine } from '../support/records/bundle.ts';

/** Where midnight comes twice, or not at all, or clocks change at another hour. */
const ZONES = [
  ['America/Havana', '2024-11-03'],
  ['Atlantic/Azores', '2024-10-27'],
  ['America/Santiago', '2024-09-08'],
  ['Australia/Lord_Howe', '2024-04-07'],
  ['America/Chicago', '2024-11-03'],
] as const;
let opened: TestStore;
const db = () => opened.store.db;
const titles = async (options: Parameters<typeof findEvents>[1]) =>
  (await findEvents(db(), options)).items.map(({ title }) => title);

beforeAll(async () => {
  opened = await openTestStore();
  const { store } = opened;
  const bundle = smallBundle();
  const numbered = Array.from({ length: 7 }, (_, index) =>
    eventLine(`chess ${index}`, { title: `Chess ${index}`, startDatetime: `2026-07-0${index + 1}T10:00`, sources: ['club'] }),
  );
  const odd = [
    eventLine('cafe', { title: 'Café Été', startDatetime: '2026-05-01T10:00' }),
    eventLine('quoted', { title: `Rock 'n' & | ! :* <Roll>`, startDatetime: '2026-05-02T10:00' }),
    eventLine('acdc', { title: 'AC/DC 24/7', startDatetime: '2026-05-04T10:00' }),
    eventLine('kyiv', { title: 'Київ сьогодні', startDatetime: '2026-05-03T10:00' }),
  ];
  const venues = [...bundle.venues, venueLine('oper', { name: 'Opéra', isVerified: false })];
  await importBundle({ store, bundle: { ...bundle, venues, events: [...bundle.events, ...numbered, ...odd] }, now });
  const jazz = await db().selectFrom('event').select('id').where('title', '=', 'Night of jazz').executeTakeFirstOrThrow();
  await hide({ store, entity: 'event', id: jazz.id, by: 'ann', now });
  await correct({ store, entity: 'event', id: jazz.id, values: { title: 'Evening of Jazz' }, by: 'ann', now });
});
afterAll(() => opened.dispose());

describe('an event that may still start', () => {
  it.each(ZONES)('is one for the database as for the read model around the change of clocks in %s', async (timezone, day) => {
    const before = await db().selectFrom('city').select('timezone').executeTakeFirstOrThrow();
    onTestFinished(async () => void (await db().updateTable('city').set(before).execute()));
    await db().updateTable('city').set({ timezone }).execute();
    const city = createCityTime(timezone);
    const { first, last } = city.dayBounds(day);
    const moments = [-HOUR_MS, -1, 0, 1, HOUR_MS / 2, HOUR_MS, 3 * HOUR_MS].flatMap((after) => [first + after, last + after]);
    const rows = [first - DAY_MS, ...moments, last + DAY_MS].flatMap((start) =>
      ['time', 'date'].map((kind) => ({ start, kind })),
    );
    const [starts, kinds] = [rows.map(({ start }) => new Date(start).toISOString()), rows.map(({ kind }) => kind)];
    for (const moment of moments) {
      const found = await sql<{
        place: number;
      }>`select place::int from unnest(${starts}::timestamptz[], ${kinds}::text[]) with ordinality
        as event (starts_at, precision, place) where ${mayStart(moment)} order by place`.execute(db());
      const expected = rows.flatMap(({ start, kind }, index) =>
        (kind === 'time' ? start : city.dayBounds(city.day(start)).last) >= moment ? [index + 1] : [],
      );
      expect([moment, found.rows.map(({ place }) => place)]).toEqual([moment, expected]);
    }
  });
});

describe('events', () => {
  it('are found by words, whatever their accents, their beginnings, their order and their signs', async () => {
    expect(await titles({ text: 'cafe ete' })).toEqual(['Café Été']);
    expect(await titles({ text: 'été CAFÉ' })).toEqual(['Café Été']);
    expect(await titles({ text: 'сьог' })).toEqual(['Київ сьогодні']);
    expect(await titles({ text: 'КИЇВ' })).toEqual(['Київ сьогодні']);
    for (const text of ['ac dc', 'ac/dc', 'AC', 'dc 24']) expect(await titles({ text })).toEqual(['AC/DC 24/7']);
    expect(await titles({ text: 'x'.repeat(5000) })).toEqual([]);
    expect(await titles({ text: 'eveni jazz' })).toEqual(['Evening of Jazz']);
    expect(await titles({ text: 'roll rock' })).toEqual([`Rock 'n' & | ! :* <Roll>`]);
    expect(await titles({ text: 'eveni chess' })).toEqual([]);
    for (const text of [`'`, '& | !', `x' | 'y`, ':*', '\\', 'a\u0000b', '<->', '()']) expect(await titles({ text })).toEqual([]);
  });

  it('are found by id and by slug, an old one too, whatever their day', async () => {
    const [jazz] = (await findEvents(db(), { text: 'evening of jazz' })).items;
    expect(jazz).toMatchObject({ state: 'hidden', corrections: 2, venueName: 'The cellar', slug: 'evening-of-jazz' });
    const from = NOW + 1e10;
    for (const text of [jazz!.id, jazz!.id.toUpperCase(), 'evening-of-jazz', 'night-of-jazz']) {
      expect(await titles({ text, from })).toEqual(['Evening of Jazz']);
    }
    expect(await titles({ text: '01900000-0000-7000-8000-00000000beef' })).toEqual([]);
  });

  it('are found by the id that a source uses, where no title has it', async () => {
    const [record] = await db()
      .selectFrom('record')
      .select(['external_id', 'event_id'])
      .where('external_id', '=', 'quoted')
      .execute();
    const found = async (text: string) => (await findEvents(db(), { text })).items.map(({ id }) => id);
    expect(await found('quoted')).toEqual([record!.event_id]);
    expect(await found('quotedx')).toEqual([]);
    expect(await found('quo\0ted')).toEqual([]);
    const venue = await db()
      .selectFrom('record')
      .select(['external_id', 'venue_id'])
      .where('external_id', '=', 'oper')
      .executeTakeFirstOrThrow();
    expect((await findVenues(db(), { text: venue.external_id })).items.map(({ id }) => id)).toContain(venue.venue_id);
  });

  it('of many are found without reading them all, also right after an import, when nothing is known of the words', async () => {
    const own = await openTestStore('embedded');
    onTestFinished(own.dispose);
    const { db } = own.store;
    const venue = '01900000-0000-7000-8000-000000000001';
    await sql`insert into venue (id, slug, name, type, latitude, longitude, is_verified, created_at, updated_at)
      values (${venue}, 'v', 'V', 'club', 40, -74, true, now(), now())`.execute(db);
    await sql`insert into event (id, slug, title, category, starts_at, is_free, venue_id, discovery_score, scored_at, scored_day, words,
        sources, created_at, updated_at)
      select gen_random_uuid(), 'event-' || n, 'Event', 'concert', now() + n * interval '1 hour', false, ${venue}, 50, now(), current_date,
        'common u' || n || case when n % 2000 = 7 then ' rare' else '' end, array['radio'], now(), now() from generate_series(1, ${MANY}) as n`.execute(
      db,
    );
    // One connection: each counts for itself, and tells the others up to a second later.
    await db.connection().execute(async (db) => {
      const readOnce = async (options: Parameters<typeof findEvents>[1], found: number) => {
        const before = await rowsRead(db);
        expect((await findEvents(db, options)).items).toHaveLength(found);
        return (await rowsRead(db)) - before;
      };
      // The engine's own maintenance may read the table between two counts, more often on a slow machine; a bad plan reads it always.
      const readBy = async (...question: Parameters<typeof readOnce>) => {
        let least = await readOnce(...question);
        for (let again = 0; again < 5 && least >= FEW_ROWS; again += 1) least = Math.min(least, await readOnce(...question));
        return least;
      };
      for (const from of [null, Date.now()])
        for (const source of [null, 'radio', 'press']) {
          const none = source === 'press';
          expect(await readBy({ text: 'rare', from, source }, none ? 0 : MANY / 2000)).toBeLessThan(FEW_ROWS);
          if (!none) expect(await readBy({ text: 'common', from, source }, 50)).toBeLessThan(FEW_ROWS);
        }
      for (const filter of [{ source: 'press' }, { state: 'hidden' }] as const)
        for (const from of [null, Date.now()])
          expect(await readBy({ text: 'common', from, ...filter }, 0)).toBeLessThan(FEW_ROWS);
      expect(await readBy({ text: 'u77 rare' }, 0)).toBeLessThan(FEW_ROWS);
      expect(await readBy({ text: 'nowhere' }, 0)).toBeLessThan(FEW_ROWS);
    });
  });

  it('are found by state, source and day', async () => {
    expect(await titles({ state: 'hidden' })).toEqual(['Evening of Jazz']);
    expect(await titles({ source: 'club', from: Date.parse('2026-07-06T00:00Z') })).toEqual(['Chess 5', 'Chess 6']);
    expect(await titles({ source: 'nobody' })).toEqual([]);
    expect((await titles({}))[0]).toBe('Chess 6');
    const coming = await titles({ from: NOW });
    expect(coming.slice(0, 2).sort()).toEqual(['Evening of Jazz', 'Night of blues']);
    expect(coming.slice(2, 4)).toEqual(['Chess 0', 'Chess 1']);
  });

  it.each([{ from: NOW }, { from: null }])('come page by page, each once: %j', async ({ from }) => {
    const all = await titles({ from, limit: 100 });
    const seen: string[] = [];
    for (let after: string | null = null; ; ) {
      const page = await findEvents(db(), { from, after, limit: 2 });
      seen.push(...page.items.map(({ title }) => title));
      after = page.next;
      if (after === null) break;
    }
    expect(seen).toEqual(all);
    expect(new Set(seen).size).toBe(all.length);
  });

  it('begin at the first page when a place is none', async () => {
    const first = await titles({ limit: 2 });
    const named = Buffer.from(JSON.stringify(['x', '01900000-0000-7000-8000-00000000beef'])).toString('base64url');
    for (const after of ['x', '', 'W10', Buffer.from('[1e99,"x"]').toString('base64url'), named]) {
      expect(await titles({ after, limit: 2 })).toEqual(first);
    }
  });
});

const MANY = 12_000;
/** Of so many are fewer than all. */
const FEW_ROWS = 8_000;

async function rowsRead(db: Kysely<Database>): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ rows: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_user_tables where relname = 'event'`.execute(db);
  return rows[0]?.rows ?? 0;
}

describe('venues', () => {
  it('are found by words, slug, state and source, by name', async () => {
    const names = async (options: Parameters<typeof findVenues>[1]) =>
      (await findVenues(db(), options)).items.map(({ name }) => name);
    expect(await names({})).toEqual(['Opéra', 'The attic', 'The cellar']);
    expect(await names({ text: 'opera' })).toEqual(['Opéra']);
    expect(await names({ text: 'the-cellar' })).toEqual(['The cellar']);
    expect(await names({ source: 'bundle', state: 'published' })).toHaveLength(3);
    expect(await names({ state: 'merged' })).toEqual([]);
    const first = await findVenues(db(), { limit: 2 });
    expect((await findVenues(db(), { limit: 2, after: first.next })).items.map(({ name }) => name)).toEqual(['The cellar']);
  });
});
