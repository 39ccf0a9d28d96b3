import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addSource, importBundle, runSource } from '../../src/ingest/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { emptyDirectory, now, smallBundle } from '../support/records/bundle.ts';
import { FEED_MAPPING, listing, READING } from '../support/rigs/sources.ts';

// One engine is enough: what a mapping reads does not depend on it.

let test: TestStore;
let temporary: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
  test = await openTestStore();
  temporary = temporaryFolder();
});
beforeEach(async () => {
  await emptyDirectory(test.store);
  await importBundle({ store: test.store, bundle: { ...smallBundle(), events: [] }, now });
});
afterAll(async () => {
  temporary.remove();
  await test.dispose();
});

const CALENDAR = ['', 'LOCATION:', 'LOCATION:https://meet.example/1', 'SUMMARY:Private hire'].map((line, at) =>
  [
    'BEGIN:VEVENT',
    `UID:${at}`,
    'DTSTART:20260620T200000Z',
    line || 'SUMMARY:Open Loom Night',
    line && `SUMMARY:Night ${at}`,
    'END:VEVENT',
  ]
    .filter((each) => each !== '')
    .join('\r\n'),
);

it('puts the events of a house calendar into the house, on the right clock and with what the operator knows', async () => {
  const location = join(temporary.folder, 'house.ics');
  writeFileSync(location, `BEGIN:VCALENDAR\r\n${CALENDAR.join('\r\n')}\r\nEND:VCALENDAR\r\n`);
  const mapping = {
    shift: 'PT1H',
    drop: [{ path: 'title', startsWith: 'private' }],
    fields: {
      category: { path: 'category', default: 'comedy' },
      tags: { concat: ['tags', { const: ['clay'] }] },
      isFree: { const: true },
      venue: { name: { path: 'venue.name', default: 'Cellar' } },
    },
  };
  const added = await addSource({ store: test.store, kind: 'ical', location, mapping, name: 'house', now });
  expect(added).toMatchObject({ ok: true });
  const report = await runSource({ store: test.store, name: 'house', now, ...READING });
  expect(report).toMatchObject({ dropped: 1, events: { created: 2 }, rejected: [{ reason: 'it takes place online only' }] });
  const rows = await test.store.db
    .selectFrom('event')
    .innerJoin('venue', 'venue.id', 'event.venue_id')
    .select(['event.title', 'venue.name', 'event.category', 'event.starts_at', 'event.is_free', 'event.tags'])
    .orderBy('event.title')
    .execute();
  const house = {
    name: 'The cellar',
    category: 'comedy',
    is_free: true,
    starts_at: new Date('2026-06-20T21:00:00Z'),
    tags: ['clay'],
  };
  expect(rows).toMatchObject([
    { title: 'Night 1', ...house },
    { title: 'Open Loom Night', ...house },
  ]);
});

it('reads all pages of a JSON document, and asks again whatever the first page says of changes', async () => {
  const origin = 'https://hall.example';
  const pages = [1, 2, 3].map((page) => ({
    events: [listing(String(page), { start: `2026-06-2${page}T20:00:00` })],
    ...(page < 3 ? { next_page_url: `${origin}/events?page=${page + 1}` } : {}),
  }));
  const asked: string[] = [];
  const outbound = {
    fetch: async ({ url, etag = null }: { url: string; etag?: string | null }) => {
      asked.push(`${url} ${etag}`);
      const page = Number(new URL(url).searchParams.get('page') ?? 1);
      const body = Buffer.from(JSON.stringify(pages[page - 1]));
      return { ok: true as const, url, body, contentType: 'application/json', etag: '"1"', lastModified: null };
    },
  } as unknown as typeof READING.outbound;
  await addSource({ store: test.store, kind: 'json', location: `${origin}/events`, mapping: FEED_MAPPING, name: 'hall', now });
  const run = () => runSource({ store: test.store, name: 'hall', now, ...READING, outbound });
  expect(await run()).toMatchObject({ events: { created: 3 } });
  await run();
  const once = ['', '?page=2', '?page=3'].map((query) => `${origin}/events${query} null`);
  expect(asked).toEqual([...once, ...once]);
});
