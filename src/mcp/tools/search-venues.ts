/** `search_venues`: places by name, kind and neighborhood, each with its next event. */

import { searchVenues } from '../../query/index.ts';
import { CAPACITY_TIERS } from '../../records/index.ts';
import type { JsonObject } from '../protocol/message.ts';
import { cleanLine } from '../text.ts';
import { briefFacts } from './event-facts.ts';
import { describeProblems, type EventQueryInput, readNeighborhood } from './event-query.ts';
import { explainWords } from './explain.ts';
import { cursorAt, fitList, joinText, numbered, printRecord, readCursor } from './fit-answer.ts';
import { type ArgumentReading, noteReadings } from './readings.ts';
import {
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
} from './schemas.ts';
import { type McpTool, mistake, type PrintedRecord, type ToolAnswer, type ToolMistake, type ToolPlace } from './tool.ts';
import { describeNext, describeVenue, type ListedVenue, readNextEvents, readVenues, venueFacts } from './venue-facts.ts';

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
  run,
};

function run(values: JsonObject, given: readonly ArgumentReading[], place: ToolPlace): ToolAnswer | ToolMistake {
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
