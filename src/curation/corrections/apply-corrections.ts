/** What sources say, with the words of the operator put in: every writer of the directory passes what it has made through here. */

import type { Kysely } from 'kysely';
import { loadVenueSurvivors, type VenueWrite } from '../../catalog/index.ts';
import type { VenueFacts } from '../../merge/index.ts';
import type { Locate } from '../../normalize/index.ts';
import type { UnscoredEvent } from '../../scoring/index.ts';
import type { Database } from '../../store/index.ts';
import { type EventValues, fixed, putEvent } from '../fields/event-fields.ts';
import { putVenue, type VenueValues } from '../fields/venue-fields.ts';
import { type ActiveCorrections, formatWords, type Leads, readWords } from './active-corrections.ts';

export interface Corrected<T> {
  /** As it is to be shown; what was given where nothing was corrected. */
  record: T;
  isHidden: boolean;
  /** Which words were put in: the same text, the same result. */
  print: string;
}

/** In the order of the events. */
export async function applyEventCorrections<T extends UnscoredEvent>(
  db: Kysely<Database>,
  events: readonly T[],
  leads?: Leads,
): Promise<Corrected<T>[]> {
  const words = await readWords(db, 'event', idsOf(events), leads);
  if (words.size === 0) return events.map(asSaid);
  const places = await readPlaces(db, words.values());
  return events.map((event) => correctEvent(event, words.get(event.id), places));
}

/** `places`: by the id of a venue the one that it leads to; a venue that is not in it was removed, and its word does not count. */
function correctEvent<T extends UnscoredEvent>(
  event: T,
  words: ActiveCorrections | undefined,
  places: ReadonlyMap<string, string>,
): Corrected<T> {
  if (!words) return asSaid(event);
  const { venue, ...values } = valuesOf<EventValues>(words);
  const place = venue === undefined ? undefined : places.get(venue);
  const record = { ...event, ...fixed(putEvent(event, place === undefined ? values : { ...values, venue: place })) };
  return { record, isHidden: words.has(HIDDEN), print: formatWords(words) };
}

/** In the order of the venues. */
export async function applyVenueCorrections(
  db: Kysely<Database>,
  venues: readonly VenueFacts[],
  locate: Locate,
  leads?: Leads,
): Promise<(Corrected<VenueWrite> & { words: ActiveCorrections | undefined })[]> {
  const words = await readWords(db, 'venue', idsOf(venues), leads);
  return venues.map((venue) => ({ ...applyVenueCorrection(venue, words.get(venue.id), locate), words: words.get(venue.id) }));
}

function applyVenueCorrection(venue: VenueFacts, words: ActiveCorrections | undefined, locate: Locate): Corrected<VenueWrite> {
  if (!words) return asSaid(venue);
  const isHidden = words.has(HIDDEN);
  const record = putVenue(venue, valuesOf<VenueValues>(words), locate);
  return { record: isHidden ? { ...record, isHidden } : record, isHidden, print: formatWords(words) };
}

/** Where the venues lead that words speak of. */
export async function readPlaces(db: Kysely<Database>, words: Iterable<ActiveCorrections>): Promise<Map<string, string>> {
  const ids = [...words].flatMap((each) => (each.has('venue') ? [String(each.get('venue')?.value)] : []));
  return await loadVenueSurvivors(db, ids);
}

export function valuesOf<V>(words: ActiveCorrections): Partial<V> {
  return Object.fromEntries([...words].map(([field, { value }]) => [field, value])) as Partial<V>;
}

const asSaid = <T>(record: T): Corrected<T> => ({ record, isHidden: false, print: '' });
const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

/** The field by which an operator says that a record is not to be published. */
export const HIDDEN = 'hidden';
