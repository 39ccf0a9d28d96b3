/** Keeping the builder's directory equal to the catalog: all of it once, then what the change list says. */

import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Transaction } from 'kysely';
import { readCity } from '../catalog/index.ts';
import { type Database, isWhole, type ListRow, limitQueries, listHead, prunedUpTo, readList } from '../store/index.ts';
import { createDirectory, type Directory } from './directory.ts';
import {
  FIRST_ID,
  LOAD_BATCH,
  readEventIdsAt,
  readEventsAfter,
  readEventsById,
  readNeighborhoodRows,
  readTrust,
  readVenuesAfter,
  readVenuesById,
} from './load.ts';
import type { EventRow } from './rows.ts';

/**
 * Reads everything, table after table. The rows are not of one moment: what changed meanwhile is in the change list after the
 * directory's number, so it is right once `followChanges` has come to the end.
 */
export async function loadDirectory(db: Kysely<Database>, publicUrl: string): Promise<Directory> {
  const seq = await listHead(db, 'change');
  const directory = createDirectory(await readCity(db), publicUrl);
  directory.setNeighborhoods(await readNeighborhoodRows(db));
  directory.setTrust(await readTrust(db));
  await eachBatch(
    (after) => readVenuesAfter(db, after),
    (venues) => {
      for (const venue of venues) directory.putVenue(venue);
    },
  );
  await eachBatch(
    (after) => readEventsAfter(db, after),
    (events) => putEvents(db, directory, events),
  );
  directory.seq = seq;
  return directory;
}

export type Followed =
  /** Nothing new. */
  | 'same'
  /** The directory is that of the last change. */
  | 'changed'
  /** It has come nearer, but must not be shown: it may hold half of somebody's work. */
  | 'behind'
  /** It cannot go on from where it is: load it anew. */
  | 'broken';

/**
 * Takes over what has changed, at most `MOST_CHANGES` changes at once. All is read in one transaction that sees one state of the
 * database, the one its last change left: a change that is read halfway would show half of it. After a rejection the same changes
 * are read again.
 */
export async function followChanges(
  db: Kysely<Database>,
  directory: Directory,
  { onHead = () => {}, headMs = LOAD_QUERY_MS, queryMs = LOAD_QUERY_MS }: FollowOptions = {},
): Promise<Followed> {
  const newest = await limitQueries(headMs, () => listHead(db, 'change'));
  if (newest === directory.seq) return 'same';
  if (newest < directory.seq) return 'broken';
  onHead(newest);
  return limitQueries(queryMs, () => takeChanges(db, directory));
}

export interface FollowOptions {
  /** Hears of changes that are about to be read. */
  onHead?(seq: number): void;
  /** On a server: how long the question whether there are changes may take. */
  headMs?: number;
  /** On a server: how long each question after it may take. */
  queryMs?: number;
}

async function takeChanges(db: Kysely<Database>, directory: Directory): Promise<Followed> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const head = await listHead(trx, 'change');
      const upTo = Math.min(head, directory.seq + MOST_CHANGES);
      const changes = await readChanges(trx, directory.seq, upTo);
      if (!changes || (await applyChanges(trx, directory, changes)) === 'broken') return 'broken';
      directory.seq = upTo;
      return upTo === head ? 'changed' : 'behind';
    });
}

/** Null when numbers are missing that were not deleted for their age: then the list was cut. */
async function readChanges(trx: Transaction<Database>, after: number, upTo: number): Promise<ListRow<'change'>[] | null> {
  const changes = (await readList(trx, 'change', after, upTo - after)).filter(({ seq }) => seq <= upTo);
  return isWhole(changes, { after, upTo, pruned: await prunedUpTo(trx, 'change') }) ? changes : null;
}

async function applyChanges(
  trx: Transaction<Database>,
  directory: Directory,
  changes: readonly ListRow<'change'>[],
): Promise<'broken' | 'applied'> {
  const changed = (entity: string): string[] => [
    ...new Set(changes.flatMap((change) => (change.entity === entity && change.entity_id !== null ? [change.entity_id] : []))),
  ];
  // Zone, currency and locale are in every answer.
  if (changes.some(({ entity }) => entity === 'city') && !isDeepStrictEqual(await readCity(trx), directory.city)) return 'broken';
  if (changed('neighborhood').length > 0) {
    const rows = await readNeighborhoodRows(trx);
    const slugs = new Map(directory.neighborhoods.map(({ id, slug }) => [id, slug]));
    // A slug that is renamed changes in its venues by itself ("on update cascade"), without a change of theirs.
    if (rows.some(({ id, slug }) => slugs.has(id) && slugs.get(id) !== slug)) return 'broken';
    directory.setNeighborhoods(rows);
  }
  const relocated = await takeVenues(trx, directory, changed('venue'));
  const events = new Set(changed('event'));
  for (const id of relocated.length > 0 ? await readEventIdsAt(trx, relocated) : []) events.add(id);
  await takeEvents(trx, directory, [...events]);
  return 'applied';
}

/** Returns the ids of venues of which events show something that has changed. */
async function takeVenues(trx: Transaction<Database>, directory: Directory, ids: readonly string[]): Promise<string[]> {
  const shown: string[] = [];
  await eachPart(ids, async (part) => {
    const rows = await readVenuesById(trx, part);
    for (const venue of rows) if (directory.putVenue(venue)) shown.push(venue.id);
    for (const id of missing(part, rows)) directory.forgetVenue(id);
  });
  return shown;
}

async function takeEvents(trx: Transaction<Database>, directory: Directory, ids: readonly string[]): Promise<void> {
  await eachPart(ids, async (part) => {
    const rows = await readEventsById(trx, part);
    await putEvents(trx, directory, rows);
    for (const id of missing(part, rows)) directory.forgetEvent(id);
  });
}

/** A venue that came after the venues were read is fetched. */
async function putEvents(db: Kysely<Database>, directory: Directory, events: readonly EventRow[]): Promise<void> {
  const unknown = [...new Set(events.map(({ venueId }) => venueId))].filter((id) => !directory.hasVenue(id));
  if (unknown.length > 0)
    await eachPart(unknown, async (part) => {
      for (const venue of await readVenuesById(db, part)) directory.putVenue(venue);
    });
  for (const event of events) directory.putEvent(event);
}

/** Reads the next batch while the last one is taken. */
async function eachBatch<T extends { id: string }>(
  read: (after: string) => Promise<T[]>,
  take: (rows: T[]) => Promise<void> | void,
): Promise<void> {
  let coming = read(FIRST_ID);
  for (;;) {
    const rows = await coming;
    const last = rows.at(-1);
    if (!last) return;
    coming = read(last.id);
    // An error is not lost: it comes up when the batch is awaited.
    coming.catch(() => {});
    await take(rows);
  }
}

async function eachPart(ids: readonly string[], take: (part: readonly string[]) => Promise<void>): Promise<void> {
  for (let first = 0; first < ids.length; first += LOAD_BATCH) await take(ids.slice(first, first + LOAD_BATCH));
}

function missing(ids: readonly string[], rows: readonly { id: string }[]): string[] {
  const there = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !there.has(id));
}

/** As `statement_timeout`. */
const LOAD_QUERY_MS = 60_000;
/** Bounds the transaction: some seconds of rows. */
const MOST_CHANGES = 20_000;
