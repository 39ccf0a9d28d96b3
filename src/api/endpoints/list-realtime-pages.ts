/** `GET /changes.rpde`: the change log as Realtime Paged Data Exchange 1.0 (W3C OpenActive), in the order of change numbers. */

import { oneOf, pageLimit, uuid, wholeNumber } from '../../query/index.ts';
import { LogUnavailableError } from '../../search/index.ts';
import { type Ask, defineRoute, type RouteOutcome, unlessUnavailable } from '../route.ts';
import { resync } from './list-changes.ts';

const parameters = {
  afterChangeNumber: wholeNumber(0, Number.MAX_SAFE_INTEGER, 0, '`next` of the previous page. Default: the beginning.'),
  limit: pageLimit(500, 1000, { echoed: false }),
  epoch: uuid('History that the number belongs to: `next` of the previous page has it. Default: not checked.'),
  entity: oneOf(['event', 'venue'], 'event', 'Kind of records.'),
};

export const listRealtimePages = defineRoute({
  path: '/changes.rpde',
  operationId: 'listRealtimePages',
  tier: 'enterprise',
  metered: true,
  summary: 'The change log as Realtime Paged Data Exchange',
  description: 'Each record once, where it last changed. The last page has no items, and `next` leads to itself.',
  parameters,
  statuses: [410],
  answers: ['RealtimePage'],
  answer: unlessUnavailable(LogUnavailableError, 'the change log', answer),
});

async function answer(ask: Ask<typeof parameters>): Promise<RouteOutcome> {
  const { values, changes, current, publicUrl } = ask;
  const { afterChangeNumber: after, limit, entity, epoch } = values;
  const page = await changes.read({
    after,
    limit,
    entities: [entity],
    kinds: KINDS,
    snapshot: current(),
    heldOnly: false,
    latestOnly: true,
  });
  if (after > page.head || (epoch !== undefined && epoch !== page.epoch)) return resync(ask, page, 'at /changes.rpde');
  const items = page.changes.map(({ seq, entityId, record }) => {
    const head = JSON.stringify({
      state: record.found === 'published' ? 'updated' : 'deleted',
      kind: RPDE_KINDS[entity],
      id: entityId,
      modified: seq,
    });
    return record.found === 'published' ? `${head.slice(0, -1)},"data":${record.json}}` : head;
  });
  // Behind the last item, so that an empty page leads to itself.
  const reached = page.changes.at(-1)?.seq ?? after;
  const query = new URLSearchParams({ afterChangeNumber: String(reached), limit: String(limit), epoch: page.epoch });
  if (entity !== 'event') query.set('entity', entity);
  const tail = JSON.stringify({ next: `${publicUrl}/api/v1/changes.rpde?${query}`, license: `${publicUrl}/docs` });
  return { kind: 'data', tag: null, body: () => Buffer.from(`{"items":[${items.join(',')}],${tail.slice(1)}`) };
}

const RPDE_KINDS = { event: 'Event', venue: 'Venue' } as const;
const KINDS = ['created', 'updated', 'cancelled', 'rescheduled', 'merged', 'removed'] as const;
