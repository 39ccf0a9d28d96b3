import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Change,
  mergeEvents,
  mergeVenues,
  moveVenues,
  type NumberedChange,
  readLogPage,
  recordChanges,
  removeEvents,
  unlistUnconfirmed,
  writeEvents,
  writeNeighborhoods,
  writeScores,
  writeVenues,
} from '../../src/records/index.ts';
import { loadDirectory } from '../../src/search/directory/follow-directory.ts';
import {
  createRecordReader,
  type EventRow,
  type NeighborhoodRow,
  type RecordNow,
  type Snapshot,
  type VenueRow,
} from '../../src/search/index.ts';
import { openSnapshot } from '../../src/search/open-snapshot.ts';
import { createSnapshotBuilder } from '../../src/search/snapshot/snapshot-builder.ts';
import { listHead, transact } from '../../src/store/index.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';
import { emptyDirectory } from '../support/records/bundle.ts';
import { write } from './directory-writer.ts';
import { createRandom, NOW, PUBLIC_URL, type Random, randomDirectory, randomEvent, randomVenue } from './random-directory.ts';

let rig: TestStore;
beforeAll(async () => {
  rig = await openTestStore();
});
afterAll(() => rig.dispose());

const reader = createRecordReader(PUBLIC_URL);
const published = { state: 'published', mergedInto: null } as const;
const DAY = '2026-03-08';

test('the log tells of every change of every record, with what it was before, and records are read as snapshots answer them', async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    await emptyDirectory(rig.store);
    const random = createRandom(seed);
    const made = randomDirectory(random, 14);
    const rows = {
      ...made,
      venues: made.venues.map((venue) => ({ ...venue, ...published })),
      events: made.events.map((event) => ({ ...event, ...published })),
    };
    await write(rig.store, rows, NOW);
    let before = await recordsOf(rows);
    for (let step = 0; step < 20; step += 1) {
      const after = await listHead(rig.store.db, 'change');
      await change(random, rows, NOW + step + 1);
      const now = await recordsOf(rows);
      const changes = await changesSince(after);
      for (const [id, record] of now) {
        const told = changes.filter(({ entityId }) => entityId === id);
        expectTold(before.get(id), record, told);
      }
      before = now;
    }
  }
});

/** What a snapshot of the store answers to each id, which must be what is read of the store at once. */
async function recordsOf({ venues, events }: { venues: VenueRow[]; events: EventRow[] }): Promise<Map<string, RecordNow>> {
  const directory = await loadDirectory(rig.store.db, PUBLIC_URL);
  const snapshot = openSnapshot(createSnapshotBuilder(directory).build(NOW, NOW));
  const answers = new Map([
    ...events.map(({ id }) => [id, answerOf(snapshot, 'event', id)] as const),
    ...venues.map(({ id }) => [id, answerOf(snapshot, 'venue', id)] as const),
  ]);
  const read = new Map([
    ...(await reader.events(
      rig.store.db,
      events.map(({ id }) => id),
    )),
    ...(await reader.venues(
      rig.store.db,
      venues.map(({ id }) => id),
      NOW,
    )),
  ]);
  expect(read).toEqual(answers);
  return answers;
}

function answerOf(snapshot: Snapshot, kind: 'event' | 'venue', id: string): RecordNow {
  const lookup = kind === 'event' ? snapshot.event(id) : snapshot.venue(id, NOW);
  if (lookup.found !== 'published') return lookup;
  const bytes =
    kind === 'event'
      ? snapshot.writeEvents([lookup.item], 'detail', '', '')
      : snapshot.writeVenues([lookup.item], 'detail', NOW, '', '');
  return { found: 'published', json: bytes.toString() };
}

function expectTold(before: RecordNow | undefined, now: RecordNow, told: readonly NumberedChange[]): void {
  // One that was merged is without a record like one that is removed: its survivor may go without a word of it.
  if (before?.found !== 'published' && now.found !== 'published') return;
  if (before?.found !== 'published' || now.found !== 'published') {
    expect([before, now, told.length > 0]).toEqual([before, now, true]);
    return;
  }
  const [was, is] = [JSON.parse(before.json), JSON.parse(now.json)] as Record<string, unknown>[];
  const previous = Object.assign({}, ...told.map((change) => change.previous ?? {})) as Record<string, unknown>;
  for (const key of Object.keys(is ?? {})) {
    // The number of coming events follows from the events; the address from the slug.
    if (key === 'upcomingEventCount' || key === 'url' || JSON.stringify(is?.[key]) === JSON.stringify(was?.[key])) continue;
    expect(Object.keys(previous), `${key} of ${now.json}`).toContain(key);
    if (key === 'venue') expect(was?.[key]).toMatchObject(previous[key] as object);
    else if (key === 'metadata') expect(was?.[key]).toMatchObject(previous[key] as object);
    else if (key.endsWith('Datetime')) expect(instantOf(previous[key])).toBe(instantOf(was?.[key]));
    else if (key === 'imageUrl') expect(was?.[key] ?? null).toBe(fullAddress(previous[key]));
    else expect(previous[key]).toEqual(was?.[key]);
  }
}

const instantOf = (text: unknown): number | null => (text === null ? null : Math.floor(Date.parse(String(text)) / 1000));
const fullAddress = (address: unknown): unknown => (String(address).startsWith('/') ? PUBLIC_URL + address : address);

async function changesSince(after: number): Promise<NumberedChange[]> {
  const upTo = Number.MAX_SAFE_INTEGER;
  const all = ['created', 'updated', 'cancelled', 'rescheduled', 'merged', 'removed', 'scored'] as const;
  const query = { after, upTo, limit: 10_000, entities: ['event', 'venue', 'neighborhood'], kinds: all } as const;
  return (await readLogPage(rig.store.db, query)).changes;
}

type Rows = { venues: VenueRow[]; events: EventRow[]; neighborhoods: NeighborhoodRow[] };

/** One of the ways in which the directory changes, in a transaction of its own. */
async function change(random: Random, { venues, events, neighborhoods }: Rows, now: number): Promise<void> {
  const event = random.one(events);
  const venue = random.one(venues);
  const index = events.indexOf(event);
  const other = randomEvent(random, index, venues, events.length);
  const otherVenue = randomVenue(random, venues.indexOf(venue), neighborhoods, venues.length);
  const scored = { showing: 1, context: [], appeal: random.below(5) };
  await transact(rig.store.db, async (trx) => {
    const ways: (() => Promise<Change[]>)[] = [
      () => writeEvents(trx, [{ ...event, ...scored, title: other.title, tags: other.tags }], { now, day: DAY }),
      () => writeEvents(trx, [{ ...event, ...other, ...scored, id: event.id, isHidden: random.chance(0.2) }], { now, day: DAY }),
      () => writeVenues(trx, [{ ...venue, ...otherVenue, id: venue.id, isHidden: random.chance(0.3) }], now),
      () => moveVenues(trx, [{ venueId: venue.id, neighborhood: random.one([...neighborhoods, null])?.slug ?? null }], now),
      () => writeScores(trx, [{ id: event.id, discoveryScore: random.below(100), ...scored }], { now, day: DAY }),
      () => removeEvents(trx, [event.id], now),
      () => unlistUnconfirmed(trx, now, now),
      async () => {
        const into = events.find(({ id }) => id !== event.id);
        const rows = await trx.selectFrom('event').select(['id', 'state']).where('state', '=', 'published').execute();
        const isThere = rows.some(({ id }) => id === into?.id) && rows.some(({ id }) => id === event.id);
        return into && isThere ? mergeEvents(trx, [{ id: event.id, into: into.id }], now) : [];
      },
      async () => {
        const rows = await trx.selectFrom('venue').select(['id', 'state']).where('state', '=', 'published').execute();
        const into = rows.find(({ id }) => id !== venue.id);
        return into && rows.some(({ id }) => id === venue.id) ? mergeVenues(trx, [{ id: venue.id, into: into.id }], now) : [];
      },
      async () => {
        const [first] = neighborhoods;
        if (!first) return [];
        first.slug = `n${1000 + now - NOW}`;
        const geometry = { type: 'Polygon', coordinates: [] } as const;
        return writeNeighborhoods(trx, [{ ...first, geometry, isNew: false }], now);
      },
    ];
    await recordChanges(trx, await random.one(ways)(), now);
  });
}
