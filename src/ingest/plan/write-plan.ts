/** A plan into the directory: each batch is one transaction, whole or not at all, and what belongs together is in one. */

import type { Kysely, Transaction } from 'kysely';
import type { EventRecord, Locate, ProviderClocks, VenueGroup } from '../../facts/index.ts';
import {
  type Change,
  type EventWrite,
  markUnconfirmed,
  mergeEvents,
  mergeVenues,
  recordChanges,
  removeEvents,
  type VenueWrite,
  writeEvents,
  writeVenues,
} from '../../records/index.ts';
import { type Database, transact } from '../../store/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import type { Leads } from '../decisions/active-corrections.ts';
import { applyEventCorrections, applyVenueCorrections } from '../decisions/apply-corrections.ts';
import { type CoListedNight, writeCoListings } from '../decisions/co-listings.ts';
import { type ReviewCandidate, writeReviewCandidates } from '../decisions/decisions.ts';
import { checkFence, type DirectoryLease, type Fence } from '../lease.ts';
import { lockRecords, markGoneInRun, moveToSurvivors, writeRunRecords } from '../records/records.ts';
import { scoreAll, settleScores, type UnscoredEvent } from '../scores/score-events.ts';
import { writeClocks } from '../sources/source-state.ts';

export interface WritePlan {
  locate: Locate;
  venues: readonly VenueGroup[];
  venueMergers: readonly { id: string; into: string }[];
  events: readonly EventPiece[];
  /** Records that are kept without an event until somebody knows their place. */
  waiting: readonly EventRecord[];
  /** Events whose last record has gone; `removed` ones were never meant to be. */
  silent: readonly { eventId: string; isRemoved: boolean }[];
  gone: readonly GoneRecord[];
  clocks: ProviderClocks;
  /** Records whose pairs were looked at: open candidates between them that are asked no longer are dropped. */
  lookedAt: readonly string[];
  candidates: readonly ReviewCandidate[];
  /** Pairs that are asked about no longer. */
  staleCandidates: readonly { left: string; right: string }[];
  coListings: readonly CoListedNight[];
}

export interface EventPiece {
  event: EventWrite;
  /** As its sources say it, without the operator's corrections. */
  said: UnscoredEvent;
  /** Which corrections are in `event`; see `Corrected`. */
  corrections: string;
  isRevived: boolean;
  members: readonly EventRecord[];
  /** Events that are merged into this one. */
  absorbs: readonly string[];
}

export interface GoneRecord {
  id: string;
  targetId: string | null;
}

export interface WriteContext {
  db: Kysely<Database>;
  lease: DirectoryLease;
  runId: string;
  now: number;
  timezone: string;
  /** The run of a source is refused once a later one has begun. */
  fence: Fence | null;
  onProgress?: (done: number, of: number) => void;
}

/** Pieces that are written already are simply written again by the next run, to no effect. */
export async function writePlan(plan: WritePlan, context: WriteContext): Promise<void> {
  const pieces: Piece[] = [
    ...plan.events.map((piece) => ({
      piece,
      keys: [piece.event.id, ...piece.absorbs, ...piece.members.flatMap(({ targetId }) => targetId ?? [])],
    })),
    ...plan.waiting.map((waiting) => ({ waiting, keys: [waiting.targetId ?? waiting.id] })),
    ...plan.gone.map((gone) => ({ gone, keys: [gone.targetId ?? gone.id] })),
    ...plan.silent.map((silent) => ({ silent, keys: [silent.eventId] })),
  ];
  let done = 0;
  const note = (written: number): void => {
    done += written;
    context.onProgress?.(done, plan.venues.length + pieces.length);
  };
  for (const groups of inBatches(plan.venues, venueKeys(plan), BATCH)) {
    await writeVenueBatch(groups, plan, context);
    note(groups.length);
  }
  for (const batch of inBatches(pieces, ({ keys }) => keys, BATCH)) {
    await writeEventBatch(batch, context);
    note(batch.length);
  }
  await inTransaction(context, async (trx) => {
    await writeReviewCandidates(trx, { ...plan, stale: plan.staleCandidates }, context.now);
    await writeCoListings(trx, plan.coListings);
    await writeClocks(trx, plan.clocks, context.now);
    return settleScores(trx, { now: context.now, day: createCityTime(context.timezone).day(context.now) });
  });
}

type Piece = { keys: readonly string[] } & (
  | { piece: EventPiece }
  | { waiting: EventRecord }
  | { gone: GoneRecord }
  | { silent: WritePlan['silent'][number] }
);

const venueKeys =
  ({ venueMergers }: WritePlan) =>
  ({ venue, members }: VenueGroup): string[] => [
    venue.id,
    ...members.flatMap(({ targetId }) => targetId ?? []),
    ...venueMergers.flatMap(({ id, into }) => (into === venue.id ? [id] : [])),
  ];

async function writeVenueBatch(groups: readonly VenueGroup[], plan: WritePlan, context: WriteContext): Promise<void> {
  const ids = new Set(groups.map(({ venue }) => venue.id));
  await inTransaction(context, async (trx) => {
    const revived = new Set(groups.filter(({ isRevived }) => isRevived).map(({ venue }) => venue.id));
    const mergers = plan.venueMergers.filter(({ into }) => ids.has(into));
    const changes = await writeVenues(trx, await venuesNow(trx, groups, plan.locate, { mergers, revived }), context.now, revived);
    const records = groups.flatMap(({ venue, members }) => members.map((record) => ({ record, targetId: venue.id })));
    await writeRunRecords(trx, 'venue', records, context);
    return [...changes, ...(await mergeVenues(trx, mergers, context.now))];
  });
}

async function writeEventBatch(batch: readonly Piece[], context: WriteContext): Promise<void> {
  const pieces = batch.flatMap((entry) => ('piece' in entry ? [entry.piece] : []));
  const gone = batch.flatMap((entry) => ('gone' in entry ? [entry.gone.id] : []));
  const silent = batch.flatMap((entry) => ('silent' in entry ? [entry.silent] : []));
  await inTransaction(context, async (trx) => {
    const { now } = context;
    const revived = new Set(pieces.filter(({ isRevived }) => isRevived).map(({ event }) => event.id));
    const mergers = pieces.flatMap(({ event, absorbs }) => absorbs.map((id) => ({ id, into: event.id })));
    const events = await eventsNow(trx, pieces, { mergers, revived }, now);
    const moment = { now, day: createCityTime(context.timezone).day(now) };
    const changes = await writeEvents(trx, events, moment, { revived });
    const records = pieces.flatMap(({ event, members }) =>
      members.map((record) => ({ record, targetId: event.id as string | null })),
    );
    records.push(...batch.flatMap((entry) => ('waiting' in entry ? [{ record: entry.waiting, targetId: null }] : [])));
    await writeRunRecords(trx, 'event', records, context);
    await markGoneInRun(trx, gone, context);
    changes.push(...(await mergeEvents(trx, mergers, now)));
    await moveToSurvivors(trx, mergers);
    const removed = silent.filter(({ isRemoved }) => isRemoved).map(({ eventId }) => eventId);
    changes.push(...(await removeEvents(trx, removed, now)));
    await markUnconfirmed(
      trx,
      silent.filter(({ isRemoved }) => !isRemoved).map(({ eventId }) => eventId),
      now,
    );
    return changes;
  });
}

/** A correction made or taken back since the plan was made counts, too. */
async function venuesNow(
  trx: Transaction<Database>,
  groups: readonly VenueGroup[],
  locate: Locate,
  leads: Leads,
): Promise<VenueWrite[]> {
  const applied = await applyVenueCorrections(
    trx,
    groups.map(({ said }) => said),
    locate,
    leads,
  );
  return applied.map(({ record }) => record);
}

/** As `venuesNow`; scored anew where it makes a difference. */
async function eventsNow(
  trx: Transaction<Database>,
  pieces: readonly EventPiece[],
  leads: Leads,
  now: number,
): Promise<EventWrite[]> {
  const applied = await applyEventCorrections(
    trx,
    pieces.map(({ said }) => said),
    leads,
  );
  const late = applied.filter(({ print, record }, index) => {
    const piece = pieces[index];
    return print !== piece?.corrections || record.venueId !== piece.event.venueId;
  });
  const scored = new Map((late.length > 0 ? await scoreAll(trx, late, now) : []).map((event) => [event.id, event]));
  return pieces.map(({ event }) => scored.get(event.id) ?? event);
}

/** Checks the lease first and numbers the changes last. */
async function inTransaction(
  { db, lease, fence, now }: WriteContext,
  work: (trx: Transaction<Database>) => Promise<Change[]>,
): Promise<void> {
  await transact(db, async (trx) => {
    await lease.check(trx);
    if (fence) await checkFence(trx, fence);
    await lockRecords(trx);
    await recordChanges(trx, await work(trx), now);
  });
}

/**
 * Work cut into transactions: what touches the same record of the directory is never parted. `keysOf` names all that an item touches.
 * Batches have at least `size` items where there are as many; the order is kept otherwise.
 */
function inBatches<T>(items: readonly T[], keysOf: (item: T) => readonly string[], size: number): T[][] {
  const leader = items.map((_, index) => index);
  const find = (index: number): number => {
    let at = index;
    while (leader[at] !== at) {
      const above = leader[leader[at] ?? at] ?? at;
      leader[at] = above;
      at = above;
    }
    return at;
  };
  const firstWith = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    for (const key of keysOf(item)) {
      const other = firstWith.get(key);
      if (other === undefined) firstWith.set(key, index);
      else leader[find(index)] = find(other);
    }
  }
  const connected = Map.groupBy(items.entries(), ([index]) => find(index));
  const batches: T[][] = [];
  for (const entries of connected.values()) {
    const last = batches.at(-1);
    const together = [...entries].map(([, item]) => item);
    if (last && last.length < size) last.push(...together);
    else batches.push(together);
  }
  return batches;
}

/** Records of the directory in one transaction: larger ones gain nothing and hold others up longer. */
const BATCH = 500;
