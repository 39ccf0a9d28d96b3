/** `get_venue`: all that is known of one venue, and what is on there next. */

import type { JsonObject } from '../protocol/message.ts';
import { cleanLine, cleanValue, describeHours } from '../text.ts';
import { printEvent } from './event-facts.ts';
import { findRecord } from './find-record.ts';
import { type FittedList, fitList, joinText, numbered } from './fit-answer.ts';
import { type ArgumentReading, noteReadings } from './readings.ts';
import { EVENT, listOf, MAX_CHARS, NOTES, outputOf, TEXT, WHOLE_VENUE } from './schemas.ts';
import type { McpTool, ToolAnswer, ToolMistake, ToolPlace } from './tool.ts';
import { describeVenue, type ListedVenue, readNextEvents, readVenues, venueFacts } from './venue-facts.ts';

export const getVenueTool: McpTool = {
  name: 'get_venue',
  title: 'Get a venue',
  description: 'All facts of one venue, by id or url, with its next ten events.',
  tier: null,
  cost: 1,
  input: { type: 'object', properties: { id: TEXT, url: TEXT, max_chars: MAX_CHARS } },
  output: outputOf({ venue: WHOLE_VENUE, events: listOf(EVENT), notes: NOTES }),
  run,
};

function run(values: JsonObject, given: readonly ArgumentReading[], place: ToolPlace): ToolAnswer | ToolMistake {
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

const NEXT_EVENTS = 10;
const OTHER_CHARS = 250;
