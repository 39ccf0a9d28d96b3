/** Events as tools print them: a line for reading, members for programs. And the members of any record. */

import type { EventDetail, EventStatus, EventSummary, FieldKind, StartPrecision, VenueOfEvent } from '../../records/index.ts';
import type { Snapshot } from '../../search/index.ts';
import type { JsonObject } from '../protocol/message.ts';
import { cleanLine, cleanText, cutText, describePrice, describeStart, describeStatus } from '../text.ts';
import { printRecord } from './fit-answer.ts';
import { BRIEF_EVENT, type ShownField, VENUE_OF_EVENT } from './schemas.ts';
import type { PrintedRecord } from './tool.ts';

/** What is used of the list and the detail form of the API. */
export interface ListedEvent extends Omit<EventSummary, 'venue'>, Partial<Pick<EventDetail, 'performers' | 'tags' | 'sources'>> {
  /** `isInArea`: only its area is known. */
  venue: EventSummary['venue'] & Partial<Pick<VenueOfEvent, 'address'>> & { isInArea?: true };
  status: EventStatus;
  startPrecision: StartPrecision;
}

export function readListed(snapshot: Snapshot, items: readonly number[], form: 'list' | 'detail'): ListedEvent[] {
  if (items.length === 0) return [];
  const printed = JSON.parse(snapshot.writeEvents(items, form, '[', ']').toString()) as ListedEvent[];
  return printed.map((event, i) => {
    const item = items[i] as number;
    const { status, startPrecision } = snapshot.lifecycle(item);
    const isInArea = snapshot.extras(item).locationPrecision === 'area';
    return { ...event, status, startPrecision, ...(isInArea && { venue: { ...event.venue, isInArea } }) };
  });
}

/** Without descriptions. An event is printed once for a snapshot: the best of the city are in most answers. */
export function printBriefly(snapshot: Snapshot, items: readonly number[]): PrintedRecord[] {
  const known = printed.get(snapshot) ?? new Map<number, PrintedRecord>();
  printed.set(snapshot, known);
  if (known.size >= MAX_PRINTED) known.clear();
  const fresh = items.filter((item) => !known.has(item));
  for (const [i, event] of readListed(snapshot, fresh, 'list').entries()) {
    known.set(fresh[i] as number, printEvent(event, snapshot.city.currency));
  }
  return items.map((item) => known.get(item) as PrintedRecord);
}

/** By snapshot, so that they go with it. */
const printed = new WeakMap<Snapshot, Map<number, PrintedRecord>>();
/** A kilobyte each. */
const MAX_PRINTED = 5_000;

/** Start, title, place, price, status, link. `descriptionChars`: how much of the description is shown; 0: none, and no end either. */
export function printEvent(event: ListedEvent, currency: string, descriptionChars = 0): PrintedRecord {
  const { venue, status } = event;
  const place = venue.neighborhood === null ? cleanLine(venue.name) : `${cleanLine(venue.name)} (${venue.neighborhood})`;
  const parts = [
    describeStart(event.startDatetime, event.startPrecision),
    cleanLine(event.title),
    place,
    describePrice(event, currency),
    describeStatus(status),
    event.url,
  ];
  const facts = descriptionChars > 0 ? fullFacts(event, descriptionChars) : briefFacts(event);
  return printRecord(parts.filter((part) => part !== '').join(' | '), facts);
}

export function briefFacts(event: ListedEvent): JsonObject {
  const { startPrecision } = event;
  // A start has an hour unless it is said.
  return factsOf(BRIEF_EVENT, { ...event, startPrecision: startPrecision === 'time' ? undefined : startPrecision });
}

function fullFacts(event: ListedEvent, maxChars: number): JsonObject {
  const description = event.description === null ? null : cutText(cleanText(event.description), maxChars);
  return { ...briefFacts(event), end: event.endDatetime, description };
}

/** Undefined members are left out of answers. */
export const factsOf = (fields: readonly ShownField[], record: object): JsonObject =>
  Object.fromEntries(fields.map(({ name, from, kind }) => [name, factOf(kind, (record as JsonObject)[from])]));

function factOf(kind: FieldKind, value: unknown): unknown {
  if (kind === 'venue') {
    const { isInArea } = value as ListedEvent['venue'];
    return { ...factsOf(VENUE_OF_EVENT, value as object), ...(isInArea && { isInArea }) };
  }
  return kind === 'text' && typeof value === 'string' ? cleanText(value) : value;
}
