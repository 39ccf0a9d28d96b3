/** The fields of an event in a mapping. */

import { isDay } from '../fields/whole-days.ts';
import { EVENT_LISTING, type EventListing, eventListing, type Listing } from '../listing.ts';
import { type DateContext, dateField } from './date-field.ts';
import { endField } from './end-field.ts';
import { emptiedFields, flagField, plainFields, type RuleSet, readOver } from './field-readers.ts';
import { knownKeys, MappingError } from './rules.ts';
import type { Shift } from './shift.ts';
import { compileVenue } from './venue-fields.ts';

export type MappedRecord = readonly Listing[] | { refused: { field: string; reason: string; externalId: string | null } };
/** `listing`: what is known of the record without the mapping; what no rule finds stays so. */
export type ReadFields<Target> = (record: unknown, listing: Target) => MappedRecord;

export interface EventContext {
  dates: DateContext;
  /** IANA zone of wall clocks; null: the city's. */
  zone: string | null;
  shift: Shift;
  /** The mapping lies over listings, so that it needs no field. */
  isOver: boolean;
}

export function compileEvent(value: unknown, { dates, zone, shift, isOver }: EventContext): ReadFields<EventListing> {
  const keys = knownKeys(value, 'fields', EVENT_KEYS);
  const rules: RuleSet = { keys, at: 'fields' };
  for (const name of isOver ? [] : NEEDED_KEYS) {
    if (keys[name] === undefined) throw new MappingError(`fields.${name}`, 'wanted a rule, got nothing');
  }
  const [start, end] = [dateField(rules, 'start', dates), endField(rules, dates)];
  const [isOnline, isAllDay] = [flagField(rules, 'isOnline'), flagField(rules, 'isAllDay')];
  const venue = compileVenue(keys.venue ?? {}, 'fields.venue', { isOver });
  const readers = plainFields(rules, EVENT_LISTING);
  const emptied = emptiedFields(rules, eventListing({}));
  return (record, listing) => {
    const known = emptied(listing);
    const values = readOver(readers, record, known);
    const found = start(record);
    if (!found.ok) return { refused: { field: 'start', reason: found.reason, externalId: values.externalId } };
    const { occurrences } = found;
    const isSeries = occurrences.length > 1 && values.externalId !== null;
    const isTimed = occurrences.some((each) => !isDay(each.start));
    const isOnlyOnline = isOnline(record) ?? known.isOnline;
    // A house where things take place is not where this does.
    const isElsewhere = isOver && isOnlyOnline && known.venue.name === null;
    const shared = {
      ...values,
      zone: values.zone ?? zone,
      isOnline: isOnlyOnline,
      isAllDay: isAllDay(record) ?? (known.isAllDay && !isTimed),
      venue: isElsewhere ? known.venue : venue(record, known.venue),
    };
    const events = (occurrences.length > 0 ? occurrences : [null]).map((occurrence) => {
      const from = occurrence?.start ?? known.start;
      // An end beside several days is that of the last one.
      const until = (isSeries ? null : end(record, from)) ?? occurrence?.end ?? (isSeries ? null : known.end);
      return eventListing({
        ...shared,
        externalId: isSeries ? `${values.externalId}@${from}` : values.externalId,
        seriesId: values.seriesId ?? (isSeries ? values.externalId : null),
        start: shift(from),
        end: shift(until),
      });
    });
    return events.map((event) => ({ target: 'events', event }));
  };
}

const NEEDED_KEYS = ['externalId', 'title', 'start', 'venue'];
export const EVENT_KEYS: readonly string[] = [...Object.keys(EVENT_LISTING), 'venue'];
