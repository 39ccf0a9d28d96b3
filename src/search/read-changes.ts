/** The change log with each record as it is now: what readers outside follow. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import {
  type ChangeEntity,
  type ChangeKind,
  type LogState,
  lastChangeBefore,
  type NumberedChange,
  readLogPage,
  readLogState,
} from '../records/index.ts';
import { type CommitWatcher, createDeadline, type Database } from '../store/index.ts';
import type { Snapshot } from './query.ts';
import { createRecordReader, type RecordNow } from './read-records.ts';

export interface LoggedChange extends NumberedChange {
  record: RecordNow;
}

export interface ChangePage extends LogState {
  changes: LoggedChange[];
  /** All changes up to this number have been looked at. */
  reached: number;
  /** Whether the next page has changes already. What waits for the next snapshot does not count. */
  hasMore: boolean;
}

export interface ChangeQuery {
  after: number;
  limit: number;
  entities: readonly ChangeEntity[];
  kinds: readonly ChangeKind[];
  snapshot: Snapshot;
  /** Only changes that the snapshot holds; else also those that it is about to. */
  heldOnly: boolean;
  /** Each record once: of its changes of these kinds the last alone. */
  latestOnly?: boolean;
}

/** The store does not answer, or not in time. */
export class LogUnavailableError extends Error {}

/** Every question rejects with a `LogUnavailableError` when the store does not answer in time. */
export interface ChangeReader {
  state(): Promise<LogState>;
  /** The number of the last change before a moment, milliseconds; 0 for none. */
  lastBefore(moment: number): Promise<number>;
  /** Every record is at least as new as its change: whoever applies the pages in order ends with what the directory is. */
  read(query: ChangeQuery): Promise<ChangePage>;
  /** Resolves when the log is longer than `seq`, `isOver` says so, or `ms` have passed. */
  waitBeyond(seq: number, ms: number, isOver: () => boolean): Promise<void>;
}

export interface ChangeReaderOptions {
  db: Kysely<Database>;
  commitWatcher: CommitWatcher;
  /** Without a trailing slash. */
  publicUrl: string;
  /** Directory time, milliseconds. */
  now: Clock;
}

export function createChangeReader({ db, commitWatcher, publicUrl, now }: ChangeReaderOptions): ChangeReader {
  const records = createRecordReader(publicUrl);

  /** Of changes that no snapshot holds yet. */
  async function readNewest(trx: Kysely<Database>, changes: readonly NumberedChange[]): Promise<Map<string, RecordNow>> {
    const idsOf = (entity: ChangeEntity) => [
      ...new Set(changes.flatMap((change) => (change.entity === entity ? (change.entityId ?? []) : []))),
    ];
    const events = await records.events(trx, idsOf('event'));
    const venues = await records.venues(trx, idsOf('venue'), now());
    return new Map([...events, ...venues]);
  }

  /** `newestIn`: a transaction in which records are read that no snapshot holds yet; without it null when there are such. */
  async function readPage(query: ChangeQuery, newestIn: Kysely<Database> | null): Promise<ChangePage | null> {
    const { after, limit, snapshot, heldOnly } = query;
    const asksUpTo = heldOnly ? snapshot.seq : Number.MAX_SAFE_INTEGER;
    const log = await readLogPage(newestIn ?? db, { ...query, upTo: asksUpTo, limit: limit + 1 });
    const { changes: rows, ...state } = log;
    const isOfThisLog = isOfLog(snapshot, state);
    if (!isOfThisLog && heldOnly) return { ...state, reached: after, hasMore: false, changes: [] };
    const heldUpTo = isOfThisLog ? snapshot.seq : 0;
    const { changes, reached, hasMore } = cutPage(rows, { after, limit, heldUpTo, upTo: Math.min(state.head, asksUpTo) });
    const unheld = changes.filter(({ seq }) => seq > heldUpTo);
    if (unheld.length > 0 && !newestIn) return null;
    const newest = newestIn ? await readNewest(newestIn, unheld) : new Map<string, RecordNow>();
    const moment = now();
    const logged = changes.map((change) => {
      const record = change.seq > heldUpTo ? newestOf(newest, change) : recordIn(snapshot, change, moment);
      return { ...change, record };
    });
    return { ...state, reached, hasMore, changes: logged };
  }

  async function readInTransaction(query: ChangeQuery): Promise<ChangePage> {
    const page = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((trx) => readPage(query, trx));
    if (!page) throw new Error('cannot read a page of the change log');
    return page;
  }

  const inTime = createDeadline({ deadlineMs: DEADLINE_MS, mostHanging: MAX_HANGING });
  const asked = <T>(work: () => Promise<T>): Promise<T> =>
    inTime(work).catch((error: unknown) => {
      throw new LogUnavailableError('cannot read the change log', { cause: error });
    });
  const state = () => asked(() => readLogState(db));

  return {
    state,
    lastBefore: (moment) => asked(() => lastChangeBefore(db, moment)),
    read: (query) => asked(async () => (await readPage(query, null)) ?? readInTransaction(query)),
    waitBeyond: createHeadWatch(state, commitWatcher),
  };
}

/** A snapshot of lost numbers holds none of the log's, and one from before the city changed prints them otherwise. The next one will do. */
export const isOfLog = (snapshot: Pick<Snapshot, 'seq' | 'history'>, { history, citySeq }: LogState): boolean =>
  history === snapshot.history && citySeq <= snapshot.seq;

const newestOf = (newest: ReadonlyMap<string, RecordNow>, { entityId }: NumberedChange): RecordNow =>
  newest.get(entityId ?? '') ?? REMOVED;

interface PageBounds {
  after: number;
  limit: number;
  /** The snapshot holds changes up to here. */
  heldUpTo: number;
  /** The rows are all up to here, or one more than the limit. */
  upTo: number;
}

/** What is upcoming in a neighborhood is counted in snapshots alone: its change waits for the next one. */
function cutPage(rows: readonly NumberedChange[], { after, limit, heldUpTo, upTo }: PageBounds) {
  const cut = rows.findIndex(({ entity, seq }) => entity === 'neighborhood' && seq > heldUpTo);
  const changes = rows.slice(0, cut < 0 ? limit : Math.min(cut, limit));
  const reached = changes.length === rows.length ? Math.max(after, upTo) : (changes.at(-1)?.seq ?? after);
  return { changes, reached, hasMore: changes.length < rows.length && changes.length !== cut };
}

interface Waiter {
  seq: number;
  deadline: number;
  isOver: () => boolean;
  wake: () => void;
}

/** However many wait, one looks. */
export function createHeadWatch(state: ChangeReader['state'], commitWatcher: CommitWatcher): ChangeReader['waitBeyond'] {
  const waiters = new Set<Waiter>();
  let looking = false;

  /** Is over before anybody who was woken can wait again: that one begins the next look. */
  async function look(): Promise<void> {
    looking = true;
    let head = 0;
    try {
      while (waiters.size > 0) {
        if (head === 0 || !commitWatcher.nothingNew()) {
          const sawAll = commitWatcher.begin();
          head = (await state()).head;
          sawAll();
        }
        wakeThoseDone(head);
        if (waiters.size > 0) await delay(LOOK_EVERY_MS);
      }
    } catch {
      // The store does not answer: those who wait are told by their next question.
      for (const { wake } of waiters) wake();
      waiters.clear();
    } finally {
      looking = false;
    }
  }

  function wakeThoseDone(head: number): void {
    for (const waiter of waiters) {
      if (head <= waiter.seq && !waiter.isOver() && performance.now() < waiter.deadline) continue;
      waiters.delete(waiter);
      waiter.wake();
    }
  }

  return (seq, ms, isOver) =>
    new Promise((resolve) => {
      waiters.add({ seq, deadline: performance.now() + ms, isOver, wake: resolve });
      if (!looking) void look();
    });
}

export function recordIn(snapshot: Snapshot, { entity, entityId }: NumberedChange, now: number): RecordNow {
  const id = entityId ?? '';
  if (entity === 'neighborhood') {
    const json = snapshot.neighborhood(id, now);
    return json === null ? REMOVED : { found: 'published', json };
  }
  const lookup = entity === 'event' ? snapshot.event(id) : snapshot.venue(id, now);
  if (lookup.found !== 'published') return lookup;
  const item = [lookup.item];
  const bytes =
    entity === 'event' ? snapshot.writeEvents(item, 'detail', '', '') : snapshot.writeVenues(item, 'detail', now, '', '');
  return { found: 'published', json: bytes.toString() };
}

const REMOVED: RecordNow = { found: 'removed' };
/** A caller who is told that the log cannot be read asks again. */
const DEADLINE_MS = 5000;
const MAX_HANGING = 20;
/** A third of what a caller who waits may be late. */
const LOOK_EVERY_MS = 100;
