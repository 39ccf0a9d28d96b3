/** The catalog's rows as the read model wants them. Instants come as numbers: a million `Date` objects would cost seconds. */

import { type Expression, type Kysely, sql } from 'kysely';
import type {
  CapacityTier,
  Category,
  EventLink,
  EventStatus,
  LocationPrecision,
  OpeningHours,
  RecordState,
  SignalKind,
  StartPrecision,
  VenueType,
} from '../../catalog/index.ts';
import type { Database } from '../../store/index.ts';
import type { EventRow, NeighborhoodRow, VenueRow } from '../rows.ts';

type Db = Kysely<Database>;

/** Everything but the polygons. */
export async function readNeighborhoodRows(db: Db): Promise<NeighborhoodRow[]> {
  return await db
    .selectFrom('neighborhood')
    .select(['id', 'slug', 'name', 'description', 'latitude', 'longitude'])
    .orderBy('slug')
    .execute();
}

/** The next venues in the order of their ids, at most `LOAD_BATCH`. */
export function readVenuesAfter(db: Db, id: string): Promise<VenueRow[]> {
  return readVenues(db, sql`id > ${id}`);
}

export function readVenuesById(db: Db, ids: readonly string[]): Promise<VenueRow[]> {
  return readVenues(db, sql`id = any(${ids}::uuid[])`);
}

/** The next events in the order of their ids, at most `LOAD_BATCH`. */
export function readEventsAfter(db: Db, id: string): Promise<EventRow[]> {
  // The ids of one batch of a whole table lie close together: then a range is read quicker than a list.
  return readEvents(db, sql`id > ${id}`, (ids) => sql`event_id between ${ids[0]} and ${ids.at(-1)}`);
}

export function readEventsById(db: Db, ids: readonly string[]): Promise<EventRow[]> {
  return readEvents(db, sql`id = any(${ids}::uuid[])`, (found) => sql`event_id = any(${found}::uuid[])`);
}

/** Ids of the events at these venues that answer. */
export async function readEventIdsAt(db: Db, venueIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from event where venue_id = any(${venueIds}::uuid[]) and state in ('published', 'unlisted')`.execute(db);
  return rows.map(({ id }) => id);
}

async function readVenues(db: Db, condition: Expression<unknown>): Promise<VenueRow[]> {
  const { rows } = await sql<VenueColumns>`
    select id, slug, name, type, address, latitude, longitude, capacity_tier, is_verified, neighborhood, website, parking,
      transit_nearby, opening_hours, location_precision, state, merged_into,
      array(select distinct left(listing ->> 'name', ${MAX_NAME_LENGTH}) as other from record
        where record.venue_id = venue.id and kind = 'venue' and gone_at is null and listing ->> 'name' <> venue.name
        order by other limit ${MAX_OTHER_NAMES}) as other_names
    from venue where ${condition} order by id limit ${LOAD_BATCH}`.execute(db);
  return rows.map(
    ({ capacity_tier, is_verified, transit_nearby, opening_hours, location_precision, merged_into, other_names, ...row }) => ({
      ...row,
      capacityTier: capacity_tier,
      isVerified: is_verified,
      transitNearby: transit_nearby,
      openingHours: opening_hours && inContractOrder(opening_hours),
      ...(location_precision === 'exact' ? {} : { locationPrecision: location_precision }),
      ...(other_names.length === 0 ? {} : { otherNames: other_names }),
      mergedInto: merged_into,
    }),
  );
}

/** `historyOf`: the condition under which signals and scores are those of the events found (ids in order). */
async function readEvents(
  db: Db,
  condition: Expression<unknown>,
  historyOf: (ids: readonly string[]) => Expression<unknown>,
): Promise<EventRow[]> {
  const { rows } = await sql<EventColumns>`
    select id, slug, title, category, ${milliseconds('starts_at')}, ${milliseconds('ends_at')}, precision, description, image_url, is_free,
      price_min::float8, price_max::float8, venue_id, status, performers, tags, sources, links, ${milliseconds('previous_starts_at')}, discovery_score, showing, score_context,
      scored_day, appeal, ${milliseconds('scored_at')}, ${milliseconds('updated_at')}, revision, state, merged_into
    from event where ${condition} order by id limit ${LOAD_BATCH}`.execute(db);
  if (rows.length === 0) return [];
  const history = historyOf(rows.map(({ id }) => id));
  const { rows: signals } = await sql<SignalColumns>`
    select event_id, kind, ${milliseconds('observed_at')}, value from signal where ${history} order by event_id, kind, observed_at`.execute(
    db,
  );
  const { rows: days } = await sql<AppealColumns>`
    select event_id, day, appeal from score_history where ${history} order by event_id, day`.execute(db);
  const signalsOf = Map.groupBy(signals, ({ event_id }) => event_id);
  const daysOf = Map.groupBy(days, ({ event_id }) => event_id);
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    title: row.title,
    category: row.category,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    precision: row.precision,
    description: row.description,
    imageUrl: row.image_url,
    isFree: row.is_free,
    priceMin: row.price_min,
    priceMax: row.price_max,
    venueId: row.venue_id,
    status: row.status,
    performers: row.performers,
    tags: row.tags,
    sources: row.sources,
    links: row.links,
    previousStartsAt: row.previous_starts_at,
    discoveryScore: row.discovery_score,
    scoredAt: row.scored_at,
    updatedAt: row.updated_at,
    revision: row.revision,
    state: row.state,
    mergedInto: row.merged_into,
    signals: (signalsOf.get(row.id) ?? []).map(({ kind, observed_at, value }) => ({ kind, observedAt: observed_at, value })),
    showing: row.showing,
    context: row.score_context,
    scores: [...(daysOf.get(row.id) ?? []), { day: row.scored_day, appeal: row.appeal }].flatMap(({ day, appeal }) =>
      appeal === null ? [] : [{ day, score: appeal }],
    ),
  }));
}

/** Milliseconds are kept exactly: a double holds them with the microseconds PostgreSQL has. */
const milliseconds = (column: string) => sql`round(extract(epoch from ${sql.ref(column)}) * 1000)::float8 as ${sql.ref(column)}`;

/** jsonb orders keys by length; people read them in the order of decisions §2. */
function inContractOrder({ timezone, weekly, exceptions }: OpeningHours): OpeningHours {
  return {
    timezone,
    weekly: weekly.map(({ days, opens, closes }) => ({ days, opens, closes })),
    exceptions: exceptions.map(({ from, to, closed, opens, closes, reason }) => ({ from, to, closed, opens, closes, reason })),
  };
}

interface VenueColumns {
  id: string;
  slug: string;
  name: string;
  type: VenueType;
  address: string | null;
  latitude: number;
  longitude: number;
  capacity_tier: CapacityTier | null;
  is_verified: boolean;
  neighborhood: string | null;
  website: string | null;
  parking: string | null;
  transit_nearby: string[];
  opening_hours: OpeningHours | null;
  location_precision: LocationPrecision;
  other_names: string[];
  state: RecordState;
  merged_into: string | null;
}
interface EventColumns {
  id: string;
  slug: string;
  title: string;
  category: Category;
  starts_at: number;
  ends_at: number | null;
  precision: StartPrecision;
  description: string | null;
  image_url: string | null;
  is_free: boolean;
  price_min: number | null;
  price_max: number | null;
  venue_id: string;
  status: EventStatus;
  performers: string[];
  tags: string[];
  sources: string[];
  links: EventLink[];
  previous_starts_at: number | null;
  discovery_score: number;
  showing: number;
  score_context: number[] | null;
  scored_day: string;
  appeal: number | null;
  scored_at: number;
  updated_at: number;
  revision: number;
  state: RecordState;
  merged_into: string | null;
}
interface SignalColumns {
  event_id: string;
  kind: SignalKind;
  observed_at: number;
  value: number;
}
interface AppealColumns {
  event_id: string;
  day: string;
  appeal: number | null;
}

/** Of a venue that has more, the first. */
const MAX_OTHER_NAMES = 20;
/** In characters. */
const MAX_NAME_LENGTH = 200;
/** Lower than every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Rows a query; some 2 MB of answer. */
export const LOAD_BATCH = 2000;
