// One engine is enough: a source is put on hold as any other.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSource, importBundle, listSources, overseeSources, releaseSource, runSource } from '../../src/ingest/index.ts';
import { openReader } from '../../src/providers/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { CITY, emptyDirectory, NEIGHBORHOODS, NOW, now } from '../support/records/bundle.ts';
import { FEED_MAPPING, listing, READING } from '../support/rigs/sources.ts';

let test: TestStore;
const { folder, remove } = temporaryFolder();
const reader = openReader();
beforeAll(async () => {
  test = await openTestStore('embedded');
});
beforeEach(async () => {
  await emptyDirectory(test.store);
  await importBundle({ store: test.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS }, now });
});
afterAll(async () => {
  remove();
  await reader.close();
  await test.dispose();
});

const write = (content: string) => writeFileSync(join(folder, 'source'), content);
const events = (...records: object[]) => write(JSON.stringify({ events: records }));
const run = (at = NOW) => runSource({ store: test.store, name: 'feed', ...READING, readPage: reader.readPage, now: () => at });

async function add(kind: string, mapping: unknown = null, everySeconds?: number): Promise<void> {
  const added = await addSource({
    store: test.store,
    kind,
    location: join(folder, 'source'),
    mapping,
    name: 'feed',
    everySeconds,
    now,
  });
  if (!added.ok) throw new Error(added.reason);
}

const stateOf = async () => (await listSources(test))[0]?.state;

describe('a source that begins without an event to come', () => {
  it('is on hold, and says which calendar its page names', async () => {
    await add('jsonld');
    write('<html><title>Corn Exchange</title><a href="https://exchange.test/dates.ics">Subscribe</a></html>');
    expect((await run()).held).toBe(
      'the page has no events to come; it names a calendar at https://exchange.test/dates.ics, kind ical',
    );
    expect(await stateOf()).toBe('held');
  });

  it('is on hold all the same if its page names a calendar that is none', async () => {
    await add('jsonld');
    write('<html><title>Corn Exchange</title><a href="webcal://my%20site/cal.ics">Subscribe</a></html>');
    expect((await run()).held).toBe('the page has no events to come; marquee source find may find a calendar of this site');
  });

  it('is told from one that was read before: what has nothing any more keeps its own rule', async () => {
    await add('json', FEED_MAPPING);
    events(listing('one'));
    expect((await run()).held).toBeNull();
    events(listing('one', { start: '2026-06-10T20:00:00' }));
    expect((await run()).held).toBeNull();
  });

  it.each([
    ['nothing', [], 'the response has no events to come'],
    [
      'events that are over',
      [listing('old', { start: '2026-05-02T20:00:00' }), listing('older', { start: '2026-04-02T20:00:00' })],
      'all of its 2 events are over; the last one began on 2026-05-03',
    ],
    [
      'what cannot be accepted',
      [listing('bad', { start: 'soon' })],
      /^none of its 1 listings was accepted, most of them for the reason \w+$/,
    ],
  ])('is on hold with %s', async (_, records, reason) => {
    await add('json', FEED_MAPPING);
    events(...records);
    const { held } = await run();
    expect(held).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
  });

  it('goes on when it has something to come, or when its operator says so', async () => {
    await add('json', FEED_MAPPING);
    events();
    await run();
    expect(await releaseSource({ store: test.store, name: 'feed' })).toEqual({ ok: true });
    expect([(await run()).held, await stateOf()]).toEqual([null, 'active']);
    expect((await run()).held).toBeNull();
    events(listing('new'));
    expect((await run()).events.created).toBe(1);
  });
});

it('a source that has listed nothing for two of its intervals is told, and is well once it lists something', async () => {
  const hour = 3_600_000;
  await add('json', FEED_MAPPING, 3600);
  const conditionAt = async (at: number) => (await overseeSources({ store: test.store, now: at }))[0]?.condition;
  events(listing('tonight', { start: '2026-06-16T20:00:00' }));
  await run();
  events(listing('tonight', { start: '2026-06-16T20:00:00' }));
  await run(NOW + 24 * hour);
  await run(NOW + 30 * hour);
  expect(await conditionAt(NOW + 30 * hour)).toBe('empty');
  events(listing('later', { start: '2026-06-28T20:00:00' }));
  await run(NOW + 31 * hour);
  expect(await conditionAt(NOW + 31 * hour)).toBe('well');
});
