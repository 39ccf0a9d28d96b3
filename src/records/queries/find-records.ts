/**
 * Finding events and venues by hand: whatever their state, a page at a time. What other rooms know of them is asked through
 * `RecordLookups`, so that it stays one statement.
 */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import { type EventStatus, type RecordState, type StartPrecision, type VenueType, wordsOf } from '../model.ts';
import { slugify } from '../write/slug.ts';

type Db = Kysely<Database>;

export interface FindOptions {
  /** An id (a source's too), a slug (an old one too), or words of the title; all must occur, the beginning of a word is enough. */
  text?: string;
  state?: RecordState | null;
  /** Of whose listings it is made, by name. */
  source?: string | null;
  /** Where the page before ended. */
  after?: string | null;
  limit?: number;
}

export interface FoundPage<T> {
  items: T[];
  /** Where this page ends; null when there is no more. */
  next: string | null;
}

export interface FoundEvent {
  id: string;
  slug: string;
  title: string;
  startsAt: number;
  precision: StartPrecision;
  status: EventStatus;
  state: RecordState;
  mergedInto: string | null;
  venueId: string;
  venueName: string;
  sources: string[];
  /** How many words of an operator stand. */
  corrections: number;
}

export interface FoundVenue {
  id: string;
  slug: string;
  name: string;
  type: VenueType;
  address: string | null;
  neighborhood: string | null;
  isVerified: boolean;
  state: RecordState;
  mergedInto: string | null;
  corrections: number;
}

/** What rooms above know of events and venues. */
export interface RecordLookups {
  /** The records that have this id at a source. */
  findIds(db: Db, kind: 'event' | 'venue', externalId: string): Promise<string[]>;
  /** SQL: how many corrections of this record are active. */
  countCorrections(kind: 'event' | 'venue', id: RawBuilder<unknown>): RawBuilder<number>;
  /** SQL: whether the source of this name lists the venue. */
  isListedBy(venueId: RawBuilder<unknown>, source: string): RawBuilder<boolean>;
}

/**
 * From a moment on (`from`, milliseconds) the soonest first; without one the latest first. What no title has is looked for among the ids
 * that sources use.
 */
export async function findEvents(
  db: Db,
  options: FindOptions & { from?: number | null },
  lookups: RecordLookups,
): Promise<FoundPage<FoundEvent>> {
  const named = await conditionOf(db, 'event', options.text);
  const found = await findNamedEvents(db, options, named, lookups);
  if (found.items.length > 0 || named.isExact || options.after) return found;
  const ids = await idsOfSources(db, 'event', options.text, lookups);
  if (ids.length === 0) return found;
  const bySource = { condition: sql`event.id = any(${ids}::uuid[])`, isExact: true, isAll: false };
  return findNamedEvents(db, options, bySource, lookups);
}

/** The planner cannot tell how common words and sources are, least of all after an import. So this decides what is read, and how. */
async function findNamedEvents(
  db: Db,
  { state = null, source = null, from = null, limit = PAGE, after }: FindOptions & { from?: number | null },
  named: Named,
  lookups: RecordLookups,
): Promise<FoundPage<FoundEvent>> {
  const cursor = readCursor(after);
  const forward = from !== null;
  const isInState = state === null ? sql`true` : sql`event.state = ${state}`;
  const conditions = [isInState];
  if (from !== null && !named.isExact) conditions.push(sql`event.starts_at >= ${new Date(from)}`);
  if (typeof cursor?.key === 'number') {
    const place = sql`(${new Date(cursor.key)}::timestamptz, ${cursor.id}::uuid)`;
    conditions.push(forward ? sql`(event.starts_at, event.id) > ${place}` : sql`(event.starts_at, event.id) < ${place}`);
  }
  const order = forward ? sql`starts_at, id` : sql`starts_at desc, id desc`;
  const where = sql.join(conditions, sql` and `);
  const most = limit + 1;
  const isFrom = source === null ? sql`true` : sql`sources @> array[${source}]::text[]`;
  const isPlain = named.isAll && source === null;
  if (named.isExact || isPlain) {
    const exact = sql`select * from event where ${named.condition} and ${where} and ${isFrom}`;
    return eventPage(await readEvents(db, exact, { order, most }, lookups), limit);
  }
  // Of what is common there is enough among the next events.
  const isFiltered = state !== null || source !== null;
  const looked = named.isAll ? LOOKED_AT : LOOKED_AT_FOR_WORDS;
  const near = sql`
    select * from (select * from event where ${where} order by ${order} limit ${looked}) as event where ${named.condition} and ${isFrom}`;
  // Of what is rare all are quickly sorted, once an index has found them. "offset 0" keeps the planner from walking by time until it has
  // met enough.
  const rare = named.isAll
    ? sql`select * from event where ${where} and ${isFrom}`
    : sql`select * from (select * from event where ${named.condition} offset 0) as event where ${where} and ${isFrom}`;
  // Words are compared with each event of a small source, not a small source with each event that has a common word.
  const fewer = sql`select * from event where ${isInState} and ${isFrom}`;
  const ofFew = sql`select * from (${fewer} offset 0) as event where ${named.condition} and ${where}`;
  const rows = await db.transaction().execute(async (trx) => {
    // Without statistics the planner would rather read the whole table: first by time alone, then by the words.
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(trx);
    const found = await readEvents(trx, near, { order, most }, lookups);
    if (found.length === most) return found;
    await sql`set local enable_bitmapscan = on`.execute(trx);
    const areFew = !named.isAll && isFiltered && (await countUpTo(trx, fewer, MAX_COMPARED)) < MAX_COMPARED;
    return await readEvents(trx, areFew ? ofFew : rare, { order, most }, lookups);
  });
  return eventPage(rows, limit);
}

async function countUpTo(db: Db, from: RawBuilder<unknown>, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from (${from}) as event limit ${most}) as counted`.execute(db);
  return rows[0]?.count ?? 0;
}

async function readEvents(
  db: Db,
  from: RawBuilder<unknown>,
  { order, most }: { order: RawBuilder<unknown>; most: number },
  { countCorrections }: RecordLookups,
): Promise<FoundEventRow[]> {
  const { rows } = await sql<FoundEventRow>`
    with found as materialized (
      select id, slug, title, starts_at, precision, status, state, merged_into, venue_id, sources from (${from}) as event
      order by ${order} limit ${most})
    select found.*, (extract(epoch from starts_at) * 1000)::float8 as starts, venue.name as venue_name,
      ${countCorrections('event', sql`found.id`)} as corrections
    from found join venue on venue.id = found.venue_id order by ${order}`.execute(db);
  return rows;
}

function eventPage(rows: readonly FoundEventRow[], limit: number): FoundPage<FoundEvent> {
  return page(
    rows.map((row) => ({
      id: row.id,
      slug: row.slug,
      title: row.title,
      startsAt: Math.round(row.starts),
      precision: row.precision,
      status: row.status,
      state: row.state,
      mergedInto: row.merged_into,
      venueId: row.venue_id,
      venueName: row.venue_name,
      sources: row.sources,
      corrections: row.corrections,
    })),
    limit,
    ({ startsAt, id }) => ({ key: startsAt, id }),
  );
}

/** By name, in the order of code points; by the ids of sources as events are. */
export async function findVenues(db: Db, options: FindOptions, lookups: RecordLookups): Promise<FoundPage<FoundVenue>> {
  const named = await conditionOf(db, 'venue', options.text);
  const found = await findNamedVenues(db, options, named, lookups);
  if (found.items.length > 0 || named.isExact || options.after) return found;
  const ids = await idsOfSources(db, 'venue', options.text, lookups);
  if (ids.length === 0) return found;
  const bySource = { condition: sql`venue.id = any(${ids}::uuid[])`, isExact: true, isAll: false };
  return findNamedVenues(db, options, bySource, lookups);
}

async function findNamedVenues(
  db: Db,
  options: FindOptions,
  { condition }: Named,
  { countCorrections, isListedBy }: RecordLookups,
): Promise<FoundPage<FoundVenue>> {
  const { state = null, source = null, limit = PAGE } = options;
  const cursor = readCursor(options.after);
  const conditions = [condition];
  if (state !== null) conditions.push(sql`venue.state = ${state}`);
  if (source !== null) conditions.push(isListedBy(sql`venue.id`, source));
  if (cursor) conditions.push(sql`(venue.name collate "C", venue.id) > (${String(cursor.key)}, ${cursor.id}::uuid)`);
  const { rows } = await sql<FoundVenueRow>`
    select id, slug, name, type, address, neighborhood, is_verified, state, merged_into,
      ${countCorrections('venue', sql`venue.id`)} as corrections
    from venue where ${sql.join(conditions, sql` and `)} order by name collate "C", id limit ${limit + 1}`.execute(db);
  return page(
    rows.map((row) => ({
      id: row.id,
      slug: row.slug,
      name: row.name,
      type: row.type,
      address: row.address,
      neighborhood: row.neighborhood,
      isVerified: row.is_verified,
      state: row.state,
      mergedInto: row.merged_into,
      corrections: row.corrections,
    })),
    limit,
    ({ name, id }) => ({ key: name, id }),
  );
}

interface Named {
  condition: RawBuilder<unknown>;
  /** It names records by id or slug: their time does not count. */
  isExact: boolean;
  /** It names nothing in particular. */
  isAll: boolean;
}

/** The record that has this slug, or had it; null for a text that is none's. */
export async function findBySlug(db: Db, kind: 'event' | 'venue', slug: string): Promise<string | null> {
  if (!SLUG.test(slug)) return null;
  const [id = null] = await idsOfSlug(db, kind, slug);
  return id;
}

/** A slug that somebody has is nobody's old one: at most one, but for what is being changed. */
async function idsOfSlug(db: Db, kind: 'event' | 'venue', slug: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(kind)} where slug = ${slug} union
    select ${sql.ref(`${kind}_id`)} as id from old_slug where kind = ${kind} and slug = ${slug}`.execute(db);
  return rows.map(({ id }) => id);
}

async function idsOfSources(
  db: Db,
  kind: 'event' | 'venue',
  text: string | undefined,
  { findIds }: RecordLookups,
): Promise<string[]> {
  const asked = (text ?? '').trim();
  if (asked === '' || asked.length > MAX_ID_CHARS || asked.includes('\0')) return [];
  return await findIds(db, kind, asked);
}

async function conditionOf(db: Db, kind: 'event' | 'venue', text = ''): Promise<Named> {
  const asked = text.trim();
  if (asked === '') return { condition: sql`true`, isExact: false, isAll: true };
  const id = sql.ref(`${kind}.id`);
  if (isUuid(asked)) return { condition: sql`${id} = ${asked.toLowerCase()}::uuid`, isExact: true, isAll: false };
  if (SLUG.test(asked)) {
    const ids = await idsOfSlug(db, kind, asked);
    if (ids.length > 0) return { condition: sql`${id} = any(${ids}::uuid[])`, isExact: true, isAll: false };
  }
  const query = wordQuery(asked);
  if (query === '') return { condition: sql`false`, isExact: false, isAll: false };
  const words = sql`array_to_tsvector(string_to_array(${sql.ref(`${kind}.words`)}, ' '))`;
  return { condition: sql`${words} @@ ${query}::tsquery`, isExact: false, isAll: false };
}

/** Letters and digits alone stand in the query, so nothing in it is an operator. '' for what no title can have. */
function wordQuery(text: string): string {
  const words = wordsOf(text).slice(0, MAX_WORDS);
  if (words.some((word) => word.length > MAX_CHARS)) return '';
  const like = (word: string) => ([...word].length >= PREFIX_FROM ? `'${word}':*` : `'${word}'`);
  return words
    .map((word) => {
      const plain = slugify(word).replaceAll('-', '');
      return plain === '' || plain === word ? like(word) : `(${like(word)} | ${like(plain)})`;
    })
    .join(' & ');
}

interface Cursor {
  key: number | string;
  id: string;
}

function page<T>(rows: T[], limit: number, cursorOf: (row: T) => Cursor): FoundPage<T> {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  if (!last) return { items, next: null };
  const { key, id } = cursorOf(last);
  return { items, next: Buffer.from(JSON.stringify([key, id])).toString('base64url') };
}

/** Null for what no page has given. */
function readCursor(text: string | null | undefined): Cursor | null {
  if (!text) return null;
  try {
    const [key, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [unknown, unknown];
    const isKey = typeof key === 'string' ? !key.includes('\0') : Number.isSafeInteger(key) && Math.abs(key as number) < LATEST;
    return isKey && typeof id === 'string' && isUuid(id) ? { key: key as string | number, id } : null;
  } catch {
    return null;
  }
}

interface FoundEventRow {
  id: string;
  slug: string;
  title: string;
  starts: number;
  precision: StartPrecision;
  status: EventStatus;
  state: RecordState;
  merged_into: string | null;
  venue_id: string;
  venue_name: string;
  sources: string[];
  corrections: number;
}
interface FoundVenueRow {
  id: string;
  slug: string;
  name: string;
  type: VenueType;
  address: string | null;
  neighborhood: string | null;
  is_verified: boolean;
  state: RecordState;
  merged_into: string | null;
  corrections: number;
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const PAGE = 50;
const LOOKED_AT = 3000;
/** Comparing words takes longer than comparing sources. */
const LOOKED_AT_FOR_WORDS = 2000;
/** So many events are read one after the other more quickly than an index of words gives all that have a common one. */
const MAX_COMPARED = 5_000;
const MAX_ID_CHARS = 500;
const MAX_WORDS = 10;
/** Of a title. The store refuses far longer words. */
const MAX_CHARS = 300;
/** Letters from which the beginning of a word is enough: shorter ones begin half of all titles. */
const PREFIX_FROM = 3;
/** Milliseconds; the last day that a `Date` knows. */
const LATEST = 8.64e15;
