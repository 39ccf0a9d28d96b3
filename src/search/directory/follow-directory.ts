/** Keeping the builder's directory equal to the records: all of it once, then what the change list says. */

import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import { readCity } from '../../records/index.ts';
import { type Database, type ListRow, listEnd } from '../../store/index.ts';
import type { EventRow } from '../rows.ts';
import { createDirectory, type Directory } from './directory.ts';
import {
  FIRST_ID,
  LOAD_BATCH,
  readEventIdsAt,
  readEventsAfter,
  readEventsById,
  readNeighborhoodRows,
  readVenuesAfter,
  readVenuesById,
} from './load.ts';

/**
 * Reads everything, table after table. The rows are not of one moment: what changed meanwhile is in the change list after the
 * directory's number, so it is right once they were all taken.
 */
export async function loadDirectory(db: Kysely<Database>, publicUrl: string): Promise<Directory> {
  const { seq, history } = await listEnd(db, 'change');
  const directory = createDirectory(await readCity(db), publicUrl);
  directory.setNeighborhoods(await readNeighborhoodRows(db));
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
  directory.history = history;
  return directory;
}

/**
 * Takes over changes, the next ones up to a number, by rows of the state that the last change in `trx` left: a change that is read halfway
 * would show half of it. `broken`: it cannot go on from where it is: load it anew. After a rejection the same changes are taken again.
 */
export async function takeChanges(
  trx: Kysely<Database>,
  directory: Directory,
  changes: readonly ListRow<'change'>[],
  upTo: number,
): Promise<'broken' | 'taken'> {
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
  directory.seq = upTo;
  return 'taken';
}

/** Returns the ids of venues of which events show something that has changed. */
async function takeVenues(trx: Kysely<Database>, directory: Directory, ids: readonly string[]): Promise<string[]> {
  const shown: string[] = [];
  await eachPart(ids, async (part) => {
    const rows = await readVenuesById(trx, part);
    for (const venue of rows) if (directory.putVenue(venue)) shown.push(venue.id);
    for (const id of missing(part, rows)) directory.forgetVenue(id);
  });
  return shown;
}

async function takeEvents(trx: Kysely<Database>, directory: Directory, ids: readonly string[]): Promise<void> {
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
