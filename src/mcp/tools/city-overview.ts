/** `city_overview`: how much is on, of what kind and where, and the best five. */

import type { FacetCounts } from '../../search/index.ts';
import type { JsonObject } from '../protocol/message.ts';
import { describeDay } from '../text.ts';
import { askEvents, describeProblems, readEventQuery } from './event-query.ts';
import { joinText, numbered, sizeOf } from './fit-answer.ts';
import { type ArgumentReading, noteReadings } from './readings.ts';
import { printBriefly } from './record-facts.ts';
import { COUNTS, EVENT, INTEGER, listOf, NOTES, outputOf, WHEN } from './schemas.ts';
import { type McpTool, mistake, type ToolAnswer, type ToolMistake, type ToolPlace } from './tool.ts';

export const cityOverviewTool: McpTool = {
  name: 'city_overview',
  title: 'City overview',
  description: 'Counts of events by category, day and neighborhood, and the best five.',
  tier: null,
  cost: 3,
  input: { type: 'object', properties: { when: { ...WHEN, default: 'next_7_days' } } },
  output: outputOf({ total: INTEGER, counts: COUNTS, events: listOf(EVENT), notes: NOTES }),
  run,
};

function run({ when }: JsonObject, given: readonly ArgumentReading[], place: ToolPlace): ToolAnswer | ToolMistake {
  const { snapshot, city, opens, publicUrl } = place;
  const { parts, readings: read, mistakes } = readEventQuery({ when }, place);
  if (mistakes.length > 0) return mistake(...mistakes);
  const found = askEvents(parts, place, { limit: BEST, offset: 0 }, { facets: ['category', 'day', 'neighborhood'] });
  if (!found.ok) return mistake(...describeProblems(found.errors));
  const { total, items, facets = {} } = found.page;
  const best = printBriefly(snapshot, items);
  const readings = noteReadings([...given, ...read], MAX_SIZE);
  const seesNeighborhoods = opens('growth');
  return fitNeighborhoods(facets.neighborhood ?? [], (neighborhoods, left) => {
    const notes = [...readings];
    // As `GET /neighborhoods`: decisions §6.
    if (!seesNeighborhoods) notes.push(`Counts by neighborhood need an API key of the growth plan (${publicUrl}/pricing).`);
    else if (left > 0) notes.push(`${left} quieter neighborhoods are left out; search_events with neighborhood counts theirs.`);
    const counts = {
      category: toObject(facets.category),
      day: toObject(facets.day),
      ...(seesNeighborhoods && { neighborhood: toObject(neighborhoods) }),
    };
    const head = [
      `${snapshot.city.name}, ${String(when).replaceAll('_', ' ')}: ${total} events. Local time of ${city.timezone}.`,
      `By category: ${describeCounts(facets.category)}`,
      `By day: ${describeCounts(facets.day, describeDay)}`,
      ...(seesNeighborhoods ? [`By neighborhood: ${describeCounts(neighborhoods)}`] : []),
      'Best:',
    ].join('\n');
    return {
      text: joinText(head, numbered(best), notes),
      structured: { total, counts, notes },
      list: { name: 'events', records: best },
    };
  });
}

/** A city may have hundreds of them: the busiest come first, as many as there is room for. */
function fitNeighborhoods(all: Counts, answerWith: (shown: Counts, left: number) => ToolAnswer): ToolAnswer {
  for (let shown = all; ; ) {
    const answer = answerWith(shown, all.length - shown.length);
    const over = sizeOf(answer) - MAX_SIZE;
    if (over <= 0 || shown.length === 0) return answer;
    shown = shown.slice(0, -Math.ceil(over / COUNT_CHARS));
  }
}

type Counts = NonNullable<FacetCounts[keyof FacetCounts]>;

const toObject = (counts: Counts = []): JsonObject => Object.fromEntries(counts.map(({ value, count }) => [value, count]));

const describeCounts = (counts: Counts = [], name: (value: string) => string = (value) => value): string =>
  counts.map(({ value, count }) => `${name(value)} ${count}`).join('; ') || 'none';

const BEST = 5;
/** This tool has no `max_chars`: what others have by default. */
const MAX_SIZE = 6_000;
/** More than one count has in both forms. */
const COUNT_CHARS = 100;
