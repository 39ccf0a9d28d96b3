/** `whats_trending`: what is on the rise, with the plain reason of each. */

import type { Snapshot, TrendingEvent, TrendingVenue } from '../../search/index.ts';
import type { JsonObject } from '../protocol/message.ts';
import { cleanLine, cleanText, describeStart } from '../text.ts';
import { fitRecords, joinText, numbered, printRecord } from './fit-answer.ts';
import { type ArgumentReading, noteReadings } from './readings.ts';
import { readListed } from './record-facts.ts';
import { INTEGER, limitOf, listOf, MAX_CHARS, NOTES, outputOf, TRENDING } from './schemas.ts';
import type { McpTool, PrintedRecord, ToolAnswer, ToolPlace } from './tool.ts';

export const whatsTrendingTool: McpTool = {
  name: 'whats_trending',
  title: "What's trending",
  description: 'Events or venues on the rise in the last 7 days, each with its reason. Needs a Growth key.',
  tier: 'growth',
  cost: 1,
  input: {
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['events', 'venues'], default: 'events' },
      limit: limitOf(20, 8),
      max_chars: MAX_CHARS,
    },
  },
  output: outputOf({ shown: INTEGER, trending: listOf(TRENDING), notes: NOTES }),
  run,
};

function run(values: JsonObject, given: readonly ArgumentReading[], { snapshot, now, city, publicUrl }: ToolPlace): ToolAnswer {
  const type = values.type === 'venues' ? 'venues' : 'events';
  const { events, venues, generatedAt } = snapshot.trending(type, Number(values.limit), now);
  const records = [
    ...events.map((event) => printRising(event, snapshot)),
    ...venues.map((venue) => printVenue(venue, publicUrl)),
  ];
  const fitted = fitRecords(records, Number(values.max_chars), HEAD_CHARS);
  const shown = fitted.records.length;
  const notes = noteReadings(given, Number(values.max_chars));
  if (shown === 0) notes.push('Nothing is on the rise: there are too few signals of the last 7 days.');
  if (fitted.isCut) notes.push(`Cut to ${shown} to stay within max_chars.`);
  const at = city.format(generatedAt).slice(0, 16).replace('T', ' ');
  return {
    text: joinText(`${shown} trending ${type}, computed ${at}:`, numbered(fitted.records), notes),
    structured: { shown, notes },
    list: { name: 'trending', records: fitted.records },
  };
}

function printRising(event: TrendingEvent, snapshot: Snapshot): PrintedRecord {
  const { id, title, category, startDatetime, trendScore, venue } = event;
  const lookup = snapshot.event(id);
  const isThere = lookup.found === 'published';
  const reason = isThere ? describeReason(snapshot, lookup.item) : '';
  const [listed] = isThere ? readListed(snapshot, [lookup.item], 'list') : [];
  const when = describeStart(startDatetime, listed?.startPrecision ?? 'time');
  const parts = [when, cleanLine(title), cleanLine(venue.name), reason, listed?.url ?? ''];
  const names = { title: cleanText(title), venue: cleanText(venue.name) };
  const facts = { id, ...names, category, start: startDatetime, trendScore, reason, ...(listed && { url: listed.url }) };
  return printRecord(parts.filter((part) => part !== '').join(' | '), facts);
}

/** What lifts it most. */
function describeReason(snapshot: Snapshot, item: number): string {
  const rising = snapshot.extras(item).score.trendSignals.filter(({ points }) => points > 0);
  const sorted = rising.toSorted((a, b) => b.points - a.points).slice(0, MAX_REASONS);
  return sorted.map(({ sentence }) => sentence).join(' ');
}

function printVenue(
  { id, name, slug, type, neighborhood, upcomingEventCount, trendScore }: TrendingVenue,
  site: string,
): PrintedRecord {
  const reason = `Its events are on the rise; ${upcomingEventCount} are coming up.`;
  const url = `${site}/venues/${slug}`;
  const parts = [cleanLine(name), [type, neighborhood].filter((part) => part !== null).join(', '), reason, url];
  return printRecord(parts.join(' | '), { id, name: cleanText(name), type, neighborhood, trendScore, reason, url });
}

const MAX_REASONS = 2;
const HEAD_CHARS = 200;
