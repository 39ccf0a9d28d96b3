/** Rows of `records` as the read model wants them. Instants come as numbers: a million `Date` objects would cost seconds. */

import { type Expression, type Kysely, sql } from 'kysely';
import { asMilliseconds, type OpeningHours, type SignalKind, storedEventFields, storedVenueFields } from '../../records/index.ts';
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
    select id, slug, ${storedVenueFields.selection}, state, merged_into as "mergedInto",
      array(select distinct left(listing ->> 'name', ${MAX_NAME_LENGTH}) as other from record
        where record.venue_id = venue.id and kind = 'venue' and gone_at is null and listing ->> 'name' <> venue.name
        order by other limit ${MAX_OTHER_NAMES}) as "otherNames"
    from venue where ${condition} order by id limit ${LOAD_BATCH}`.execute(db);
  return rows.map(({ openingHours, locationPrecision, otherNames, ...row }) => ({
    ...row,
    openingHours: openingHours && inContractOrder(openingHours),
    ...(locationPrecision === 'exact' ? {} : { locationPrecision }),
    ...(otherNames.length === 0 ? {} : { otherNames }),
  }));
}

/** `historyOf`: the condition under which signals and scores are those of the events found (ids in order). */
async function readEvents(
  db: Db,
  condition: Expression<unknown>,
  historyOf: (ids: readonly string[]) => Expression<unknown>,
): Promise<EventRow[]> {
  const { rows } = await sql<EventColumns>`
    select id, slug, ${storedEventFields.selection}, discovery_score as "discoveryScore", ${milliseconds('previous_starts_at')} as "previousStartsAt",
      showing, score_context as context, ${milliseconds('scored_at')} as "scoredAt", ${milliseconds('updated_at')} as "updatedAt",
      revision, state, merged_into as "mergedInto", scored_day as "scoredDay", appeal
    from event where ${condition} order by id limit ${LOAD_BATCH}`.execute(db);
  if (rows.length === 0) return [];
  const history = historyOf(rows.map(({ id }) => id));
  const { rows: signals } = await sql<SignalColumns>`
    select event_id, kind, ${milliseconds('observed_at')} as observed_at, value from signal where ${history} order by event_id, kind, observed_at`.execute(
    db,
  );
  const { rows: days } = await sql<AppealColumns>`
    select event_id, day, appeal from score_history where ${history} order by event_id, day`.execute(db);
  const signalsOf = Map.groupBy(signals, ({ event_id }) => event_id);
  const daysOf = Map.groupBy(days, ({ event_id }) => event_id);
  return rows.map(({ scoredDay, appeal: latest, ...row }) => ({
    ...row,
    signals: (signalsOf.get(row.id) ?? []).map(({ kind, observed_at, value }) => ({ kind, observedAt: observed_at, value })),
    scores: [...(daysOf.get(row.id) ?? []), { day: scoredDay, appeal: latest }].flatMap(({ day, appeal }) =>
      appeal === null ? [] : [{ day, score: appeal }],
    ),
  }));
}

/** Milliseconds since 1970 UTC. */
const milliseconds = (column: string) => sql.raw(asMilliseconds(column));

/** jsonb orders keys by length; people read them in the order of decisions §2. */
function inContractOrder({ timezone, weekly, exceptions }: OpeningHours): OpeningHours {
  return {
    timezone,
    weekly: weekly.map(({ days, opens, closes }) => ({ days, opens, closes })),
    exceptions: exceptions.map(({ from, to, closed, opens, closes, reason }) => ({ from, to, closed, opens, closes, reason })),
  };
}

interface VenueColumns extends Omit<VenueRow, 'otherNames'> {
  otherNames: string[];
}
interface EventColumns extends Omit<EventRow, 'signals' | 'scores'> {
  scoredDay: string;
  appeal: number | null;
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
