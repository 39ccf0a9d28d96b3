/** Puts corrections into what sources list: every writer of the directory passes what it has made through here. */

import type { Kysely } from 'kysely';
import type { Locate, VenueFacts } from '../../facts/index.ts';
import { loadVenueSurvivors, type VenueWrite } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import type { UnscoredEvent } from '../scores/score-events.ts';
import { type ActiveCorrections, formatCorrections, type Leads, loadActiveCorrections } from './active-corrections.ts';
import { type EventValues, fixed, putEvent, putVenue, type VenueValues } from './correctable-fields.ts';

export interface Corrected<T> {
  /** As it is to be shown; what was given where nothing was corrected. */
  record: T;
  isHidden: boolean;
  /** Which corrections were put in: the same text, the same result. */
  print: string;
}

/** In the order of the events. */
export async function applyEventCorrections<T extends UnscoredEvent>(
  db: Kysely<Database>,
  events: readonly T[],
  leads?: Leads,
): Promise<Corrected<T>[]> {
  const corrections = await loadActiveCorrections(db, 'event', idsOf(events), leads);
  if (corrections.size === 0) return events.map(uncorrected);
  const places = await readPlaces(db, corrections.values());
  return events.map((event) => correctEvent(event, corrections.get(event.id), places));
}

/** `places`: by the id of a venue the one that it leads to; a venue that is not in it was removed, and a correction that names it does not count. */
function correctEvent<T extends UnscoredEvent>(
  event: T,
  corrections: ActiveCorrections | undefined,
  places: ReadonlyMap<string, string>,
): Corrected<T> {
  if (!corrections) return uncorrected(event);
  const { venue, ...values } = valuesOf<EventValues>(corrections);
  const place = venue === undefined ? undefined : places.get(venue);
  const record = { ...event, ...fixed(putEvent(event, place === undefined ? values : { ...values, venue: place })) };
  return { record, isHidden: corrections.has(HIDDEN), print: formatCorrections(corrections) };
}

/** In the order of the venues. */
export async function applyVenueCorrections(
  db: Kysely<Database>,
  venues: readonly VenueFacts[],
  locate: Locate,
  leads?: Leads,
): Promise<(Corrected<VenueWrite> & { corrections: ActiveCorrections | undefined })[]> {
  const corrections = await loadActiveCorrections(db, 'venue', idsOf(venues), leads);
  return venues.map((venue) => ({
    ...applyVenueCorrection(venue, corrections.get(venue.id), locate),
    corrections: corrections.get(venue.id),
  }));
}

function applyVenueCorrection(
  venue: VenueFacts,
  corrections: ActiveCorrections | undefined,
  locate: Locate,
): Corrected<VenueWrite> {
  if (!corrections) return uncorrected(venue);
  const isHidden = corrections.has(HIDDEN);
  const record = putVenue(venue, valuesOf<VenueValues>(corrections), locate);
  return { record: isHidden ? { ...record, isHidden } : record, isHidden, print: formatCorrections(corrections) };
}

/** Where the venues lead that corrections name. */
export async function readPlaces(db: Kysely<Database>, corrections: Iterable<ActiveCorrections>): Promise<Map<string, string>> {
  const ids = [...corrections].flatMap((each) => (each.has('venue') ? [String(each.get('venue')?.value)] : []));
  return await loadVenueSurvivors(db, ids);
}

export function valuesOf<V>(corrections: ActiveCorrections): Partial<V> {
  return Object.fromEntries([...corrections].map(([field, { value }]) => [field, value])) as Partial<V>;
}

const uncorrected = <T>(record: T): Corrected<T> => ({ record, isHidden: false, print: '' });
const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

/** The field by which an operator says that a record is not to be published. */
export const HIDDEN = 'hidden';
