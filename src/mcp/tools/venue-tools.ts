/** `search_venues`: places by name, kind and neighborhood, each with its next event. `get_venue`: all facts of one, and its next events. */

import { searchVenues } from '../../query/index.ts';
import { CAPACITY_TIERS, type VenueFields, type VenueSummary } from '../../records/index.ts';
import type { Snapshot } from '../../search/index.ts';
import type { JsonObject } from '../protocol/message.ts';
import { cleanLine, cleanValue, describeHours, describeStart } from '../text.ts';
import { describeProblems, type EventQueryInput, readNeighborhood } from './event-query.ts';
import { explainWords } from './explain.ts';
import { findRecord } from './find-record.ts';
import { cursorAt, type FittedList, fitList, joinText, numbered, printRecord, readCursor } from './fit-answer.ts';
import { type ArgumentReading, noteReadings } from './readings.ts';
import { briefFacts, factsOf, type ListedEvent, printEvent, readListed } from './record-facts.ts';
import {
  BRIEF_VENUE,
  EVENT,
  FOUND_VENUE,
  INTEGER,
  limitOf,
  listOf,
  MAX_CHARS,
  NEAR,
  NEIGHBORHOOD,
  NOTES,
  outputOf,
  RADIUS,
  TEXT,
  VENUE_TYPE,
  WHOLE_VENUE,
} from './schemas.ts';
import { type McpTool, mistake, type PrintedRecord, type ToolAnswer, type ToolMistake, type ToolPlace } from './tool.ts';

export const searchVenuesTool: McpTool = {
  name: 'search_venues',
  title: 'Search venues',
  description: 'Finds verified venues, the busiest first, each with its next event.',
  tier: null,
  cost: 1,
  input: {
    type: 'object',
    properties: {
      q: { type: 'string', description: 'words of the name' },
      type: VENUE_TYPE,
      neighborhood: NEIGHBORHOOD,
      near: NEAR,
      radius_m: RADIUS,
      capacity: { type: 'array', items: { type: 'string', enum: CAPACITY_TIERS } },
      limit: limitOf(20, 8),
      cursor: TEXT,
      max_chars: MAX_CHARS,
    },
  },
  output: outputOf({ total: INTEGER, shown: INTEGER, venues: listOf(FOUND_VENUE), notes: NOTES }),
  run: search,
};

function search(values: JsonObject, given: readonly ArgumentReading[], place: ToolPlace): ToolAnswer | ToolMistake {
  const { snapshot, now } = place;
  const input: EventQueryInput = { parts: new Map(), readings: [], mistakes: [] };
  readNeighborhood(values.neighborhood, input, snapshot, now);
  const offset = readCursor(values.cursor, input.mistakes);
  if (values.radius_m !== undefined && values.near === undefined) input.mistakes.push('radius_m needs near');
  if (input.mistakes.length > 0) return mistake(...input.mistakes);
  const query = buildQuery(values, input);
  const maxChars = Number(values.max_chars);
  const readings = noteReadings([...given, ...input.readings], maxChars);
  const found = searchVenues(`${query}&limit=${values.limit}&offset=${offset}`, place);
  if (!found.ok) return mistake(...describeProblems(found.errors));
  const { total, items, interpretations } = found.page;
  const records = readVenues(snapshot, items, 'list', now).map((venue) => printVenue(venue, place));
  return fitList(records, maxChars, (fitted) => {
    const shown = fitted.records.length;
    const next = offset + shown < total ? cursorAt(offset + shown) : undefined;
    const notes = [...readings, ...explainWords(interpretations)];
    if (total === 0) notes.push(...explainNone(values, place));
    else if (shown === 0) notes.push(`There are only ${total} venues; the cursor is beyond the last one.`);
    if (fitted.isCut) notes.push(`Cut to ${shown} venues to stay within max_chars.`);
    if (next !== undefined) notes.push(`${total - offset - shown} more match; send cursor "${next}" for them.`);
    return {
      text: joinText(`${shown} of ${total} venues:`, numbered(fitted.records, offset + 1), notes),
      structured: { total, shown, ...(next !== undefined && { nextCursor: next }), notes },
      list: { name: 'venues', records: fitted.records },
    };
  });
}

function buildQuery({ q, type, capacity, near, radius_m }: JsonObject, { parts }: EventQueryInput): string {
  const pairs: (readonly [string, string])[] = [...(parts.get('neighborhood') ?? [])];
  if (q !== undefined) pairs.push(['q', String(q)]);
  if (Array.isArray(type)) pairs.push(['type', type.join(',')]);
  if (Array.isArray(capacity)) pairs.push(['capacity', capacity.join(',')]);
  if (near !== undefined) {
    const { latitude, longitude } = near as { latitude: number; longitude: number };
    pairs.push(['near', `${latitude},${longitude}`]);
    if (radius_m !== undefined) pairs.push(['radius', String(radius_m)]);
  }
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

function printVenue(venue: ListedVenue, { snapshot, now }: ToolPlace): PrintedRecord {
  const [next] = readNextEvents(snapshot, venue.id, now, 1);
  const parts = [
    cleanLine(venue.name),
    describeVenue(venue),
    next ? `next: ${describeNext(next)}` : 'no coming event',
    venue.url,
  ];
  return printRecord(parts.join(' | '), { ...venueFacts(venue), nextEvent: next ? nextFacts(briefFacts(next)) : null });
}

const nextFacts = ({ id, title, start, url }: JsonObject): JsonObject => ({ id, title, start, url });

function explainNone({ q, near }: JsonObject, place: ToolPlace): string[] {
  const notes: string[] = [];
  if (near !== undefined) {
    const { latitude, longitude } = near as { latitude: number; longitude: number };
    const reverse = searchVenues(`near=${longitude},${latitude}&radius=50000&limit=1&offset=0`, place);
    if (reverse.ok && reverse.page.total > 0) notes.push('Did you swap latitude and longitude? Try the reverse.');
  }
  if (q !== undefined) notes.push('q looks at names of venues alone; search_events finds words of events.');
  return [...notes, 'No venue passes all filters; leave one out.'];
}

export const getVenueTool: McpTool = {
  name: 'get_venue',
  title: 'Get a venue',
  description: 'All facts of one venue, by id or url, with its next ten events.',
  tier: null,
  cost: 1,
  input: { type: 'object', properties: { id: TEXT, url: TEXT, max_chars: MAX_CHARS } },
  output: outputOf({ venue: WHOLE_VENUE, events: listOf(EVENT), notes: NOTES }),
  run: get,
};

function get(values: JsonObject, given: readonly ArgumentReading[], place: ToolPlace): ToolAnswer | ToolMistake {
  const found = findRecord('venue', values, place);
  if ('mistakes' in found) return found;
  const { snapshot, now } = place;
  const [venue] = readVenues(snapshot, [found.item], 'detail', now) as [ListedVenue];
  const facts = cleanValue({ ...venueFacts(venue), ...venue.metadata });
  const readings = noteReadings([...given, ...found.readings], Number(values.max_chars));
  const head = describeWhole(venue);
  const spent = head.length + JSON.stringify(facts).length + OTHER_CHARS;
  const events = readNextEvents(snapshot, venue.id, now, NEXT_EVENTS);
  const records = events.map((event) => printEvent(event, snapshot.city.currency));
  const title = events.length > 0 ? 'Next events:' : 'No coming events.';
  const answerWith = (fitted: FittedList): ToolAnswer => {
    const notes = [...readings];
    const more = venue.upcomingEventCount - fitted.records.length;
    // Without the name itself: it is the text of a source, and a note is ours.
    if (more > 0) notes.push(`${more} more events are coming up here; search_events with the venue's name as q lists them.`);
    return {
      text: joinText(`${head}\n${title}`, numbered(fitted.records), notes),
      structured: { venue: facts, notes },
      list: { name: 'events', records: fitted.records },
    };
  };
  return fitList(records, Number(values.max_chars), answerWith, spent);
}

function describeWhole(venue: ListedVenue): string {
  const { website = null, parking = null, transitNearby = [], openingHours = null } = venue.metadata ?? {};
  return [
    `Name: ${cleanLine(venue.name)}`,
    `Kind: ${describeVenue(venue)}`,
    `Address: ${venue.address === null ? 'unknown' : cleanLine(venue.address)}`,
    `Opening hours: ${openingHours === null ? 'unknown' : cleanLine(describeHours(openingHours))}`,
    ...(website === null ? [] : [`Website: ${cleanLine(website)}`]),
    ...(parking === null ? [] : [`Parking: ${cleanLine(parking)}`]),
    ...(transitNearby.length > 0 ? [`Transit: ${transitNearby.map(cleanLine).join('; ')}`] : []),
    `Page: ${venue.url}`,
  ].join('\n');
}

/** What is used of the list and the detail form of the API. */
interface ListedVenue extends VenueSummary {
  metadata?: Pick<VenueFields, 'website' | 'parking' | 'transitNearby' | 'openingHours'>;
}

function readVenues(snapshot: Snapshot, items: readonly number[], form: 'list' | 'detail', now: number): ListedVenue[] {
  return items.length === 0 ? [] : JSON.parse(snapshot.writeVenues(items, form, now, '[', ']').toString());
}

/** The next events at a venue, the earliest first. */
function readNextEvents(snapshot: Snapshot, venueId: string, now: number, limit: number): ListedEvent[] {
  const query = { venueId, from: now, to: Number.POSITIVE_INFINITY, sort: 'start', limit, offset: 0 } as const;
  return readListed(snapshot, snapshot.events(query).items, 'list');
}

/** Type, place, size, as words. */
function describeVenue({ type, neighborhood, capacityTier }: ListedVenue): string {
  return [type, neighborhood, capacityTier].filter((part) => part !== null).join(', ');
}

const describeNext = ({ title, startDatetime, startPrecision }: ListedEvent): string =>
  `${describeStart(startDatetime, startPrecision)}: ${cleanLine(title)}`;

const venueFacts = (venue: ListedVenue): JsonObject => factsOf(BRIEF_VENUE, venue);

const NEXT_EVENTS = 10;
const OTHER_CHARS = 250;
