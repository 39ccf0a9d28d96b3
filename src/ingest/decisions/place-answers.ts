/** What people have answered about the places of names whose street nobody knew. All later runs respect it. */

import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { nameKey, type VenueRecord } from '../../facts/index.ts';
import { redirectsOf } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';

/** Latitude and longitude in degrees (WGS84). */
interface AnsweredPoint {
  latitude: number;
  longitude: number;
  /** The point is not that of the door. */
  isApproximate?: true;
}

/** How a run follows an answer. */
export type PlaceAnswer =
  /** The name is another name of this venue. */
  | ({ act: 'same'; name: string; address: string | null } & AnsweredPoint)
  /** A venue of this name stands here. */
  | ({ act: 'here'; address: string | null } & AnsweredPoint);

export interface StoredAnswer {
  name: string;
  key: string;
  act: 'same' | 'here' | 'ignore';
  /** Of `same`: the venue that its venue is now. */
  venueId: string | null;
  address: string | null;
  latitude: number | null;
  longitude: number | null;
  isExact: boolean;
  decidedBy: string;
}

/** Those that were not taken back, by name. */
export async function loadPlaceAnswers(db: Kysely<Database> | Transaction<Database>): Promise<StoredAnswer[]> {
  const { rows } = await sql<StoredAnswer>`
    select name, name_key as key, act, coalesce(redirect.merged_into, venue_id) as "venueId", address, latitude, longitude,
      is_exact as "isExact", decided_by as "decidedBy"
    from place_answer left join ${redirectsOf('venue')} as redirect on redirect.id = venue_id
    where revoked_at is null order by name_key`.execute(db);
  return rows;
}

/**
 * Which answer counts for a name. That it is a venue counts while a record of this venue knows its street; what is ignored stays where
 * it is.
 */
export function answersByName(
  answers: readonly StoredAnswer[],
  venueRecords: readonly VenueRecord[],
): (name: string) => PlaceAnswer | null {
  const known = new Map(answers.map((answer) => [answer.key, toAnswer(answer, venueRecords)]));
  return (name) => known.get(nameKey(name)) ?? null;
}

function toAnswer(answer: StoredAnswer, venueRecords: readonly VenueRecord[]): PlaceAnswer | null {
  const { act, address, latitude, longitude, isExact } = answer;
  if (act === 'same') {
    const venue = bestRecord(venueRecords.filter(({ targetId }) => targetId === answer.venueId));
    return venue ? { act, ...pointOf(venue), name: venue.name, address: venue.address } : null;
  }
  if (act === 'ignore' || latitude === null || longitude === null) return null;
  return { act, address, latitude, longitude, ...(isExact ? {} : { isApproximate: true }) };
}

const pointOf = ({ latitude, longitude, isApproximate }: VenueRecord['listing']): AnsweredPoint => ({
  latitude,
  longitude,
  ...(isApproximate ? { isApproximate } : {}),
});

/** The record that speaks for a venue: the operator's own, then one with an exact point, the shortest name, the oldest. */
function bestRecord(records: readonly VenueRecord[]): VenueRecord['listing'] | undefined {
  const rank = ({ isBundle, listing }: VenueRecord) => (isBundle ? 0 : listing.isApproximate ? 2 : 1);
  const [best] = records
    .filter(({ listing }) => listing.area === undefined)
    .sort(
      (a, b) =>
        rank(a) - rank(b) ||
        a.listing.name.length - b.listing.name.length ||
        a.firstSeenAt - b.firstSeenAt ||
        (a.id < b.id ? -1 : 1),
    );
  return best?.listing;
}

export interface NewAnswer extends Pick<StoredAnswer, 'name' | 'act'> {
  venueId?: string;
  here?: { address: string | null; latitude: number; longitude: number; isExact: boolean };
  by: string;
}

/** The answer counts from now on, instead of an earlier one about the same name. @param now milliseconds. */
export async function storePlaceAnswer(
  trx: Transaction<Database>,
  { name, act, venueId, here, by }: NewAnswer,
  now: number,
): Promise<void> {
  await revokePlaceAnswer(trx, name, now);
  await trx
    .insertInto('place_answer')
    .values({
      id: randomUUIDv7(),
      name,
      name_key: nameKey(name),
      act,
      venue_id: venueId ?? null,
      address: here?.address ?? null,
      latitude: here?.latitude ?? null,
      longitude: here?.longitude ?? null,
      is_exact: here?.isExact ?? true,
      decided_by: by,
      decided_at: new Date(now),
    })
    .execute();
}

/** Takes the answer about a name back; false if there is none. */
export async function revokePlaceAnswer(trx: Transaction<Database>, name: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('place_answer')
    .set({ revoked_at: new Date(now) })
    .where('name_key', '=', nameKey(name))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
