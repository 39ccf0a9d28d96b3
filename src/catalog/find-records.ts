/** Finding events and venues by hand: whatever their state, a page at a time. */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../store/index.ts';
import type { EventStatus, RecordState, StartPrecision, VenueType } from './model.ts';
import { slugify } from './slug.ts';
import { wordsOf } from './words.ts';

type Db = Kysely<Database>;

export interface FindOptions {
  /** An id, a slug (an old one too), or words of the title; all must occur, the beginning of a word is enough. */
  text?: string;
  state?: RecordState | null;
  /** Of whose listings it is made, by name. */
  source?: string | null;
  /** Where the page before ended. */
  after?: string | null;
  limit?: number;
}

export interface Found<T> {
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

/** From a moment on (`from`, milliseconds) the soonest first; without one the latest first. */
export async function findEvents(db: Db, options: FindOptions & { from?: number | null }): Promise<Found<FoundEvent>> {
  const { state = null, source = null, from = null, limit = PAGE } = options;
  const named = await conditionOf(db, 'event', options.text);
  const cursor = readCursor(options.after);
  const forward = from !== null;
  const conditions = [named.condition];
  if (state !== null) conditions.push(sql`event.state = ${state}`);
  if (from !== null && !named.isExact) conditions.push(sql`event.starts_at >= ${new Date(from)}`);
  if (typeof cursor?.key === 'number') {
    const place = sql`(${new Date(cursor.key)}::timestamptz, ${cursor.id}::uuid)`;
    conditions.push(forward ? sql`(event.starts_at, event.id) > ${place}` : sql`(event.starts_at, event.id) < ${place}`);
  }
  const order = forward ? sql`starts_at, id` : sql`starts_at desc, id desc`;
  const where = sql.join(conditions, sql` and `);
  const most = limit + 1;
  const isFrom = source === null ? sql`true` : sql`sources @> array[${source}]::text[]`;
  // The planner knows how common words are, and goes by time or by words. "offset 0" keeps it from looking at the sources of all events
  // before it looks at the words.
  const all =
    source !== null && named.isSelective
      ? sql`select * from (select * from event where ${where} offset 0) as event where ${isFrom}`
      : sql`select * from event where ${where} and ${isFrom}`;
  if (source === null || named.isSelective) return eventPage(await readEvents(db, all, order, most), limit);
  // A large source has enough among the next events; of a small one all are quickly sorted. The planner cannot tell which it is.
  const next = sql`select * from (select * from event where ${where} order by ${order} limit ${LOOKED_AT}) as event where ${isFrom}`;
  const near = await readEvents(db, next, order, most);
  if (near.length === most) return eventPage(near, limit);
  return eventPage(await readEvents(db, all, order, most), limit);
}

async function readEvents(db: Db, from: RawBuilder<unknown>, order: RawBuilder<unknown>, most: number): Promise<FoundEventRow[]> {
  const { rows } = await sql<FoundEventRow>`
    with found as materialized (
      select id, slug, title, starts_at, precision, status, state, merged_into, venue_id, sources from (${from}) as event
      order by ${order} limit ${most})
    select found.*, (extract(epoch from starts_at) * 1000)::float8 as starts, venue.name as venue_name,
      (select count(*)::int from correction where entity = 'event' and target_id = found.id and revoked_at is null) as corrections
    from found join venue on venue.id = found.venue_id order by ${order}`.execute(db);
  return rows;
}

function eventPage(rows: readonly FoundEventRow[], limit: number): Found<FoundEvent> {
  return page(
    rows.map((row) => ({
      ...{ id: row.id, slug: row.slug, title: row.title, startsAt: Math.round(row.starts), precision: row.precision },
      ...{ status: row.status, state: row.state, mergedInto: row.merged_into, venueId: row.venue_id },
      ...{ venueName: row.venue_name, sources: row.sources, corrections: row.corrections },
    })),
    limit,
    ({ startsAt, id }) => ({ key: startsAt, id }),
  );
}

/** By name, in the order of code points. */
export async function findVenues(db: Db, options: FindOptions): Promise<Found<FoundVenue>> {
  const { state = null, source = null, limit = PAGE } = options;
  const { condition } = await conditionOf(db, 'venue', options.text);
  const cursor = readCursor(options.after);
  const conditions = [condition];
  if (state !== null) conditions.push(sql`venue.state = ${state}`);
  if (source !== null) {
    conditions.push(sql`exists (select from record join source on source.id = record.source_id
      where record.venue_id = venue.id and record.kind = 'venue' and source.name = ${source})`);
  }
  if (cursor) conditions.push(sql`(venue.name collate "C", venue.id) > (${String(cursor.key)}, ${cursor.id}::uuid)`);
  const { rows } = await sql<FoundVenueRow>`
    select id, slug, name, type, address, neighborhood, is_verified, state, merged_into,
      (select count(*)::int from correction where entity = 'venue' and target_id = venue.id and revoked_at is null) as corrections
    from venue where ${sql.join(conditions, sql` and `)} order by name collate "C", id limit ${limit + 1}`.execute(db);
  return page(
    rows.map((row) => ({
      ...{ id: row.id, slug: row.slug, name: row.name, type: row.type, address: row.address, neighborhood: row.neighborhood },
      ...{ isVerified: row.is_verified, state: row.state, mergedInto: row.merged_into, corrections: row.corrections },
    })),
    limit,
    ({ name, id }) => ({ key: name, id }),
  );
}

interface Named {
  condition: RawBuilder<unknown>;
  /** It names records by id or slug: their time does not count. */
  isExact: boolean;
  /** It leaves few. */
  isSelective: boolean;
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

async function conditionOf(db: Db, kind: 'event' | 'venue', text = ''): Promise<Named> {
  const asked = text.trim();
  if (asked === '') return { condition: sql`true`, isExact: false, isSelective: false };
  const id = sql.ref(`${kind}.id`);
  if (UUID.test(asked)) return { condition: sql`${id} = ${asked.toLowerCase()}::uuid`, isExact: true, isSelective: true };
  if (SLUG.test(asked)) {
    const ids = await idsOfSlug(db, kind, asked);
    if (ids.length > 0) return { condition: sql`${id} = any(${ids}::uuid[])`, isExact: true, isSelective: true };
  }
  const query = wordQuery(asked);
  if (query === '') return { condition: sql`false`, isExact: false, isSelective: true };
  const words = sql`array_to_tsvector(string_to_array(${sql.ref(`${kind}.words`)}, ' '))`;
  return { condition: sql`${words} @@ ${query}::tsquery`, isExact: false, isSelective: true };
}

/** Letters and digits alone stand in the query, so nothing in it is an operator. '' for what no title can have. */
function wordQuery(text: string): string {
  const words = wordsOf(text).slice(0, MOST_WORDS);
  if (words.some((word) => word.length > MOST_CHARS)) return '';
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

function page<T>(rows: T[], limit: number, cursorOf: (row: T) => Cursor): Found<T> {
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
    return isKey && typeof id === 'string' && UUID.test(id) ? { key: key as string | number, id } : null;
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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const PAGE = 50;
const LOOKED_AT = 3000;
const MOST_WORDS = 10;
/** Of a title. The store refuses far longer words. */
const MOST_CHARS = 300;
/** Letters from which the beginning of a word is enough: shorter ones begin half of all titles. */
const PREFIX_FROM = 3;
/** Milliseconds; the last day that a `Date` knows. */
const LATEST = 8.64e15;
