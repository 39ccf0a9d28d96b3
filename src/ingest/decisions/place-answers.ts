/**
 * The answers of people about the places of names whose street nobody knew, and of the listings of a source that name no place. All
 * later runs respect it.
 */

import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { nameKey, SOURCE_MARK, type VenueRecord } from '../../facts/index.ts';
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
  /** A venue of this name stands here; null: it is called as the listing says. */
  | ({ act: 'here'; name: string | null; address: string | null } & AnsweredPoint);

/** The name under which the listings of a source stand that name no place: an answer about it is about all of them. */
export const placeOfSource = (source: string): string => `${SOURCE_MARK}${source}`;

/** The source whose listings stand under such a name; null for the name of a place. */
export const sourceOfPlace = (name: string): string | null =>
  name.startsWith(SOURCE_MARK) ? name.slice(SOURCE_MARK.length) : null;

/** No key of a name has a colon. */
const keyOf = (name: string): string => (sourceOfPlace(name) === null ? nameKey(name) : name);

/** The key of the venue of all listings of a source that name no place. Every name has a letter before this sign. */
export const UNNAMED_KEY = '@';

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
  /** Of `here` about a source: what the venue is called. */
  venueName: string | null;
  decidedBy: string;
}

/** The answers that were not taken back, by name. */
export async function loadPlaceAnswers(db: Kysely<Database> | Transaction<Database>): Promise<StoredAnswer[]> {
  const { rows } = await sql<StoredAnswer>`
    select name, name_key as key, act, coalesce(redirect.merged_into, venue_id) as "venueId", address, latitude, longitude,
      is_exact as "isExact", venue_name as "venueName", decided_by as "decidedBy"
    from place_answer left join ${redirectsOf('venue')} as redirect on redirect.id = venue_id
    where revoked_at is null order by name_key`.execute(db);
  return rows;
}

/** The answers that runs follow, by the key of the name; null: the place stays where it is. */
export type PlaceAnswers = readonly (readonly [key: string, answer: PlaceAnswer | null])[];

/**
 * The answer that a name is a venue counts while a record of this venue knows its street, or another answer has said where it stands; what is
 * ignored stays where it is.
 */
export function resolveAnswers(answers: readonly StoredAnswer[], venueRecords: readonly VenueRecord[]): PlaceAnswers {
  const stand = (answer: StoredAnswer): PlaceAnswer | null => {
    const { act, venueName: name, address, latitude, longitude, isExact } = answer;
    if (act !== 'here' || latitude === null || longitude === null) return null;
    return { act, name, address, latitude, longitude, ...(isExact ? {} : { isApproximate: true }) };
  };
  const same = ({ venueId }: StoredAnswer): PlaceAnswer | null => {
    const there = venueRecords.filter(({ targetId, listing }) => targetId === venueId && listing.area === undefined);
    const venue = bestRecord(there.filter(({ listing }) => listing.placedBy !== 'answer'));
    if (venue) return { act: 'same', ...pointOf(venue), name: venue.name, address: venue.address };
    const names = new Map(there.map(({ listing }) => [nameKey(listing.name), listing.name]));
    const here = answers.find(({ act, name, venueName }) => act === 'here' && names.has(nameKey(venueName ?? name)));
    const stands = here && stand(here);
    return stands ? { ...stands, act: 'same', name: names.get(nameKey(here.venueName ?? here.name)) ?? here.name } : null;
  };
  return answers.map((answer) => [answer.key, answer.act === 'same' ? same(answer) : stand(answer)]);
}

/** Finds the answer that counts for a name. */
export function answersByName(answers: PlaceAnswers): (name: string) => PlaceAnswer | null {
  const known = new Map(answers);
  return (name) => known.get(keyOf(name)) ?? null;
}

const pointOf = ({ latitude, longitude, isApproximate }: VenueRecord['listing']): AnsweredPoint => ({
  latitude,
  longitude,
  ...(isApproximate ? { isApproximate } : {}),
});

/** The record that speaks for a venue: the operator's own, then one with an exact point, the shortest name, the oldest. */
function bestRecord(records: readonly VenueRecord[]): VenueRecord['listing'] | undefined {
  const rank = ({ isBundle, listing }: VenueRecord) => (isBundle ? 0 : listing.isApproximate ? 2 : 1);
  const [best] = [...records].sort(
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
  here?: { name: string | null; address: string | null; latitude: number; longitude: number; isExact: boolean };
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
      name_key: keyOf(name),
      act,
      venue_id: venueId ?? null,
      address: here?.address ?? null,
      latitude: here?.latitude ?? null,
      longitude: here?.longitude ?? null,
      is_exact: here?.isExact ?? true,
      venue_name: here?.name ?? null,
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
    .where('name_key', '=', keyOf(name))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
