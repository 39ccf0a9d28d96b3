/** `ask=`: a list for a free text, and what was understood of it. The list without `ask` never comes here. */

import { crc32 } from 'node:zlib';
import { readEventAsk } from '../../query/index.ts';
import type { AskInterpretation } from '../../search/index.ts';
import { type Ask, type RouteOutcome, writeMeta } from '../route.ts';
import type { EventParameters } from './list-events.ts';
import { isShaped, writeShapedEvents } from './shaped-events.ts';

type EventRequest = Pick<Ask<EventParameters>, 'snapshot' | 'now' | 'values' | 'sent'>;

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

function writeInterpretation(asked: AskInterpretation): string {
  return `,"interpretation":${JSON.stringify(asked)}`;
}
