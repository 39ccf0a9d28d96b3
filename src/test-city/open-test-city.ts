/** Builds the test city in a thread when it is first asked for, and again in the first request of each week. */

import { MessageChannel, Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { DEMO_CITY } from '../demo/index.ts';
import type { Change, NumberedChange } from '../records/index.ts';
import { type ChangeReader, createFixedChanges, readSearch, type SearchReader, type Snapshot } from '../search/index.ts';
import { createCityTime } from '../values/city-time.ts';
import type { TestCityThreadData } from './test-city-thread.ts';
import { testId } from './test-id.ts';

/** What answers are made of. */
export interface TestCityView {
  search: SearchReader;
  changes: ChangeReader;
}

export interface TestCity {
  /** The city of this week: a promise while it is being built. Rejects when it cannot be. */
  open(): TestCityView | Promise<TestCityView>;
}

/** `publicUrl` without a trailing slash; `now`: directory clock. */
export function openTestCity({ publicUrl, now }: { publicUrl: string; now: Clock }): TestCity {
  const time = createCityTime(DEMO_CITY.timezone);
  let week = '';
  let view: TestCityView | Promise<TestCityView> | null = null;

  return {
    open() {
      const monday = mondayOf(time.day(now()));
      if (view && week === monday) return view;
      week = monday;
      const building = buildInThread({ publicUrl, startOfWeek: time.dayBounds(monday).first }).then((snapshot) => {
        const built = toView(snapshot, monday, time.dayBounds(monday).first, now);
        if (view === building) view = built;
        return built;
      });
      view = building;
      // One that could not be built is tried again.
      building.catch(() => {
        if (view === building) view = null;
      });
      return building;
    },
  };
}

function toView(snapshot: Snapshot, monday: string, at: number, now: Clock): TestCityView {
  const search = { current: () => snapshot };
  const changes = createFixedChanges({ changes: logOf(snapshot, at), epoch: testId('epoch', monday), now });
  return { search, changes };
}

async function buildInThread(data: Omit<TestCityThreadData, 'into'>): Promise<Snapshot> {
  const { port1, port2 } = new MessageChannel();
  const failed = Promise.withResolvers<never>();
  const workerData: TestCityThreadData = { ...data, into: port2 };
  const worker = new Worker(THREAD, { name: 'test-city', workerData, transferList: [port2], resourceLimits: HEAP });
  worker.unref();
  worker.once('error', failed.reject);
  try {
    return (await Promise.race([readSearch(port1), failed.promise])).current();
  } finally {
    port1.close();
    await worker.terminate();
  }
}

const mondayOf = (day: string): string => {
  const date = Temporal.PlainDate.from(day);
  return date.subtract({ days: date.dayOfWeek - 1 }).toString();
};

/**
 * The change log of the test city: every record was created as the week began, then some events changed. Nothing comes after that.
 * `at`: when everything happened, milliseconds.
 */
function logOf(snapshot: Snapshot, at: number): NumberedChange[] {
  const changes: Change[] = [
    ...snapshot.neighborhoods(at).items.map(({ slug }) => created('neighborhood', testId('neighborhood', slug))),
    ...idsOf(snapshot, 'venue').map((id) => created('venue', id)),
    ...idsOf(snapshot, 'event').map((id) => created('event', id)),
    ...idsOf(snapshot, 'event').flatMap((id) => changeOf(snapshot, id)),
  ];
  return changes.map((change, index) => ({ ...change, seq: index + 1, at }));
}

const created = (entity: Change['entity'], entityId: string): Change => ({ kind: 'created', entity, entityId });

function idsOf(snapshot: Snapshot, kind: 'event' | 'venue'): string[] {
  const list = snapshot.records(kind);
  return Array.from({ length: list.count }, (_, n) => list.id(n));
}

function changeOf(snapshot: Snapshot, id: string): Change[] {
  const found = snapshot.event(id);
  if (found.found !== 'published') return [];
  const { status } = snapshot.lifecycle(found.item);
  const kind = status === 'cancelled' || status === 'rescheduled' ? status : status === 'postponed' ? 'updated' : null;
  return kind ? [{ kind, entity: 'event', entityId: id, previous: { status: 'scheduled' } }] : [];
}

const THREAD = new URL('./test-city-thread.ts', import.meta.url);
/** Megabytes: what is rendered lives shortly. */
const HEAP = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };
