import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type Change,
  type EventWrite,
  recordChanges,
  removeEvents,
  type VenueWrite,
  writeEvents,
  writeScores,
  writeVenues,
} from '../../src/records/index.ts';
import { readList, transact } from '../../src/store/index.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';
import { emptyDirectory, NOW } from '../support/records/bundle.ts';

let test: TestStore;
const VENUE: VenueWrite = {
  id: randomUUIDv7(),
  name: 'Cellar',
  type: 'club',
  address: null,
  latitude: 40,
  longitude: -74,
  capacityTier: null,
  isVerified: true,
  neighborhood: null,
  website: null,
  parking: null,
  transitNearby: ['L'],
  openingHours: { timezone: 'UTC', weekly: [{ days: ['mon'], opens: '17:00', closes: '02:00' }], exceptions: [] },
};
const event = (title: string, more: Partial<EventWrite> = {}): EventWrite => ({
  id: randomUUIDv7(),
  title,
  category: 'concert',
  startsAt: NOW,
  endsAt: null,
  precision: 'time',
  description: null,
  imageUrl: null,
  isFree: false,
  priceMin: 12.5,
  priceMax: null,
  venueId: VENUE.id,
  status: 'scheduled',
  performers: ['A "quoted", {braced} name\\'],
  tags: [],
  sources: ['feed'],
  organizer: { name: 'Friends of "Jazz"', url: 'https://friends.example/' },
  discoveryScore: 50,
  showing: 1,
  context: [1, 50],
  appeal: 7,
  ...more,
});
const writeOn = (day: string, ...events: EventWrite[]): Promise<Change[]> =>
  transact(test.store.db, async (trx) => {
    const changes = await writeEvents(trx, events, { now: NOW, day });
    await recordChanges(trx, changes, NOW);
    return changes;
  });
const write = (...events: EventWrite[]) => writeOn('2026-06-16', ...events);
const slugs = async () =>
  new Map((await test.store.db.selectFrom('event').select(['id', 'slug']).execute()).map(({ id, slug }) => [id, slug]));

beforeAll(async () => {
  test = await openTestStore();
});
beforeEach(async () => {
  await emptyDirectory(test.store);
  await transact(test.store.db, (trx) => writeVenues(trx, [VENUE], NOW));
});
afterAll(() => test.dispose());

it('writes only what differs, and tells each change once, numbered', async () => {
  const held = event('Jazz');
  expect(await write(held)).toEqual([{ kind: 'created', entity: 'event', entityId: held.id }]);
  expect(await write(held)).toEqual([]);
  expect((await write({ ...held, discoveryScore: 51 }))[0]!.kind).toBe('scored');
  expect((await write({ ...held, discoveryScore: 51, tags: ['late'] }))[0]!.kind).toBe('updated');
  expect((await write({ ...held, startsAt: NOW + 1 }))[0]!.kind).toBe('rescheduled');
  expect((await write({ ...held, startsAt: NOW + 2, status: 'cancelled' }))[0]!.kind).toBe('cancelled');
  expect((await write({ ...held, startsAt: NOW + 2 }))[0]!.kind).toBe('updated');
  const removed = await transact(test.store.db, (trx) => removeEvents(trx, [held.id], NOW));
  expect(removed).toEqual([{ kind: 'removed', entity: 'event', entityId: held.id }]);
  expect(await transact(test.store.db, (trx) => removeEvents(trx, [held.id], NOW))).toEqual([]);
  expect((await write(held))[0]!.kind).toBe('created');
  const numbers = (await readList(test.store.db, 'change', 0, 100)).map(({ seq }) => seq);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  const row = await test.store.db.selectFrom('event').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ performers: held.performers, price_min: '12.5000', price_max: null, state: 'published' });
});

it('keeps the scores of days before, as far as they were others', async () => {
  const show = event('Jazz', { discoveryScore: 50, appeal: 0.1 });
  const noted = async () => {
    const { db } = test.store;
    const past = await db.selectFrom('score_history').selectAll().orderBy('day').execute();
    const { scored_day, discovery_score, appeal } = await db.selectFrom('event').selectAll().executeTakeFirstOrThrow();
    return [...past.map((row) => [row.day, row.discovery_score, row.appeal]), [scored_day, discovery_score, appeal]];
  };
  await writeOn('2026-06-16', show);
  await writeOn('2026-06-16', { ...show, discoveryScore: 51 });
  expect(await noted()).toEqual([['2026-06-16', 51, 0.1]]);
  await writeOn('2026-06-17', { ...show, discoveryScore: 51, title: 'Late jazz' });
  expect(await noted()).toEqual([['2026-06-16', 51, 0.1]]);
  const later = { ...show, title: 'Late jazz', discoveryScore: 51, appeal: 8 };
  expect(await writeOn('2026-06-18', later)).toEqual([]);
  expect(await writeOn('2026-06-19', later)).toEqual([]);
  expect(await noted()).toEqual([
    ['2026-06-16', 51, 0.1],
    ['2026-06-18', 51, 8],
  ]);
  const scores = [{ id: show.id, discoveryScore: 60, showing: 1, context: [1, 60], appeal: 9 }];
  await transact(test.store.db, (trx) => writeScores(trx, scores, { now: NOW, day: '2026-06-20' }));
  // A clock that was put back.
  await writeOn('2026-06-01', { ...later, discoveryScore: 30 });
  expect(await noted()).toEqual([
    ['2026-06-16', 51, 0.1],
    ['2026-06-18', 51, 8],
    ['2026-06-20', 30, 8],
  ]);
});

it('gives events of one title slugs of their own, steady ones', async () => {
  const events = Array.from({ length: 5 }, () => event('Open Mic'));
  await write(...events.slice(0, 3));
  await write(...events.slice(3));
  const first = await slugs();
  expect(new Set(first.values()).size).toBe(5);
  expect([...first.values()].filter((slug) => slug === 'open-mic')).toHaveLength(1);
  for (const { id } of events.slice(1)) expect(first.get(id)).toBe(`open-mic-${id.slice(-6)}`);
  await write(...events.map((each) => ({ ...each, title: 'Open Mic!' })));
  expect(await slugs()).toEqual(first);
});

it('resolves even ids that end alike, and titles of no letters', async () => {
  const ids = [
    '0190a0b0-0000-7000-8000-aaaaaa000001',
    '0190a0b0-0000-7000-8000-bbbbbb000001',
    '0190a0b0-0000-7000-9000-bbbbbb000001',
    '0190a0b0-0000-7000-a000-bbbbbb000001',
  ];
  await write(...ids.map((id) => event('東京', { id })));
  expect([...(await slugs()).values()].map((slug) => slug.length).sort((a, b) => a - b)).toEqual([5, 12, 18, 38]);
});

it('lets two events swap titles without mixing up their slugs', async () => {
  const [left, right] = [event('Left'), event('Right')];
  await write(left, right);
  await write({ ...left, title: 'Right' }, { ...right, title: 'Left' });
  const now = await slugs();
  expect(now.get(left.id)).toBe(`right-${left.id.slice(-6)}`);
  expect(now.get(right.id)).toBe(`left-${right.id.slice(-6)}`);
  await write(left, right);
  expect((await slugs()).get(left.id)).toBe('left');
  const old = await test.store.db.selectFrom('old_slug').select(['slug', 'event_id']).execute();
  expect(old.filter(({ slug }) => slug === 'left')).toEqual([]);
});

it('sees a venue as unchanged when only the order of its opening hours’ keys differs', async () => {
  const turned = { exceptions: [], weekly: [{ closes: '02:00', opens: '17:00', days: ['mon' as const] }], timezone: 'UTC' };
  const changes = await transact(test.store.db, (trx) => writeVenues(trx, [{ ...VENUE, openingHours: turned }], NOW));
  expect(changes).toEqual([]);
});
