/** `get_event`: all that is known of one event. */

import type { JsonObject } from '../protocol/message.ts';
import { cleanLine, cleanText, cleanValue, cutText, describePrice, describeStatus, describeTimes } from '../text.ts';
import { findRecord } from './find-record.ts';
import { sizeOf } from './fit-answer.ts';
import { type ArgumentReading, noteReadings } from './readings.ts';
import { briefFacts, type ListedEvent, readListed } from './record-facts.ts';
import { MAX_CHARS, NOTES, outputOf, TEXT, WHOLE_EVENT } from './schemas.ts';
import type { McpTool, ToolAnswer, ToolMistake, ToolPlace } from './tool.ts';

export const getEventTool: McpTool = {
  name: 'get_event',
  title: 'Get an event',
  description: 'All facts of one event, by id or url.',
  tier: null,
  cost: 1,
  input: { type: 'object', properties: { id: TEXT, url: TEXT, max_chars: MAX_CHARS } },
  output: outputOf({ event: WHOLE_EVENT, notes: NOTES }),
  run,
};

function run(values: JsonObject, given: readonly ArgumentReading[], place: ToolPlace): ToolAnswer | ToolMistake {
  const found = findRecord('event', values, place);
  if ('mistakes' in found) return found;
  const [listed] = readListed(place.snapshot, [found.item], 'detail') as [ListedEvent];
  const event = { ...listed, description: listed.description && cleanText(listed.description) };
  const { currency } = place.snapshot.city;
  const maxChars = Number(values.max_chars);
  const readings = noteReadings([...given, ...found.readings], maxChars);
  return fitEvent(event, maxChars, (shown) => {
    const isCut = shown.description !== event.description;
    const said = [...readings, ...(isCut ? ['The description is cut; send a larger max_chars for more.'] : [])];
    const { performers = [], tags = [], sources = [] } = shown;
    const facts = {
      ...briefFacts(shown),
      end: shown.endDatetime,
      address: shown.venue.address ?? null,
      performers,
      tags,
      sources,
      currency,
      description: shown.description,
    };
    return {
      text: describeEvent(shown, currency, said),
      structured: { event: cleanValue(facts), notes: said },
      links: linksOf(shown),
      until: Number.POSITIVE_INFINITY,
    };
  });
}

/** As much of the description, then of the names, as both forms have room for: each escapes them in its own way. */
function fitEvent(event: ListedEvent, maxChars: number, answerWith: (shown: ListedEvent) => ToolAnswer): ToolAnswer {
  const withNames = (most: number): ListedEvent => ({
    ...event,
    performers: (event.performers ?? []).slice(0, most),
    tags: (event.tags ?? []).slice(0, most),
  });
  let shown = withNames(MAX_NAMES);
  for (let names = MAX_NAMES; ; ) {
    const answer = answerWith(shown);
    const over = sizeOf(answer) - maxChars;
    const { description } = shown;
    if (over <= 0) return answer;
    if (description) {
      const left = description.length - Math.ceil(over / 2);
      shown = { ...shown, description: left < MIN_DESCRIPTION_CHARS ? '' : cutText(description, left) };
    } else if (names > 0) {
      names -= 1;
      shown = { ...withNames(names), description };
    } else return answer;
  }
}

function describeEvent(event: ListedEvent, currency: string, notes: readonly string[]): string {
  const { venue, description, performers = [], sources = [] } = event;
  const place = [cleanLine(venue.name), venue.address && cleanLine(venue.address), venue.neighborhood].filter(Boolean).join(', ');
  const lines = [
    `Title: ${cleanLine(event.title)}`,
    `When: ${describeTimes(event)}`,
    `Where: ${place}`,
    `Category: ${event.category}`,
    `Price: ${describePrice(event, currency)}`,
    `Status: ${describeStatus(event.status) || 'scheduled'}`,
    performers.length > 0 ? `Performers: ${performers.map(cleanLine).join(', ')}` : '',
    `Listed by: ${sources.map(cleanLine).join(', ') || 'unknown'}`,
    `Page: ${event.url}`,
    // Quoted and on one line: it is the text of a source, and nothing that anybody here says.
    description ? `Description by the source, quoted: ${JSON.stringify(cleanLine(description))}` : '',
    ...notes.map((note) => `Note: ${note}`),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function linksOf({ id, url, title }: ListedEvent): JsonObject[] {
  const name = cutText(cleanLine(title), MAX_NAME_CHARS);
  return [
    { type: 'resource_link', uri: url, name, mimeType: 'text/html' },
    { type: 'resource_link', uri: `${url}/event.ics`, name: `${name} (calendar)`, mimeType: 'text/calendar' },
    { type: 'resource_link', uri: `marquee://event/${id}`, name: `${name} (data)`, mimeType: 'application/json' },
  ];
}

/** Less says nothing. */
const MIN_DESCRIPTION_CHARS = 20;
const MAX_NAMES = 12;
const MAX_NAME_CHARS = 80;
