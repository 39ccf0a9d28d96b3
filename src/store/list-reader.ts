/** Reads a numbered list batch by batch from a position on, and notices where the list is not the one it was. */

import type { Kysely } from 'kysely';
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

export interface ListReaderOptions<L extends ListName> {
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
  /** Hears of entries that are about to be read. */
  onHead?(seq: number): void;
  /** How long each question for entries may take on either engine; without it questions are limited on a server only. */
  patience?: Patience;
  batchSize?: number;
}

export interface ListReader {
  /** The number of the last entry seen. */
  position(): number;
  /** Of the numbers seen; empty before the first look. */
  history(): string;
  /** How many entries are not seen yet, as of the last look. */
  lag(): number;
  moveTo(place: number | ListPosition): void;
  /** Reads and hands over the next batch. */
  step(isClosed: () => boolean): Promise<Step>;
}

export function createListReader<L extends ListName>(options: ListReaderOptions<L>): ListReader {
  const { db, list, handler, onHead, batchSize = BATCH_SIZE } = options;
  const inTime = options.patience
    ? createDeadline(options.patience)
    : <T>(work: () => Promise<T>) => limitQueries(QUERY_MS, work);
  const place = createListPlace(options.after);
  let lateSteps = 0;

  /** `rows` is as many as were asked for, or all that there are. */
  async function take(batch: Batch<L>, handle: typeof db, isClosed: () => boolean): Promise<Step> {
    const broken = place.check(batch);
    if (broken) return broken;
    const position = place.position();
    const head = place.head();
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

  async function stepPlainly(isClosed: () => boolean): Promise<Step> {
    const position = place.position();
    const read = await inTime(() => readListWithHead(db, list, position, batchSize));
    if (read.head > position) onHead?.(read.head);
    return place.moveOn(await take(read, db, isClosed));
  }

  async function stepInTransaction(isClosed: () => boolean): Promise<Step> {
    const broken = place.check(await inTime(() => readListState(db, list, place.position())));
    if (broken) return broken;
    if (place.head() === place.position()) return END;
    onHead?.(place.head());
    // A busy database gets longer for what the handler reads; a silent network was noticed by the question before.
    lateSteps += 1;
    const queryMs = Math.min(MAX_QUERY_MS, QUERY_MS * 2 ** (lateSteps - 1));
    const step = await limitQueries(queryMs, () =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (trx) => take(await readListWithHead(trx, list, place.position(), batchSize), trx, isClosed)),
    );
    lateSteps = 0;
    return place.moveOn(step);
  }

  return {
    position: place.position,
    history: place.history,
    lag: place.lag,
    moveTo: place.moveTo,
    step: options.inTransaction ? stepInTransaction : stepPlainly,
  };
}

/** The position in the list, and what the list was like there. */
function createListPlace(after: number | ListPosition) {
  let position = 0;
  let history: string | undefined;
  /** When the entry at the position was made; undefined: not known. */
  let entryAt: number | undefined;
  let head = 0;

  function moveTo(place: number | ListPosition): void {
    const isNumber = typeof place === 'number';
    position = isNumber ? place : place.seq;
    history = isNumber ? undefined : place.history;
    entryAt = undefined;
    head = Math.max(head, position);
  }
  moveTo(after);

  return {
    position: () => position,
    history: () => history ?? '',
    /** The last number of the list, as of the last look. */
    head: () => head,
    lag: () => Math.max(0, head - position),
    moveTo,

    /** Whether the list is still the one in which the position is; takes note of what it is like there. */
    check(state: ListState): Step | null {
      head = state.head;
      history ??= state.history;
      if (history !== state.history) return RENEWED;
      // The list went back, and may have grown since then.
      if (head < position || (entryAt !== undefined && state.entryAt !== null && state.entryAt !== entryAt)) return LOST;
      entryAt = state.entryAt ?? undefined;
      return null;
    },

    moveOn(step: Step): Step {
      if (step.kind !== 'more') return step;
      position = step.last;
      entryAt = step.at;
      return position === head ? END : step;
    },
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
const BATCH_SIZE = 1000;
/** On a server: a silent network is noticed, and what changed since is read over another connection, within 5 s. */
const QUERY_MS = 3_000;
/** As `statement_timeout`. */
const MAX_QUERY_MS = 60_000;
