/** What sources say, with the words of the operator put in: every writer of the directory passes what it has made through here. */

import { type Kysely, sql } from 'kysely';
import type { VenueWrite } from '../../catalog/index.ts';
import type { VenueFacts } from '../../merge/index.ts';
import type { Locate } from '../../normalize/index.ts';
import type { UnscoredEvent } from '../../scoring/index.ts';
import type { Database } from '../../store/index.ts';
import { type EventValues, mended, putEvent } from '../fields/event-fields.ts';
import { putVenue, type VenueValues } from '../fields/venue-fields.ts';
import { type Leads, printWords, readWords, type Words } from './active-corrections.ts';

export interface Obeyed<T> {
  /** As it is to be shown; what was given where nothing was corrected. */
  record: T;
  isHidden: boolean;
  /** Which words were put in: the same text, the same result. */
  print: string;
}

/** In the order of the events. */
export async function obeyEvents<T extends UnscoredEvent>(
  db: Kysely<Database>,
  events: readonly T[],
  leads?: Leads,
): Promise<Obeyed<T>[]> {
  const words = await readWords(db, 'event', idsOf(events), leads);
  if (words.size === 0) return events.map(asSaid);
  const places = await readPlaces(db, words.values());
  return events.map((event) => obeyEvent(event, words.get(event.id), places));
}

/** `places`: by the id of a venue the one that it leads to; a venue that is not in it was removed, and its word does not count. */
function obeyEvent<T extends UnscoredEvent>(event: T, words: Words | undefined, places: ReadonlyMap<string, string>): Obeyed<T> {
  if (!words) return asSaid(event);
  const { venue, ...values } = valuesOf<EventValues>(words);
  const place = venue === undefined ? undefined : places.get(venue);
  const record = { ...event, ...mended(putEvent(event, place === undefined ? values : { ...values, venue: place })) };
  return { record, isHidden: words.has(HIDDEN), print: printWords(words) };
}

/** In the order of the venues. */
export async function obeyVenues(
  db: Kysely<Database>,
  venues: readonly VenueFacts[],
  locate: Locate,
  leads?: Leads,
): Promise<(Obeyed<VenueWrite> & { words: Words | undefined })[]> {
  const words = await readWords(db, 'venue', idsOf(venues), leads);
  return venues.map((venue) => ({ ...obeyVenue(venue, words.get(venue.id), locate), words: words.get(venue.id) }));
}

function obeyVenue(venue: VenueFacts, words: Words | undefined, locate: Locate): Obeyed<VenueWrite> {
  if (!words) return asSaid(venue);
  const isHidden = words.has(HIDDEN);
  const record = putVenue(venue, valuesOf<VenueValues>(words), locate);
  return { record: isHidden ? { ...record, isHidden } : record, isHidden, print: printWords(words) };
}

/** Where the venues lead that words speak of. */
export async function readPlaces(db: Kysely<Database>, words: Iterable<Words>): Promise<Map<string, string>> {
  const ids = [...words].flatMap((each) => (each.has('venue') ? [String(each.get('venue')?.value)] : []));
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; leads_to: string }>`
    select venue.id, coalesce(survivor.id, venue.id) as leads_to from venue left join venue as survivor on survivor.id = venue.merged_into
    where venue.id = any(${ids}::uuid[]) and coalesce(survivor.state, venue.state) <> 'removed'`.execute(db);
  return new Map(rows.map(({ id, leads_to }) => [id, leads_to]));
}

export function valuesOf<V>(words: Words): Partial<V> {
  return Object.fromEntries([...words].map(([field, { value }]) => [field, value])) as Partial<V>;
}

const asSaid = <T>(record: T): Obeyed<T> => ({ record, isHidden: false, print: '' });
const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

/** The field by which an operator says that a record is not to be published. */
export const HIDDEN = 'hidden';
