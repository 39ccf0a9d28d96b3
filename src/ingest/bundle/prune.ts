/** Taking out what earlier bundles brought and the present one lacks. */

import type { Kysely, Transaction } from 'kysely';
import { quote, type Reject } from '../../facts/index.ts';
import { type Change, recordChanges, removeEvents, removeNeighborhoods, removeVenues } from '../../records/index.ts';
import { type Database, transact } from '../../store/index.ts';
import { rebuildEvents, rebuildVenue } from '../decisions/rebuild.ts';
import { loadEventsAtVenues, loadNeighborhoodsInUse, loadOtherRecords } from '../records/load-others.ts';
import { lockRecords, markGone, presentRecords, type RecordKind } from '../records/records.ts';
import type { RunContext } from './context.ts';
import type { FileNotes } from './import-lines.ts';
import { BUNDLE_FILES } from './open-bundle.ts';

type OnReject = (reject: Reject) => void;
interface Lacking {
  recordId: string;
  externalId: string;
  targetId: string;
}

/** Returns how many events were removed. */
export async function pruneEvents(context: RunContext, events: FileNotes, onReject: OnReject): Promise<number> {
  if (!trusted(events, onReject)) return 0;
  let removed = 0;
  for await (const lacking of lackingRecords(context, 'event', events)) {
    removed += await decide(context, async (db, trx) => {
      const told = await toldByOthers(db, context, 'event', lacking, events);
      const alone = lacking.filter(({ targetId }) => !told.has(targetId));
      if (!trx) return alone.length;
      const changes = await removeEvents(trx, targets(alone), context.now);
      await markGone(trx, records(lacking), context.now);
      const rebuilt = told.size > 0 ? await rebuildEvents(trx, [...told], context.now) : [];
      await recordChanges(trx, [...changes, ...rebuilt], context.now);
      return alone.length;
    });
  }
  return removed;
}

/**
 * Returns how many venues were removed. One where an event is still held is kept and reported. `visited` are the venues of the
 * events that a dry run has accepted.
 */
export async function pruneVenues(
  context: RunContext,
  venues: FileNotes,
  events: FileNotes | null,
  visited: ReadonlySet<string>,
  onReject: OnReject,
): Promise<number> {
  if (!trusted(venues, onReject)) return 0;
  let removed = 0;
  for await (const lacking of lackingRecords(context, 'venue', venues)) {
    const { free, held } = await decide(context, async (db, trx) => {
      const told = await toldByOthers(db, context, 'venue', lacking, venues);
      const alone = lacking.filter(({ targetId }) => !told.has(targetId));
      const inUse = await venuesInUse(db, context, alone, events, visited);
      const decided = {
        free: alone.filter(({ targetId }) => !inUse.has(targetId)),
        held: alone.filter(({ targetId }) => inUse.has(targetId)),
      };
      if (!trx) return decided;
      const leaving = lacking.filter(({ targetId }) => told.has(targetId));
      const changes = await removeVenues(trx, targets(decided.free), context.now);
      await markGone(trx, records([...decided.free, ...leaving]), context.now);
      for (const id of told) changes.push(...(await rebuildVenue(trx, id, context.now)));
      await recordChanges(trx, changes, context.now);
      return decided;
    });
    for (const { externalId } of held) {
      onReject({
        file: BUNDLE_FILES.venues,
        line: 0,
        field: null,
        reason: `venue ${quote(externalId)} is not pruned because it has events`,
      });
    }
    removed += free.length;
  }
  return removed;
}

/** Returns how many neighborhoods were deleted. One that a venue's source names is kept and reported. */
export async function pruneNeighborhoods(
  context: RunContext,
  lacking: readonly { id: string; slug: string }[],
  venues: FileNotes | null,
  onReject: OnReject,
): Promise<number> {
  const slugs = lacking.map(({ slug }) => slug);
  const named = await decide(context, async (db, trx) => {
    const named = await namedNeighborhoods(db, context, slugs, venues);
    const free = lacking.filter(({ slug }) => !named.has(slug));
    const changes: Change[] = trx && free.length > 0 ? await removeNeighborhoods(trx, free) : [];
    if (trx) await recordChanges(trx, changes, context.now);
    return named;
  });
  for (const slug of named) {
    const reason = `neighborhood ${JSON.stringify(slug)} is not pruned because it has venues`;
    onReject({ file: BUNDLE_FILES.neighborhoods, line: 0, field: null, reason });
  }
  return lacking.length - named.size;
}

/** What others say is looked at and acted on in one transaction, and no other writer of records comes between. A dry run has none. */
function decide<T>(
  context: RunContext,
  work: (db: Kysely<Database>, trx: Transaction<Database> | null) => Promise<T>,
): Promise<T> {
  if (context.dryRun) return work(context.db, null);
  return transact(context.db, async (trx) => {
    await lockRecords(trx);
    return await work(trx, trx);
  });
}

/** A line that does not say which record it is might be any of those that seem to lack. */
function trusted(notes: FileNotes, onReject: OnReject): boolean {
  if (notes.nameless === 0) return true;
  const reason = `nothing is pruned: ${notes.nameless} of its lines have no readable externalId`;
  onReject({ file: notes.file, line: 0, field: null, reason });
  return false;
}

/** The events or venues that others list, too, and go on listing: what a person has made one, and venues that sources know. */
async function toldByOthers(
  db: Kysely<Database>,
  context: RunContext,
  kind: RecordKind,
  lacking: readonly Lacking[],
  notes: FileNotes,
): Promise<Set<string>> {
  const others = await loadOtherRecords(db, kind, { targetIds: targets(lacking), without: records(lacking) });
  const stays = others.filter(({ sourceId, externalId }) => sourceId !== context.sourceId || notes.has(externalId));
  return new Set(stays.map(({ targetId }) => targetId));
}

async function* lackingRecords(context: RunContext, kind: RecordKind, notes: FileNotes): AsyncGenerator<Lacking[]> {
  for (let after = ''; ; ) {
    const page = await presentRecords(context.db, context.sourceId, kind, after);
    const last = page.at(-1);
    if (!last) return;
    after = last.externalId;
    const lacking = page.filter(({ externalId }) => !notes.has(externalId));
    if (lacking.length > 0) yield lacking;
  }
}

/** The venues among `lacking` where an event will still be held once this import is through. */
async function venuesInUse(
  db: Kysely<Database>,
  context: RunContext,
  lacking: readonly Lacking[],
  events: FileNotes | null,
  visited: ReadonlySet<string>,
): Promise<Set<string>> {
  const held = await loadEventsAtVenues(db, context.sourceId, targets(lacking));
  if (!context.dryRun) return new Set(held.map(({ venueId }) => venueId));
  const byTarget = new Map(lacking.map(({ targetId, externalId }) => [targetId, externalId]));
  // In a dry run the events still stand where they stood: those of the bundle will be where it says, or be gone.
  const stays = (externalId: string | null): boolean =>
    externalId === null || !events || (events.has(externalId) ? !events.accepted(externalId) : events.nameless > 0);
  return new Set([
    ...held.filter(({ externalId }) => stays(externalId)).map(({ venueId }) => venueId),
    ...[...byTarget].filter(([, externalId]) => visited.has(externalId)).map(([targetId]) => targetId),
  ]);
}

/** Those of the slugs that a present venue's source names, other than venues that the bundle has placed elsewhere or lacks. */
async function namedNeighborhoods(
  db: Kysely<Database>,
  context: RunContext,
  slugs: readonly string[],
  venues: FileNotes | null,
): Promise<Set<string>> {
  const used = await loadNeighborhoodsInUse(db, context.sourceId, slugs);
  const leaves = (externalId: string | null): boolean =>
    context.dryRun && externalId !== null && venues !== null && (venues.accepted(externalId) || !venues.has(externalId));
  return new Set(used.filter(({ externalId }) => !leaves(externalId)).map(({ neighborhood }) => neighborhood));
}

const targets = (lacking: readonly Lacking[]): string[] => lacking.map(({ targetId }) => targetId);
const records = (lacking: readonly Lacking[]): string[] => lacking.map(({ recordId }) => recordId);
