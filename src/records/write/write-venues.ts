/** Writing venues in bulk, in the manner of events: only what differs is written and told. */

import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';
import { previousValues } from '../changes/compare-fields.ts';
import { changeFields, rowsOf, storedRows } from '../field-table.ts';
import { type Change, type ChangeKind, indexedWords, type LocationPrecision, type PreviousValues } from '../model.ts';
import { lockStoredVenues, type StoredVenue } from '../stored-records.ts';
import { storedVenueFields, VENUE_FIELDS, type Venue, type VenueFields } from '../venue-fields.ts';
import { assignSlugs } from './slug.ts';

/** `isHidden`: the operator does not want it published. */
export type VenueWrite = Omit<Venue, 'slug'> & { isHidden?: boolean };

/** Creates and updates venues inside a transaction, at `now` (milliseconds since 1970 UTC). Returns what changed, for `recordChanges`. */
export async function writeVenues(
  trx: Transaction<Database>,
  venues: readonly VenueWrite[],
  now: number,
  revived: ReadonlySet<string> = new Set(),
): Promise<Change[]> {
  if (venues.length === 0) return [];
  const stored = await lockStoredVenues(
    trx,
    venues.map(({ id }) => id),
  );
  const changed = venues.flatMap((venue) => {
    const before = stored.get(venue.id);
    const previous = before && previousOf(before.fields, venue);
    const differs = previous !== undefined || (before !== undefined && precisionOf(before.fields) !== precisionOf(venue));
    const kind = changeKind(venue, before, differs, revived.has(venue.id));
    return kind ? [{ venue, kind, previous }] : [];
  });
  const slugs = await assignSlugs(
    trx,
    'venue',
    changed
      .filter(({ venue }) => stored.get(venue.id)?.fields.name !== venue.name)
      .map(({ venue }) => ({ id: venue.id, title: venue.name, current: stored.get(venue.id)?.slug ?? null })),
  );
  const slugOf = (id: string) => slugs.get(id) ?? stored.get(id)?.slug ?? '';
  await upsertVenues(
    trx,
    changed.map(({ venue }) => ({ ...venue, slug: slugOf(venue.id) })),
    now,
  );
  const told = changed.map(({ venue, kind, previous }): ToldVenue => {
    const before = stored.get(venue.id);
    const slug = before && before.slug !== slugOf(venue.id) ? { slug: before.slug } : {};
    return {
      id: venue.id,
      change: { kind, entity: 'venue', entityId: venue.id, ...(kind === 'updated' && { previous: { ...previous, ...slug } }) },
      atEvents: effectOnEvents(before?.state, venue.isHidden === true, { ...previous, ...slug }),
    };
  });
  return [...told.map(({ change }) => change), ...(await tellEvents(trx, told, now))];
}

/** Gives venues another neighborhood (a slug, or null for none). Returns the changes. */
export async function moveVenues(
  trx: Transaction<Database>,
  moves: readonly { venueId: string; neighborhood: string | null }[],
  now: number,
): Promise<Change[]> {
  if (moves.length === 0) return [];
  const ids = moves.map(({ venueId }) => venueId);
  const slugs = moves.map(({ neighborhood }) => neighborhood);
  const { rows } = await sql<{ id: string; neighborhood: string | null; state: string }>`
    update venue set neighborhood = r.neighborhood, updated_at = ${new Date(now)}
    from unnest(${ids}::uuid[], ${slugs}::text[]) as r (id, neighborhood)
      join (select id, neighborhood from venue where id = any(${ids}::uuid[]) for update) as stored on stored.id = r.id
    where venue.id = r.id and stored.neighborhood is distinct from r.neighborhood
    returning venue.id, stored.neighborhood, venue.state`.execute(trx);
  return await tellMoved(trx, rows, now);
}

/** The changes of venues whose neighborhood was another before, and of what their events show of it. */
export async function tellMoved(
  trx: Transaction<Database>,
  moved: readonly { id: string; neighborhood: string | null; state: string }[],
  now: number,
): Promise<Change[]> {
  const told = moved.map(({ id, neighborhood, state }): ToldVenue => {
    const previous = { neighborhood };
    return {
      id,
      change: { kind: 'updated', entity: 'venue', entityId: id, previous },
      atEvents: state === 'hidden' ? null : previous,
    };
  });
  return [...told.map(({ change }) => change), ...(await tellEvents(trx, told, now))];
}

/** Takes venues out of the directory. The caller has made sure that no published event is held there. Returns the changes. */
export async function removeVenues(trx: Transaction<Database>, ids: readonly string[], now: number): Promise<Change[]> {
  if (ids.length === 0) return [];
  const removed = await trx
    .updateTable('venue')
    .set({ state: 'removed', updated_at: new Date(now) })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('state', 'in', ['published', 'hidden'])
    .returning('id')
    .execute();
  return removed.map(({ id }) => ({ kind: 'removed', entity: 'venue', entityId: id }));
}

const precisionOf = ({ locationPrecision = 'exact' }: Pick<Venue, 'locationPrecision'>): LocationPrecision => locationPrecision;

function previousOf(stored: VenueFields, venue: VenueFields): PreviousValues | undefined {
  const previous = previousValues<VenueFields>(stored, venue, SHOWN_FIELDS);
  const metadata = previousValues<VenueFields>(stored, venue, METADATA_FIELDS);
  return metadata ? { ...previous, metadata } : previous;
}

/** A change of a venue, and what it means for the events there: what they show of it was other, or they come or go with it. */
interface ToldVenue {
  id: string;
  change: Change;
  atEvents: PreviousValues | 'created' | 'removed' | null;
}

/** Events at a hidden venue are not shown: they would name the place. */
function effectOnEvents(state: string | undefined, isHidden: boolean, previous: PreviousValues): ToldVenue['atEvents'] {
  if (state === 'hidden') return isHidden ? null : 'created';
  if (state === undefined) return null;
  return isHidden ? 'removed' : cardOf(previous);
}

/** The part of a venue's previous values that its events show, too; null: none. */
function cardOf(previous: PreviousValues): PreviousValues | null {
  const shown = Object.entries(previous).filter(([name]) => CARD_FIELDS.has(name));
  return shown.length > 0 ? Object.fromEntries(shown) : null;
}

/** The changes of the events at venues of which they show something. */
async function tellEvents(trx: Transaction<Database>, venues: readonly ToldVenue[], now: number): Promise<Change[]> {
  const told = new Map(venues.flatMap(({ id, atEvents }) => (atEvents ? [[id, atEvents] as const] : [])));
  if (told.size === 0) return [];
  const { rows } = await sql<{ id: string; venue_id: string }>`
    update event set updated_at = ${new Date(now)}
    where venue_id = any(${[...told.keys()]}::uuid[]) and state in ('published', 'unlisted')
    returning id, venue_id`.execute(trx);
  return rows.map(({ id, venue_id }): Change => {
    const what = told.get(venue_id);
    if (typeof what === 'string') return { kind: what, entity: 'event', entityId: id };
    return { kind: 'updated', entity: 'event', entityId: id, previous: { venue: what } };
  });
}

function changeKind(venue: VenueWrite, stored: StoredVenue | undefined, differs: boolean, isRevived: boolean): ChangeKind | null {
  if (stored?.state === 'merged' && !isRevived) return null;
  if (venue.isHidden) {
    if (!stored || stored.state === 'published') return 'removed';
    return stored.state === 'hidden' && !differs ? null : 'updated';
  }
  if (stored?.state !== 'published') return 'created';
  return differs ? 'updated' : null;
}

async function upsertVenues(
  trx: Transaction<Database>,
  venues: readonly (VenueWrite & Pick<Venue, 'slug'>)[],
  now: number,
): Promise<void> {
  if (venues.length === 0) return;
  const moment = new Date(now).toISOString();
  const rows = venues.map((venue) => ({
    id: venue.id,
    slug: venue.slug,
    ...toRow(venue),
    words: indexedWords(venue.name, venue.slug),
    state: venue.isHidden ? 'hidden' : 'published',
  }));
  await sql`
    insert into venue (id, slug, ${columns}, words, state, created_at, updated_at)
    select id, slug, ${columns}, words, state, ${moment}, ${moment}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, slug text, ${definitions}, words text, state text)
    on conflict (id) do update set slug = excluded.slug, ${updates}, words = excluded.words, state = excluded.state, merged_into = null,
      updated_at = excluded.updated_at`.execute(trx);
}

const { columns, definitions, updates, toRow } = storedVenueFields;
const shownIn = (form: 'list' | 'metadata') =>
  changeFields<VenueFields>(storedRows(VENUE_FIELDS).filter((row) => row.form === form));
const SHOWN_FIELDS = shownIn('list');
const METADATA_FIELDS = shownIn('metadata');
/** What every event shows of its venue. */
const CARD_FIELDS: ReadonlySet<string> = new Set(rowsOf(VENUE_FIELDS).flatMap(({ field, ofEvent }) => (ofEvent ? [field] : [])));
