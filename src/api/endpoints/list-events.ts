/** `GET /events` (contract §4.1; decisions §1 and §5). */

import { crc32 } from 'node:zlib';
import {
  anyOf,
  askConflicts,
  eventListConflicts,
  eventSearchParameters,
  findEvents,
  parseQuery,
  problemsOf,
  readEventAsk,
  readParameters,
} from '../../query/index.ts';
import { type AskInterpretation, FACETS, type FacetCounts, type Snapshot } from '../../search/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import { type Ask, defineRoute, type RouteOutcome } from '../route.ts';
import { isShaped, shapeParameters, writeMeta, writeShapedEvents } from './shaped-records.ts';

const parameters = {
  ...eventSearchParameters,
  ...shapeParameters('list'),
  facets: anyOf(FACETS, 'Extension. Counts over all matching events, in `meta.facets`.'),
};

type EventParameters = typeof parameters;

export const listEvents = defineRoute<typeof parameters>({
  path: '/events',
  operationId: 'listEvents',
  tier: 'starter',
  metered: true,
  summary: 'Search upcoming events',
  description: 'Sorted by discovery score, then start time, then id. The order is total: paging never repeats or skips.',
  parameters,
  conflicts: (values, now) => [...eventListConflicts(values, now), ...askConflicts(values)],
  answers: ['EventList', 'ShapedEventList'],
  answer,
});

/** What `GET /events?query` answers to whoever may ask, as the body's text; null when the query cannot be read. For pages that show one. */
export function sampleEvents(query: string, snapshot: Snapshot, now: number): string | null {
  const city = createCityTime(snapshot.city.timezone);
  const read = readParameters(parameters, parseQuery(query), { city, strict: true });
  if (problemsOf(read, eventListConflicts(read.values, now)).length > 0) return null;
  const outcome = answer({ snapshot, now, values: read.values, sent: read.sent });
  return outcome.kind === 'data' ? outcome.body().toString() : null;
}

function answer(request: Pick<Ask<EventParameters>, 'snapshot' | 'now' | 'values' | 'sent'>): RouteOutcome {
  const { snapshot, now, values } = request;
  if (values.ask !== undefined) return answerEventAsk(request, values.ask);
  const { limit, offset, facets } = values;
  const { page, until } = findEvents(snapshot, values, now, facets);
  const { total, items } = page;
  const plain = !facets && !isShaped(values);
  return {
    kind: 'data',
    tag: plain ? `${page.tag}-${limit}-${offset}` : null,
    ...(until !== undefined && { until }),
    page: { total, limit, offset },
    interpretations: page.interpretations,
    body() {
      const tail = `],${writeMeta({ total, limit, offset }, items.length)}${facets ? writeFacets(page.facets) : ''}}}`;
      return writeShapedEvents(snapshot, items, 'list', values, '{"data":[', tail);
    },
  };
}

function writeFacets(facets: FacetCounts | undefined): string {
  return `,"facets":${JSON.stringify(facets ?? {})}`;
}

type EventRequest = Pick<Ask<EventParameters>, 'snapshot' | 'now' | 'values' | 'sent'>;

function answerEventAsk(request: EventRequest, text: string): RouteOutcome {
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

function writeInterpretation(asked: AskInterpretation): string {
  return `,"interpretation":${JSON.stringify(asked)}`;
}
