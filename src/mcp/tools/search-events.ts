/** `search_events`: one small call for "what is on". */

import type { ParameterProblem } from '../../http/index.ts';
import type { Snapshot } from '../../search/index.ts';
import type { JsonObject } from '../protocol/message.ts';
import { EVENT_APP_URI } from '../server-facts.ts';
import { askEvents, describeProblems, readEventQuery } from './event-query.ts';
import { explainAsked, explainEmpty, explainOrder, explainPast, explainWords } from './explain.ts';
import { cursorAt, fitList, joinText, numbered, readCursor } from './fit-answer.ts';
import { type ArgumentReading, noteReadings } from './readings.ts';
import { printBriefly, printEvent, readListed } from './record-facts.ts';
import {
  AREA,
  CATEGORY,
  FOUND_EVENT,
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
  WHEN,
} from './schemas.ts';
import { type McpTool, mistake, type PrintedRecord, type ToolAnswer, type ToolMistake, type ToolPlace } from './tool.ts';

export const searchEventsTool: McpTool = {
  name: 'search_events',
  title: 'Search events',
  description:
    'Finds events of the city. Default: the next 30 days, best first. Local time; a night ends at 5 AM. Read the notes: they say why a list is empty or cut.',
  tier: null,
  cost: 1,
  input: {
    type: 'object',
    properties: {
      q: { type: 'string', description: 'words, as people type them' },
      when: WHEN,
      from: { type: 'string', description: 'YYYY-MM-DD[THH:MM], instead of when' },
      to: TEXT,
      category: CATEGORY,
      neighborhood: NEIGHBORHOOD,
      near: NEAR,
      radius_m: RADIUS,
      area: AREA,
      free: { type: 'boolean' },
      price_max: { type: 'number', minimum: 0 },
      sort: { type: 'string', enum: ['score', 'start', 'distance'] },
      limit: limitOf(20, 8),
      cursor: { type: 'string', description: 'nextCursor of the last answer' },
      detail: { type: 'string', enum: ['brief', 'full'], default: 'brief' },
      max_chars: MAX_CHARS,
    },
  },
  output: outputOf({ total: INTEGER, shown: INTEGER, events: listOf(FOUND_EVENT), notes: NOTES }),
  app: EVENT_APP_URI,
  run,
};

function run(values: JsonObject, given: readonly ArgumentReading[], place: ToolPlace): ToolAnswer | ToolMistake {
  const { parts, readings: read, mistakes } = readEventQuery(values, place);
  const first = readCursor(values.cursor, mistakes);
  if (values.sort === 'distance' && values.near === undefined) mistakes.push('sort distance needs near');
  if (mistakes.length > 0) return mistake(...mistakes);
  const found = askEvents(parts, place, { limit: Number(values.limit), offset: first });
  if (!found.ok) {
    const describe = (each: ParameterProblem): string[] =>
      each.code === 'before_start' ? [explainOrder(values, place)] : describeProblems([each]);
    return mistake(...found.errors.flatMap(describe));
  }
  const { total, items, interpretations } = found.page;
  const maxChars = Number(values.max_chars);
  const readings = noteReadings([...given, ...read], maxChars);
  const records = values.detail === 'full' ? printFully(place.snapshot, items, maxChars) : printBriefly(place.snapshot, items);
  return fitList(records, maxChars, (fitted) => {
    const shown = fitted.records.length;
    const next = first + shown < total ? cursorAt(first + shown) : undefined;
    const notes = [...readings, ...explainWords(interpretations), ...explainAsked(found.asked, total)];
    if (total === 0) notes.push(...explainEmpty(parts, values, place));
    else if (shown === 0) notes.push(`There are only ${total} events; the cursor is beyond the last one.`);
    else notes.push(...explainPast(values, place));
    if (fitted.isCut) notes.push(`Cut to ${shown} events to stay within max_chars.`);
    if (next !== undefined) {
      notes.push(
        `${total - first - shown} more match. Narrow the search with category, when or neighborhood, or send cursor "${next}".`,
      );
    }
    const head = `${shown} of ${total} events, local time of ${place.city.timezone}:`;
    return {
      text: joinText(head, numbered(fitted.records, first + 1), notes),
      structured: { total, shown, ...(next !== undefined && { nextCursor: next }), notes },
      list: { name: 'events', records: fitted.records },
      until: total > 0 ? found.until : undefined,
    };
  });
}

/** With descriptions, as long as the answer has room for. */
function printFully(snapshot: Snapshot, items: readonly number[], maxChars: number): PrintedRecord[] {
  const described = Math.min(MAX_DESCRIPTION_CHARS, Math.floor(maxChars / 10));
  return readListed(snapshot, items, 'list').map((event) => printEvent(event, snapshot.city.currency, described));
}

const MAX_DESCRIPTION_CHARS = 600;
