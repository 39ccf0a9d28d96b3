/** `ask=`: a list for a free text, and what was understood of it. The list without `ask` never comes here. */

import { crc32 } from 'node:zlib';
import type { AskInterpretation, EventAsk, Facet, GivenFilter } from '../../search/index.ts';
import type { ParameterConflict } from '../parameters/parameter.ts';
import { type Ask, type RouteOutcome, writeMeta } from '../route.ts';
import { buildFilter, timeRange } from './event-filters.ts';
import type { EventListValues, EventParameters } from './list-events.ts';
import { isShaped, writeShapedEvents } from './shaped-events.ts';

type EventRequest = Pick<Ask<EventParameters>, 'snapshot' | 'now' | 'values' | 'sent'>;

interface AskRequest extends Pick<EventRequest, 'now' | 'sent'> {
  values: EventListValues & { facets?: readonly Facet[] | undefined };
}

export function answerEventAsk(request: EventRequest, text: string): RouteOutcome {
  const { snapshot, values } = request;
  const { limit, offset, facets } = values;
  const page = snapshot.ask(readEventAsk(request, text));
  const { total, items, asked } = page;
  const understood = writeInterpretation(asked);
  const plain = !facets && !isShaped(values);
  return {
    kind: 'data',
    tag: plain ? `${page.tag}-${limit}-${offset}-${crc32(understood).toString(36)}` : null,
    ...(page.until !== undefined && { until: page.until }),
    page: { total, limit, offset },
    body() {
      const counts = facets ? `,"facets":${JSON.stringify(page.facets ?? {})}` : '';
      const tail = `],${writeMeta({ total, limit, offset }, items.length)}${counts}${understood}}}`;
      return writeShapedEvents(snapshot, items, 'list', values, '{"data":[', tail);
    },
  };
}

/** A parameter of the request counts before what the text says of the same. */
export function readEventAsk({ now, values, sent }: AskRequest, text: string): EventAsk {
  const names = new Set(sent.map(([name]) => name));
  const timeName = ['when', 'start_date', 'end_date'].find((name) => names.has(name));
  const range = timeRange(values, now);
  const { from, to, ongoing, lastDayEnds, text: _, ...filter } = buildFilter(values, range);
  const isOngoing = ongoing ?? values.ongoing;
  const { limit, offset, facets, sort } = values;
  return {
    ...filter,
    text,
    now,
    limit,
    offset,
    given: readGiven(names, EVENT_GIVEN),
    sort: names.has('sort') ? sort : 'relevance',
    ...(isOngoing && { ongoing: true }),
    ...(facets && { facets }),
    ...(timeName !== undefined && { range: { from, to, ...(lastDayEnds !== undefined && { lastDayEnds }) } }),
  };
}

function writeInterpretation(asked: AskInterpretation): string {
  return `,"interpretation":${JSON.stringify(asked)}`;
}

/** `q` has exact rules, which a text has not. */
export function askConflicts({ ask, q }: { ask: string | undefined; q: string | undefined }): ParameterConflict[] {
  if (ask === undefined || q === undefined) return [];
  return [{ names: ['ask', 'q'], code: 'conflicting', detail: 'cannot be combined with q: give one or the other' }];
}

/** By filter: the first parameter sent that says it. */
function readGiven<Filter extends string>(
  names: ReadonlySet<string>,
  table: Readonly<Record<Filter, readonly string[]>>,
): Partial<Record<Filter, string>> {
  const given: Partial<Record<Filter, string>> = {};
  for (const filter of Object.keys(table) as Filter[]) {
    const name = table[filter].find((each) => names.has(each));
    if (name !== undefined) given[filter] = name;
  }
  return given;
}

const EVENT_GIVEN: Readonly<Record<GivenFilter, readonly string[]>> = {
  time: ['when', 'start_date', 'end_date'],
  price: ['free', 'price_max'],
  category: ['category'],
  place: ['neighborhood', 'venue_id', 'near', 'bbox'],
};
