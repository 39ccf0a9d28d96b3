// PostgreSQL is quicker.
import { hash, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { createLog } from '../../src/log.ts';
import {
  markUnconfirmed,
  notePublicUrl,
  readLogState,
  recordChanges,
  unlistUnconfirmed,
  writeCity,
  writeNeighborhoods,
} from '../../src/records/index.ts';
import { loadDirectory } from '../../src/search/directory/follow-directory.ts';
import { createChangeReader, type EventRow, type Snapshot } from '../../src/search/index.ts';
import { openSnapshot } from '../../src/search/open-snapshot.ts';
import { createSnapshotBuilder } from '../../src/search/snapshot/snapshot-builder.ts';
import { createServer, type Server } from '../../src/server/index.ts';
import { transact } from '../../src/store/index.ts';
import { write } from '../search/directory-writer.ts';
import {
  createRandom,
  NOW,
  PUBLIC_URL,
  type Random,
  type RandomDirectory,
  randomDirectory,
  randomEvent,
} from '../search/random-directory.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';
import { createFakeExports, FAKE_EXPORT } from '../support/fakes/exports.ts';
import { createFakeFeeds } from '../support/fakes/feeds.ts';
import { createFakeGate, FAKE_KEYS } from '../support/fakes/gate.ts';
import { emptyDirectory } from '../support/records/bundle.ts';

let rig: TestStore;
let server: Server;
/** Renewed by hand: tests say what the read model knows. */
let snapshot: Snapshot;
let rows: RandomDirectory;
let clock = NOW;

beforeAll(async () => {
  rig = await openTestStore();
  const { db } = rig.store;
  const log = createLog('silent', new Writable({ write: (_chunk, _encoding, done) => done() }));
  const now = () => clock;
  const changes = createChangeReader({ db, commitWatcher: rig.store.createCommitWatcher(), publicUrl: PUBLIC_URL, now });
  const clocks = { directory: now, limits: now };
  const search = { current: () => snapshot };
  server = createServer({
    api: createApi({
      search,
      changes,
      feeds: createFakeFeeds(),
      exports: createFakeExports(),
      gate: createFakeGate(),
      publicUrl: () => PUBLIC_URL,
      clocks,
      log,
    }),
    log,
    ready: () => true,
  });
});
beforeEach(async () => {
  clock = NOW;
  await emptyDirectory(rig.store);
  const made = randomDirectory(createRandom(3), 40);
  const open = { state: 'published', mergedInto: null } as const;
  rows = {
    ...made,
    venues: made.venues.map((venue) => ({ ...venue, ...open, locationPrecision: 'area' as const })),
    events: made.events.map((event) => ({ ...event, ...open })),
  };
  await write(rig.store, rows, NOW);
  await renewSnapshot();
});
afterAll(async () => {
  await server.drain();
  await rig.dispose();
});

async function renewSnapshot(): Promise<void> {
  snapshot = openSnapshot(createSnapshotBuilder(await loadDirectory(rig.store.db, PUBLIC_URL)).build(NOW, NOW));
}

const ask = async (path: string) => {
  const answer = await server.app.inject({ url: `/api/v1${path}`, headers: { 'x-api-key': FAKE_KEYS.enterprise } });
  return { status: answer.statusCode, text: answer.body, json: JSON.parse(answer.body) };
};
const put = (...events: EventRow[]) => write(rig.store, { events }, NOW + 1);

interface Change {
  sequence: number;
  kind: string;
  entity: string;
  id: string;
  fields: string[];
  previous: Record<string, unknown>;
  record: Record<string, unknown> | null;
  mergedInto?: string;
  reason?: string;
}

/** A copy that is kept as callers are told to: pages are applied in order, records without bytes are dropped. */
async function follow(copy: Map<string, string>, cursor: string | null, query = ''): Promise<{ cursor: string; seen: Change[] }> {
  const seen: Change[] = [];
  for (let after = cursor; ; ) {
    const { status, text, json } = await ask(`/changes?kind=any&limit=7${after ? `&after=${after}` : ''}${query}`);
    expect(status, text).toBe(200);
    for (const change of json.data as Change[]) {
      seen.push(change);
      if (change.record) copy.set(change.id, JSON.stringify(change.record));
      else copy.delete(change.id);
    }
    after = json.meta.next as string;
    if (!json.meta.hasMore) return { cursor: after, seen };
  }
}

/** What the detail endpoints answer now. */
async function directory(): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const [kind, records] of [
    ['events', rows.events],
    ['venues', rows.venues],
  ] as const) {
    for (const { id } of records) {
      const { status, json } = await ask(`/${kind}/${id}`);
      if (status === 200) all.set(id, JSON.stringify(json.data));
    }
  }
  return all;
}

describe('a copy that follows the log', () => {
  test('ends equal to the directory, byte by byte, from the beginning and after every change', async () => {
    const random = createRandom(8);
    const copy = new Map<string, string>();
    let { cursor } = await follow(copy, null, '&entity=event,venue');
    expect(copy).toEqual(await directory());
    for (let step = 0; step < 12; step += 1) {
      await changeSomething(random);
      // Sometimes the log is read before the read model has seen the change.
      const isEarly = random.chance(0.5);
      if (!isEarly) await renewSnapshot();
      ({ cursor } = await follow(copy, cursor, '&entity=event,venue'));
      await renewSnapshot();
      ({ cursor } = await follow(copy, cursor, '&entity=event,venue'));
      expect(withoutCounts(copy)).toEqual(withoutCounts(await directory()));
    }
  });

  test('of a choice of events ends with what the list with the same filters holds', async () => {
    const random = createRandom(9);
    for (const filter of [
      'category=concert',
      'free=true',
      'tags=live',
      'status=any&q=jazz',
      'price_max=20&start_date=2026-03-08',
    ]) {
      const copy = new Map<string, string>();
      let { cursor } = await follow(copy, null, `&${filter}`);
      for (let step = 0; step < 6; step += 1) {
        await changeSomething(random);
        await renewSnapshot();
        ({ cursor } = await follow(copy, cursor, `&${filter}`));
        const dates = filter.includes('start_date') ? '&end_date=2999-01-01' : '&start_date=1990-01-01&end_date=2999-01-01';
        const list = await ask(`/events?limit=100&${filter}${dates}`);
        const ids = (list.json.data as { id: string }[]).map(({ id }) => id);
        expect([...copy.keys()].sort(), filter).toEqual(ids.sort());
      }
    }
  });

  test('of a choice of events loses what the lists drop because no source lists it any longer', async () => {
    const copy = new Map<string, string>();
    const { cursor } = await follow(copy, null, '&category=concert');
    const [id] = [...copy.keys()] as [string];
    await transact(rig.store.db, async (trx) => {
      await markUnconfirmed(trx, [id], NOW);
      await recordChanges(trx, await unlistUnconfirmed(trx, NOW, NOW + 1), NOW + 1);
    });
    await renewSnapshot();
    const { seen } = await follow(copy, cursor, '&category=concert');
    expect(seen).toMatchObject([{ id, kind: 'removed', record: null, reason: 'filter' }]);
    const removed = await ask(`/changes?after=${cursor}&category=concert&kind=removed`);
    expect(removed.json.data).toEqual(seen);
    expect((await ask(`/events/${id}`)).status).toBe(200);
  });

  test('proves that it is equal by 256 sums, and finds the range in which it is not', async () => {
    const copy = new Map<string, string>();
    await follow(copy, null, '&entity=event');
    await changeSomething(createRandom(4));
    await renewSnapshot();
    const { json } = await ask(`/changes/checksum?entity=event&at=${snapshot.seq}`);
    expect(json.data.sequence).toBe(snapshot.seq);
    const events = [...(await directory())].filter(([id]) => rows.events.some((event) => event.id === id));
    expect(json.data).toMatchObject({ entity: 'event', records: events.length, ranges: sumsOf(events) });
    const [changed = ['', '']] = events;
    const differs = sumsOf([[changed[0], `${changed[1]} `], ...events.slice(1)]).findIndex(
      (sum, at) => sum !== json.data.ranges[at],
    );
    expect(differs).toBe(Number.parseInt(changed[0].slice(-2), 16));
    const venues = [...(await directory())].filter(([id]) => rows.venues.some((venue) => venue.id === id));
    const sums = await ask('/changes/checksum?entity=venue');
    expect(sums.json.data.ranges).toEqual(sumsOf([...withoutCounts(new Map(venues))]));
  });
});

describe('a page of the log', () => {
  test('tells what changed, what it was before, and the record as it is now', async () => {
    const [event] = rows.events as [EventRow];
    const { json } = await ask('/changes');
    await put({ ...event, title: 'Another name', startsAt: event.startsAt + 3_600_000 });
    const after = `${json.meta.epoch}.${json.meta.head}`;
    const { data, meta } = (await ask(`/changes?after=${after}`)).json as { data: Change[]; meta: Record<string, unknown> };
    expect(data).toHaveLength(1);
    const [change] = data as [Change];
    expect(change).toMatchObject({ kind: 'rescheduled', entity: 'event', id: event.id, sequence: json.meta.head + 1 });
    expect(change.fields).toEqual(['slug', 'startDatetime', 'title', 'url']);
    expect(change.previous).toMatchObject({ title: event.title, url: expect.stringContaining('/events/') });
    expect(Date.parse(String(change.previous.startDatetime))).toBe(Math.floor(event.startsAt / 1000) * 1000);
    expect(meta).toEqual({
      next: `${json.meta.epoch}.${change.sequence}`,
      hasMore: false,
      head: change.sequence,
      epoch: json.meta.epoch,
    });
    await renewSnapshot();
    expect(change.record).toEqual((await ask(`/events/${event.id}`)).json.data);
  });

  test('leaves changes of scores out until they are asked for', async () => {
    const { json } = await ask('/changes');
    await write(rig.store, { scores: [{ id: rows.events[0]!.id, discoveryScore: 99 }] }, NOW + 1);
    const after = `${json.meta.epoch}.${json.meta.head}`;
    const plain = await ask(`/changes?after=${after}`);
    expect([plain.json.data, plain.json.meta.next]).toEqual([[], `${json.meta.epoch}.${json.meta.head + 1}`]);
    const scored = await ask(`/changes?after=${after}&kind=scored`);
    expect(scored.json.data).toMatchObject([{ kind: 'scored', fields: ['discoveryScore'], record: { discoveryScore: 99 } }]);
  });

  test('with a moving window is of its moment, also while the directory stays the same', async () => {
    const { epoch, head } = (await ask('/changes')).json.meta;
    const [first, second] = rows.events as [EventRow, EventRow];
    const soon = { startsAt: NOW + 3_600_000, endsAt: null, precision: 'time', status: 'scheduled' } as const;
    await put({ ...first, ...soon });
    await put({ ...second, title: 'News' });
    await renewSnapshot();
    const page = `/changes?after=${epoch}.${head}&limit=1&when=next_7_days`;
    expect((await ask(page)).json).toMatchObject({ data: [{ id: first.id, record: { id: first.id } }], meta: { hasMore: true } });
    clock = NOW + 2 * 3_600_000;
    expect((await ask(page)).json.data).toMatchObject([{ id: first.id, record: null, reason: 'filter' }]);
  });

  test('waits for the next change, and gives it before the read model has seen it', async () => {
    const { json } = await ask('/changes');
    const waiting = ask(`/changes?after=${json.meta.epoch}.${json.meta.head}&wait=25`);
    await put({ ...rows.events[1]!, title: 'News' });
    expect((await waiting).json.data).toMatchObject([{ record: { title: 'News' } }]);
  });

  test('refuses a cursor of another history, or beyond the end, with where the log ends', async () => {
    const { head } = await readLogState(rig.store.db);
    for (const cursor of ['0b6f1c4e-6f0a-4b57-9a55-0a7b8f1d2c3e.3', `${(await readLogState(rig.store.db)).epoch}.${head + 1}`]) {
      const { status, json } = await ask(`/changes?after=${cursor}`);
      const fullExport = `${PUBLIC_URL}/api/v1/exports/${FAKE_EXPORT}`;
      expect([status, json.code, json.head, json.fullExport]).toEqual([410, 'resync', head, fullExport]);
    }
    const { status, json } = await ask('/changes?after=12');
    expect([status, json.errors[0].code]).toEqual([400, 'not_a_cursor']);
  });

  test('is of another history when the city or the public address is another', async () => {
    const epochs = [(await readLogState(rig.store.db)).epoch];
    const changeCity = () =>
      transact(rig.store.db, async (trx) =>
        recordChanges(trx, await writeCity(trx, { ...rows.city, timezone: 'Asia/Tokyo' }), NOW),
      );
    const moves = [
      changeCity,
      changeCity,
      ...['https://a.test', 'https://b.test', 'https://b.test'].map((url) => () => notePublicUrl(rig.store.db, url)),
    ];
    for (const move of moves) {
      await move();
      epochs.push((await readLogState(rig.store.db)).epoch);
    }
    // The second of the same is no change; the first address is merely noted.
    expect(epochs.map((epoch) => epochs.indexOf(epoch))).toEqual([0, 1, 1, 1, 4, 4]);
  });

  test('is 503 while the store cannot be read, and the request is given back', async () => {
    await rig.store.db.schema.alterTable('change_log').renameTo('change_log_away').execute();
    try {
      for (const path of ['/changes', '/changes?wait=25', '/changes.rpde']) {
        const { status, json } = await ask(path);
        expect([path, status, json.code]).toEqual([path, 503, 'dependency_unavailable']);
      }
    } finally {
      await rig.store.db.schema.alterTable('change_log_away').renameTo('change_log').execute();
    }
  });

  test('holds a neighborhood back until the read model counts it', async () => {
    const { json } = await ask('/changes');
    const neighborhood = {
      id: 'bbbbbbbb-0000-7000-8000-0000000000ff',
      slug: 'new',
      name: 'New',
      description: null,
      latitude: 1,
      longitude: 2,
    };
    const geometry = { type: 'Polygon', coordinates: [] } as const;
    await transact(rig.store.db, async (trx) =>
      recordChanges(trx, await writeNeighborhoods(trx, [{ ...neighborhood, geometry, isNew: true }], NOW), NOW),
    );
    const cursor = `${json.meta.epoch}.${json.meta.head}`;
    expect((await ask(`/changes?after=${cursor}`)).json).toMatchObject({ data: [], meta: { next: cursor, hasMore: false } });
    await renewSnapshot();
    expect((await ask(`/changes?after=${cursor}`)).json.data).toMatchObject([{ record: { slug: 'new', eventCount: 0 } }]);
  });
});

describe('the log as Realtime Paged Data Exchange', () => {
  test('has each record once, in order, until a page without items that leads to itself', async () => {
    await changeSomething(createRandom(5));
    await put({ ...rows.events[2]!, title: 'Changed again' });
    await renewSnapshot();
    const seen: { id: string; modified: number; state: string; data?: object }[] = [];
    let next = '/changes.rpde?limit=5';
    for (;;) {
      const { json, status } = await ask(next);
      expect(status).toBe(200);
      expect(json.license).toMatch(/^https:/);
      const address: string = json.next.slice(`${PUBLIC_URL}/api/v1`.length);
      seen.push(...json.items);
      if (json.items.length === 0) {
        expect(address).toBe(next);
        break;
      }
      expect(address).not.toBe(next);
      next = address;
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(seen.map(({ modified }) => modified)).toEqual(seen.map(({ modified }) => modified).sort((a, b) => a - b));
    for (const { state, data } of seen) expect(data !== undefined).toBe(state === 'updated');
    const updated = new Map(seen.flatMap(({ id, data }) => (data ? [[id, JSON.stringify(data)] as const] : [])));
    const events = new Set(rows.events.map(({ id }) => id));
    expect(updated).toEqual(new Map([...(await directory())].filter(([id]) => events.has(id))));
  });

  test('says to begin anew when its numbers belong to another history, or are not given yet', async () => {
    const { json: first } = await ask('/changes.rpde?limit=5');
    const { searchParams } = new URL(first.next);
    const after = Number(searchParams.get('afterChangeNumber'));
    const { head } = (await ask('/changes')).json.meta;
    expect((await ask(`/changes.rpde?afterChangeNumber=${head}`)).status).toBe(200);
    for (const cursor of [`${after}&epoch=${randomUUID()}`, head + 1]) {
      const { status, json } = await ask(`/changes.rpde?afterChangeNumber=${cursor}`);
      expect([status, json.code]).toEqual([410, 'resync']);
    }
  });
});

async function changeSomething(random: Random): Promise<void> {
  const index = random.below(rows.events.length);
  const other = randomEvent(random, index, rows.venues, rows.events.length);
  const event: EventRow = { ...other, state: 'published', mergedInto: null };
  const venue = random.one(rows.venues);
  const changed = random.below(4);
  if (changed === 0) await write(rig.store, { removed: [event.id] }, NOW + 1);
  else if (changed === 1) await write(rig.store, { venues: [{ ...venue, name: `${venue.name} ${random.below(9)}` }] }, NOW + 1);
  else await put(event);
}

/** What is upcoming at a venue follows from the events: its number may be older than the log. */
function withoutCounts(records: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...records].map(([id, json]) => [id, json.replace(/,"upcomingEventCount":\d+(?=}$)/, '')]));
}

function sumsOf(records: readonly (readonly [string, string])[]): string[] {
  const sums = new Array<bigint>(256).fill(0n);
  for (const [id, json] of records) {
    const range = Number.parseInt(id.slice(-2), 16);
    sums[range] = (sums[range]! + BigInt(`0x${hash('sha1', json).slice(0, 16)}`)) % 2n ** 64n;
  }
  return sums.map((sum) => sum.toString(16).padStart(16, '0'));
}
