import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importBundle, readScoreFacts, rescore } from '../../src/ingest/index.ts';
import { discoveryScore } from '../../src/ranking/index.ts';
import { listHead, readList } from '../../src/store/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { CITY, emptyDirectory, eventLine, NEIGHBORHOODS, NOW, now, smallBundle } from '../support/records/bundle.ts';
import { addFeed, listing } from '../support/rigs/sources.ts';

const DAY = 86_400_000;
const night = (day: string, more: object = {}) =>
  eventLine(day, { title: `Residency #${day}`, startDatetime: `2026-06-${day}T20:00`, ...more });

let test: TestStore;
let temporary: ReturnType<typeof temporaryFolder>;
const numbers = async () => {
  const rows = await test.store.db
    .selectFrom('event')
    .selectAll()
    .where('state', '=', 'published')
    .orderBy('starts_at')
    .execute();
  return rows.map(({ showing }) => showing);
};
const scores = async () =>
  (await test.store.db.selectFrom('event').select('discovery_score').orderBy('starts_at').execute()).flatMap(Object.values);
/** Every stored score is explained by the facts that are stored with it. */
const explained = async () => {
  const rows = await test.store.db.selectFrom('event').selectAll().execute();
  const facts = await readScoreFacts(
    test.store.db,
    rows.map(({ id }) => id),
  );
  return rows.every(
    ({ id, scored_at, discovery_score }) => discoveryScore(facts.get(id)!, scored_at.getTime()).total === discovery_score,
  );
};
const load = (events: object[], prune = false) =>
  importBundle({ store: test.store, bundle: { ...smallBundle(), events }, now, prune });

beforeAll(async () => {
  test = await openTestStore();
  temporary = temporaryFolder();
});
beforeEach(() => emptyDirectory(test.store));
afterAll(async () => {
  temporary.remove();
  await test.dispose();
});

describe('the nights of a show', () => {
  it('are numbered by their starts, in whatever order they came, once', async () => {
    await load([night('24'), night('22'), night('20')]);
    expect(await numbers()).toEqual([1, 2, 3]);
    const [first, second, third] = await scores();
    expect(first).toBeGreaterThan(second!);
    expect(second).toBeGreaterThan(third!);

    // An earlier one, that comes later.
    await load([night('18')]);
    expect(await numbers()).toEqual([1, 2, 3, 4]);
    expect(await explained()).toBe(true);
    const head = await listHead(test.store.db, 'change');
    await load([night('18'), night('20'), night('22'), night('24')]);
    expect(await readList(test.store.db, 'change', head, 10)).toEqual([]);
  });

  it('move up when one is called off, leaves or has begun', async () => {
    const nights = [night('18'), night('20'), night('22'), night('24')];
    await load(nights);
    await load([night('18', { status: 'cancelled' })]);
    expect((await numbers()).slice(1)).toEqual([1, 2, 3]);
    await load([night('18', { status: 'cancelled' }), night('20'), night('24')], true);
    expect((await numbers()).slice(1)).toEqual([1, 2]);

    await rescore({ store: test.store, now: () => NOW + 5 * DAY });
    expect((await numbers()).at(-1)).toBe(1);
    expect(await explained()).toBe(true);
  });

  it('of a source are numbered over its runs, and its repetitions do not lift them', async () => {
    await importBundle({ store: test.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS }, now });
    const feed = await addFeed(test.store, temporary.folder, 'feed');
    const at = (day: string, more: object = {}) => listing(day, { name: 'Residency', start: `2026-06-${day}T20:00:00`, ...more });
    feed.write([at('24'), at('22')]);
    await feed.run();
    feed.write([at('24'), at('22'), at('20')]);
    await feed.run();
    expect(await numbers()).toEqual([1, 2, 3]);
    const before = await scores();

    const repeated = Array.from({ length: 10 }, (_, n) => at('20', { id: `again ${n}` }));
    feed.write([at('24'), at('22'), at('20', { provider: ['a', 'b', 'c'] }), ...repeated]);
    await feed.run();
    const rows = await test.store.db.selectFrom('event').select(['sources']).where('state', '=', 'published').execute();
    expect(rows).toHaveLength(3);
    expect((await scores())[1]).toBe(before[1]);
    expect(rows.flatMap(({ sources }) => sources)).not.toContain('b');
  });
});
