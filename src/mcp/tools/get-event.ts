/** `get_event`: all that is known of one event. */

import type { JsonObject } from '../protocol/message.ts';
import { cleanLine, cleanText, cleanValue, cutText } from '../text/clean.ts';
import { describePrice, describeStart, describeStatus } from '../text/describe.ts';
import { briefFacts, type ListedEvent, readListed } from './event-facts.ts';
import { findRecord } from './find-record.ts';
import { MAX_CHARS, outputOf, TEXT } from './schemas.ts';
import type { McpTool, ToolAnswer, ToolMistake, ToolPlace } from './tool.ts';

export const getEventTool: McpTool = {
  name: 'get_event',
  title: 'Get an event',
  description: 'All facts of one event, by id or url.',
  tier: null,
  cost: 1,
  input: { type: 'object', properties: { id: TEXT, url: TEXT, max_chars: MAX_CHARS } },
  output: outputOf({ event: 'object', notes: 'notes' }),
  run,
};

function run(values: JsonObject, notes: readonly string[], place: ToolPlace): ToolAnswer | ToolMistake {
  const found = findRecord('event', values, place);
  if ('mistakes' in found) return found;
  const [event] = readListed(place.snapshot, [found.item], 'detail') as [ListedEvent];
  const { currency } = place.snapshot.city;
  const maxDescription = Math.max(0, Math.floor((Number(values.max_chars) - OTHER_CHARS) / 2));
  const description = event.description === null ? null : cutText(cleanText(event.description), maxDescription);
  const isCut = description !== null && description.length < cleanText(event.description ?? '').length;
  const said = [...notes, ...(isCut ? ['The description is cut; send a larger max_chars for more.'] : [])];
  const { performers = [], tags = [], sources = [] } = event;
  const facts = {
    ...briefFacts(event),
    end: event.endDatetime,
    address: event.venue.address ?? null,
    performers: performers.slice(0, MAX_NAMES),
    tags: tags.slice(0, MAX_NAMES),
    sources,
    currency,
    description,
  };
  return {
    text: describeEvent(event, currency, description, said),
    structured: { event: cleanValue(facts), notes: said },
    links: linksOf(event),
    until: Number.POSITIVE_INFINITY,
  };
}

function describeEvent(event: ListedEvent, currency: string, description: string | null, notes: readonly string[]): string {
  const { venue, performers = [], sources = [] } = event;
  const place = [cleanLine(venue.name), venue.address && cleanLine(venue.address), venue.neighborhood].filter(Boolean).join(', ');
  const lines = [
    `Title: ${cleanLine(event.title)}`,
    `When: ${describeStart(event.startDatetime, event.startPrecision)}${describeEnd(event.endDatetime)}`,
    `Where: ${place}`,
    `Category: ${event.category}`,
    `Price: ${describePrice(event, currency)}`,
    `Status: ${describeStatus(event.status) || 'scheduled'}`,
    performers.length > 0 ? `Performers: ${performers.slice(0, MAX_NAMES).map(cleanLine).join(', ')}` : '',
    `Listed by: ${sources.map(cleanLine).join(', ') || 'unknown'}`,
    `Page: ${event.url}`,
    // Quoted and on one line: it is the text of a source, and nothing that anybody here says.
    description === null ? '' : `Description by the source, quoted: ${JSON.stringify(cleanLine(description))}`,
    ...notes.map((note) => `Note: ${note}`),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

const describeEnd = (end: string | null): string => (end === null ? '' : ` until ${describeStart(end, 'time')}`);

function linksOf({ id, url, title }: ListedEvent): JsonObject[] {
  const name = cutText(cleanLine(title), MAX_NAME_CHARS);
  return [
    { type: 'resource_link', uri: url, name, mimeType: 'text/html' },
    { type: 'resource_link', uri: `${url}/event.ics`, name: `${name} (calendar)`, mimeType: 'text/calendar' },
    { type: 'resource_link', uri: `marquee://event/${id}`, name: `${name} (data)`, mimeType: 'application/json' },
  ];
}

/** Everything but the description, in both forms. */
const OTHER_CHARS = 900;
const MAX_NAMES = 12;
const MAX_NAME_CHARS = 80;
