/** Following a numbered list: every entry once, in order, for as long as the process lives, whatever the database does. */

import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import { ALWAYS_LOOK, type CommitWatcher } from './commit-watcher.ts';
import { createDeadline, limitQueries, type Patience } from './deadline.ts';
import {
  isWhole,
  type ListName,
  type ListPosition,
  type ListRow,
  type ListState,
  readListState,
  readListWithHead,
} from './lists.ts';
import type { Database } from './schema.ts';
import { StoreError } from './store-error.ts';

export interface FollowOptions<L extends ListName> {
  db: Kysely<Database>;
  list: L;
  /** The last number the caller has already seen; 0 for all. A number alone is of the history that the first look finds. */
  after: number | ListPosition;
  /**
   * Called with the next entries, one call at a time; `upTo` is the number up to which they are all. They are none where all entries
   * up to there were deleted for their age. An entry counts as seen when the call has ended well; when it throws, the same entries are
   * offered again. When it gives `broken`, the caller cannot go on from here; see `startOver`.
   */
  handler(rows: ListRow<L>[], upTo: number, trx: Kysely<Database>): unknown;
  /** An entry that was deleted for its age before it was seen is missed: the caller must start over. */
  needsEvery?: boolean;
  /** The entries are read, and the handler is called, in a transaction that sees the state that some entry left. */
  inTransaction?: boolean;
  /**
   * Called when the list cannot be followed from here: it was cut, or the database was restored to an earlier time. Gives where to go on
   * from, as `after` does. Without it the follower stays where it is, with the error `list_broken`.
   */
  startOver?(why: Break): Promise<number | ListPosition>;
  /** Hears of entries that are about to be read. */
  onHead?(seq: number): void;
  /**
   * Called after each look that has seen all, also one that was spared; `moment` is when it began, by `monotonic`. Gives the rest
   * before the next look in milliseconds. A rejection counts as a look that failed.
   */
  afterLook?(moment: number, position: number): Promise<number> | number;
  /** A look failed; the first one since one went well, or another. */
  onFailure?(error: Error, isFirst: boolean): void;
  /** A look went well again. */
  onRecovery?(): void;
  /** Says when a look would find nothing; without it every one asks. */
  commitWatcher?: CommitWatcher;
  /** How long each question for entries may take on either engine; without it questions are limited on a server only. */
  patience?: Patience;
  pollMs?: number;
  batchSize?: number;
  now?: Clock;
  monotonic?: Clock;
}

export interface Break {
  /** Numbers went back, or entries are missing or are other ones, and nobody has begun another history for it yet. */
  isLoss: boolean;
  /** Of the numbers that the follower has seen. */
  history: string;
}

export interface FollowStatus {
  /** The number of the last entry seen. */
  position: number;
  /** How many entries of the list, as of the last look, are not seen yet. */
  lag: number;
  /** When everything there was had been seen, in milliseconds of `now`; undefined before the first time. */
  lastSuccessAt: number | undefined;
  /** Why the last look failed; undefined when it did not. */
  error: Error | undefined;
}

export interface Follower {
  status(): FollowStatus;
  /** Resolves when a look that began after this call has seen all there was; rejects when it failed or the follower is closed. */
  catchUp(): Promise<void>;
  /** Whether nothing can have been added since the last look that saw all. Costs next to nothing. */
  isCurrent(): boolean;
  /** Takes note that the database did not answer somebody else: the next look asks. */
  reportFailure(error: unknown): void;
  /** Resolves when no call of the handler is running or will come. */
  close(): Promise<void>;
}

/** Starts at once. Failures are reported, and tried again at least every second. */
export function followList<L extends ListName>(options: FollowOptions<L>): Follower {
  const { commitWatcher = ALWAYS_LOOK, pollMs = POLL_MS, now = Date.now, monotonic = () => performance.now() } = options;
  const reader = createReader(options);
  let lastSuccessAt: number | undefined;
  let failure: Error | undefined;
  let failures = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  /** A turn that callers of `catchUp` wait for and that has not begun: they share it. */
  let asked: Promise<void> | undefined;

  /** Never rejects; gives the rest before the next turn, too. */
  async function turn(mustAsk: boolean): Promise<{ restMs: number; error?: Error }> {
    const begun = performance.now();
    try {
      const moment = monotonic();
      if (mustAsk || failure || !commitWatcher.nothingNew()) await look(options, reader, () => closed);
      if (closed) throw new StoreError('store_closed');
      lastSuccessAt = now();
      const restMs = await options.afterLook?.(moment, reader.position());
      if (failure) options.onRecovery?.();
      failure = undefined;
      failures = 0;
      return { restMs: restMs ?? pollMs };
    } catch (error) {
      failures += 1;
      // From the beginning of the turn: one that has waited for an answer need not wait once more.
      const restMs = Math.min(MAX_REST_MS, pollMs * 2 ** failures) - (performance.now() - begun);
      return { restMs: Math.max(pollMs, restMs), error: closed ? asError(error) : reportFailure(error) };
    }
  }

  /** One more turn after the one that runs. */
  function takeTurn(mustAsk: boolean): Promise<void> {
    clearTimeout(timer);
    const next = running.then(async () => {
      if (mustAsk) asked = undefined;
      if (closed) throw new StoreError('store_closed');
      const { restMs, error } = await turn(mustAsk);
      clearTimeout(timer);
      if (!closed) timer = setTimeout(poll, restMs).unref();
      if (error) throw error;
    });
    running = next.catch(() => {});
    return next;
  }

  function poll(): void {
    takeTurn(false).catch(() => {});
  }

  function reportFailure(error: unknown): Error {
    const isFirst = !failure;
    failure = asError(error);
    options.onFailure?.(failure, isFirst);
    return failure;
  }

  poll();
  return {
    status: () => ({ position: reader.position(), lag: reader.lag(), lastSuccessAt, error: failure }),
    catchUp() {
      asked ??= takeTurn(true);
      return asked;
    },
    isCurrent: () => !failure && commitWatcher.nothingNew(),
    reportFailure: (error) => void reportFailure(error),
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Takes all that there is. */
async function look<L extends ListName>(
  { list, startOver, commitWatcher = ALWAYS_LOOK }: FollowOptions<L>,
  reader: ReturnType<typeof createReader<L>>,
  isClosed: () => boolean,
): Promise<void> {
  const sawAll = commitWatcher.begin();
  while (!isClosed()) {
    const step = await reader.step(isClosed);
    if (step.kind === 'end') return sawAll();
    if (step.kind === 'more') continue;
    if (!startOver) throw new StoreError('list_broken', { list, position: String(reader.position()) });
    reader.moveTo(await startOver({ isLoss: step.kind === 'lost', history: reader.history() }));
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Knows the position in the list and takes it from batch to batch. */
function createReader<L extends ListName>(options: FollowOptions<L>) {
  const { db, list, handler, onHead, batchSize = BATCH_SIZE } = options;
  const inTime = options.patience
    ? createDeadline(options.patience)
    : <T>(work: () => Promise<T>) => limitQueries(QUERY_MS, work);
  let position = 0;
  let history: string | undefined;
  /** When the entry at the position was made; undefined: not known. */
  let entryAt: number | undefined;
  let head = 0;
  let lateSteps = 0;
  moveTo(options.after);

  function moveTo(place: number | ListPosition): void {
    const isNumber = typeof place === 'number';
    position = isNumber ? place : place.seq;
    history = isNumber ? undefined : place.history;
    entryAt = undefined;
    head = Math.max(head, position);
  }

  /** Whether the list is still the one in which the position is; takes note of what it is like there. */
  function check(state: ListState): Step | null {
    head = state.head;
    history ??= state.history;
    if (history !== state.history) return RENEWED;
    // The list went back, and may have grown since then.
    if (head < position || (entryAt !== undefined && state.entryAt !== null && state.entryAt !== entryAt)) return LOST;
    entryAt = state.entryAt ?? undefined;
    return null;
  }

  /** `rows` is as many as were asked for, or all that there are. */
  async function take(batch: Batch<L>, handle: typeof db, isClosed: () => boolean): Promise<Step> {
    const broken = check(batch);
    if (broken) return broken;
    if (head === position) return END;
    const { rows, pruned } = batch;
    const last = rows.length < batchSize ? head : (rows.at(-1)?.seq ?? head);
    // What is missing and was not deleted for its age will not come any more.
    if (!isWhole(rows, { after: position, upTo: last, pruned })) return LOST;
    if (isMissed(options, position, pruned)) return RENEWED;
    if (isClosed()) return END;
    if ((await handler(rows, last, handle)) === 'broken') return RENEWED;
    return { kind: 'more', last, at: rows.findLast(({ seq }) => seq === last)?.at.getTime() };
  }

  function moveOn(step: Step): Step {
    if (step.kind !== 'more') return step;
    position = step.last;
    entryAt = step.at;
    return position === head ? END : step;
  }

  async function stepPlainly(isClosed: () => boolean): Promise<Step> {
    const read = await inTime(() => readListWithHead(db, list, position, batchSize));
    if (read.head > position) onHead?.(read.head);
    return moveOn(await take(read, db, isClosed));
  }

  async function stepInTransaction(isClosed: () => boolean): Promise<Step> {
    const broken = check(await inTime(() => readListState(db, list, position)));
    if (broken) return broken;
    if (head === position) return END;
    onHead?.(head);
    // A busy database gets longer for what the handler reads; a silent network was noticed by the question before.
    lateSteps += 1;
    const queryMs = Math.min(MAX_QUERY_MS, QUERY_MS * 2 ** (lateSteps - 1));
    const step = await limitQueries(queryMs, () =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (trx) => take(await readListWithHead(trx, list, position, batchSize), trx, isClosed)),
    );
    lateSteps = 0;
    return moveOn(step);
  }

  return {
    position: () => position,
    history: () => history ?? '',
    lag: () => Math.max(0, head - position),
    moveTo,
    step: options.inTransaction ? stepInTransaction : stepPlainly,
  };
}

/** Whether an entry was deleted for its age that the caller must see. */
const isMissed = ({ needsEvery }: { needsEvery?: boolean }, position: number, pruned: number): boolean =>
  needsEvery === true && position < pruned;

type Batch<L extends ListName> = Awaited<ReturnType<typeof readListWithHead<L>>>;
type Step = { kind: 'end' } | { kind: 'lost' } | { kind: 'renewed' } | { kind: 'more'; last: number; at: number | undefined };

const END: Step = { kind: 'end' };
/** What was seen is not in the list any more. */
const LOST: Step = { kind: 'lost' };
/** The list is well, but not for this follower from here. */
const RENEWED: Step = { kind: 'renewed' };
const POLL_MS = 250;
const BATCH_SIZE = 1000;
/** So that what changed during an outage is seen within 2 s of its end. */
const MAX_REST_MS = 1_000;
/** On a server: a silent network is noticed, and what changed since is read over another connection, within 5 s. */
const QUERY_MS = 4_000;
/** As `statement_timeout`. */
const MAX_QUERY_MS = 60_000;
