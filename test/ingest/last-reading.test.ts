// PostgreSQL is quicker.

import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { addSource, answerSame, importBundle, listRuns, runSource, setSourceState, undoRun } from '../../src/ingest/index.ts';
import type { OutboundRequest } from '../../src/outbound/index.ts';
import { CITY, NEIGHBORHOODS, NOW, smallBundle } from '../support/records/bundle.ts';
import { FEED_MAPPING, listing, READING } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const day = 86_400_000;

/** Makes the remembered end of a run tell that it was taken from memory. */
const MARK = 77;
const mark = () => sql`update reading set outcome = outcome || ${JSON.stringify({ dropped: MARK })}::jsonb`.execute(two.store.db);
const wasRemembered = async (more: object = {}) => (await two.radio.run(more)).dropped === MARK;
const records = () =>
  two.store.db
    .selectFrom('record')
    .select(['id', 'event_id', 'venue_id', 'content_hash', 'first_seen_at', 'last_seen_at', 'gone_at'])
    .orderBy('id')
    .execute();

async function sayTwice(): Promise<void> {
  two.radio.write([listing('1'), listing('2', { name: 'Other' })]);
  await two.radio.run();
  await mark();
  expect(await wasRemembered()).toBe(true);
}

describe('a source that says the same again', () => {
  it('is known without a second look, and the report is the same', async () => {
    two.radio.write([listing('1'), listing('2'), listing('2', { name: 'Twice' }), listing('3', { place: 'Citywide' })]);
    await two.radio.run();
    const again = await two.radio.run({ onReject: () => undefined });
    const remembered = await two.radio.run();
    expect(remembered).toEqual({ ...again, run: expect.any(String) });
    expect(remembered).toMatchObject({ events: { unchanged: 2 }, rejectedCount: 2, reasons: { repeated: 1, no_venue: 1 } });
    await mark();
    expect(await wasRemembered()).toBe(true);
    expect((await two.radio.run({ dryRun: true })).dropped).toBe(MARK);
  });

  it('is known though a listing names no place, and the report says how many wait', async () => {
    two.radio.write([listing('1'), listing('2', { place: '', lat: null, lon: null, start: '2026-06-22T19:00:00' })]);
    await two.radio.run();
    const again = await two.radio.run({ onReject: () => undefined });
    expect(again).toMatchObject({ events: { unchanged: 1 }, waiting: { 'source:radio': 1 } });
    expect(await two.radio.run()).toEqual({ ...again, run: expect.any(String) });
    await mark();
    expect(await wasRemembered()).toBe(true);
  });

  it('is looked at again when an answer about a name rests on another record', async () => {
    two.press.write([
      listing('p1', { place: 'Heron Library', lat: 40.02, lon: -73.95 }),
      listing('p2', { place: 'Gull Hall', lat: 40.08, lon: -73.91 }),
    ]);
    await two.press.run();
    const { id: venueId } = await two.store.db.selectFrom('venue').select('id').orderBy('name', 'desc').executeTakeFirstOrThrow();
    await answerSame({ store: two.store, now: NOW, name: 'The Old Hall', by: 'ann', house: venueId });
    await sayTwice();
    await sql`update record set venue_id = ${venueId} where listing ->> 'name' = 'Gull Hall'`.execute(two.store.db);
    expect(await wasRemembered()).toBe(false);
  });

  it.each<[string, () => unknown, object?]>([
    ['a listing says something else', () => two.radio.write([listing('1', { name: 'New name' }), listing('2')])],
    ['a listing is missing', () => two.radio.write([listing('1')])],
    ['there is one more that cannot be read', () => two.radio.write([listing('1'), listing('2'), listing('3', { start: 'x' })])],
    ['the code is another', () => undefined, { version: 'next' }],
    ['another day has come', () => undefined, { now: () => NOW + day }],
    ['the clock was put back', () => undefined, { now: () => NOW - 1000 }],
    ['the city has another zone', () => importBundle(bundle({ city: { ...CITY, timezone: 'America/Chicago' } }))],
    ['the city has fewer neighborhoods', () => sql`delete from neighborhood where slug = 'uptown'`.execute(two.store.db)],
    ['others have brought places', () => importBundle(bundle(smallBundle()))],
    ['a record is no longer what it was', () => sql`update record set content_hash = 'x'`.execute(two.store.db)],
    ['a record has gone', () => sql`update record set gone_at = now() where external_id = '2'`.execute(two.store.db)],
    ['a record waits for its place', () => sql`update record set event_id = null where external_id = '2'`.execute(two.store.db)],
    [
      'the mapping is another, though it reads the same',
      () => {
        const mapping = { ...FEED_MAPPING, drop: [{ path: 'id', equals: 'none' }] };
        return sql`update source set mapping = ${JSON.stringify(mapping)}::jsonb where name = 'radio'`.execute(two.store.db);
      },
    ],
  ])('is looked at again when %s', async (_, change, more = {}) => {
    await sayTwice();
    await change();
    expect(await wasRemembered(more)).toBe(false);
  });

  it('is looked at again after a run was taken back, and says it anew', async () => {
    await sayTwice();
    const [first] = (await listRuns({ store: two.store })).slice(-1);
    await undoRun({ store: two.store, id: first!.id, now: () => NOW });
    expect(await two.listed()).toEqual([]);
    await setSourceState({ store: two.store, name: 'radio', state: 'active' });
    expect(await wasRemembered()).toBe(false);
    expect(await two.listed()).toHaveLength(2);
  });

  it('does not hide what vanishes and what comes back', async () => {
    await sayTwice();
    two.radio.write([listing('1')]);
    expect((await two.radio.run({ now: () => NOW + 1000 })).vanished).toBe(1);
    expect((await two.radio.run({ now: () => NOW + 2000 })).vanished).toBe(0);
    expect((await two.listed()).map((event) => event.unconfirmed_since !== null).sort()).toEqual([false, true]);
    two.radio.write([listing('1'), listing('2', { name: 'Other' })]);
    await two.radio.run({ now: () => NOW + 3000 });
    expect((await two.listed()).map((event) => event.unconfirmed_since)).toEqual([null, null]);
  });

  it('gives the same directory and reports as a source that is always looked at', async () => {
    const said = fc.record({
      feed: fc.constantFrom('radio' as const, 'press' as const),
      hours: fc.integer({ min: 0, max: 30 }),
      records: fc.uniqueArray(
        fc.record({
          id: fc.constantFrom('1', '2', '3', '4', '5', '6'),
          name: fc.constantFrom('Lanterns', 'Lanterns (live)', 'Rivers', 'CANCELED: Rivers'),
          lat: fc.constantFrom(40.05, 40.05, 40.0502, null),
          place: fc.constantFrom('Cellar', 'Cellar', 'Attic', ''),
        }),
        { selector: ({ id }) => id, minLength: 1, maxLength: 6 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 2, maxLength: 3 }), async (steps) => {
        const ends: unknown[] = [];
        for (const isForgetful of [true, false]) {
          await two.fresh();
          const reports: unknown[] = [];
          let at = NOW;
          for (const { feed, hours, records: list } of steps) {
            at += hours * 3_600_000;
            two[feed].write(list.map(({ id, ...more }) => listing(id, { ...more, lon: more.lat === null ? null : -73.95 })));
            // Each answer comes twice.
            for (const look of [0, 1]) {
              const version = isForgetful ? `${at} ${look} ${reports.length}` : 'one';
              reports.push({ ...(await two[feed].run({ now: () => at, version })), run: null });
            }
          }
          ends.push({ reports, events: await two.events(), records: await records() });
        }
        expect(ends[1]).toEqual(ends[0]);
      }),
      { numRuns: 5 },
    );
  });
});

describe('a source on the web that has not changed', () => {
  /** Gives how to run it, and whether each of its runs asked it if it had changed. */
  async function addWeb(records: readonly object[]) {
    const { store } = two;
    const location = 'https://feed.example/events.json';
    await addSource({ store, kind: 'json', location, mapping: FEED_MAPPING, name: 'web', now: () => NOW });
    const body = Buffer.from(JSON.stringify({ events: records }));
    const asked: boolean[] = [];
    const fetch = async ({ url, etag }: OutboundRequest) => {
      asked.push(etag === '"1"');
      if (etag === '"1"') return { ok: 'unchanged' } as const;
      return { ok: true, status: 200, url, body, contentType: 'application/json', etag: '"1"', lastModified: null } as const;
    };
    const run = (more: object = {}) =>
      runSource({ store, name: 'web', now: () => NOW, ...READING, outbound: { fetch }, ...more });
    return { run, asked };
  }

  it('need not send its answer again, unless it would be read in another way by now', async () => {
    const { run, asked } = await addWeb([listing('1')]);
    for (const more of [{}, {}, { version: 'next' }, { version: 'next' }, { version: 'next', now: () => NOW + day }])
      await run(more);
    expect(asked).toEqual([false, true, false, true, false]);
  });

  it('is read again when somebody knows the place of which only the city was known', async () => {
    const { run, asked } = await addWeb([listing('1', { place: 'The Attic', lat: null, lon: null })]);
    expect((await run()).waiting).toEqual({ 'The Attic': 1 });
    await importBundle(bundle(smallBundle()));
    await run();
    expect(await run()).toMatchObject({ events: { updated: 0, unchanged: 1 }, waiting: {} });
    expect(asked).toEqual([false, false, true]);
  });
});

const bundle = (more: object) => ({
  store: two.store,
  bundle: { city: CITY, neighborhoods: NEIGHBORHOODS, ...more },
  now: () => NOW,
});
