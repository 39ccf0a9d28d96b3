/** `GET /events/{id}` (contract §4.2): any published event, whatever its status or date. */

import { type Ask, absent, defineRoute, type RouteOutcome } from '../route.ts';
import { isShaped, shapeParameters, writeShapedEvents } from './shaped-records.ts';

const parameters = shapeParameters('detail');

export const getEvent = defineRoute({
  path: '/events/{id}',
  operationId: 'getEvent',
  tier: 'starter',
  metered: true,
  summary: 'One event',
  description: 'Returns the event whatever its status or date. The id of a merged event redirects (301) to the remaining event.',
  parameters,
  answers: ['SingleEvent', 'ShapedSingleEvent'],
  answer,
});

function answer({ snapshot, id, values }: Ask<typeof parameters>): RouteOutcome {
  const lookup = snapshot.event(id);
  if (lookup.found !== 'published') return absent(lookup, 'event');
  return {
    kind: 'data',
    tag: isShaped(values) ? null : lookup.tag,
    until: Number.POSITIVE_INFINITY,
    body: () => writeShapedEvents(snapshot, [lookup.item], 'detail', values, '{"data":', '}'),
  };
}
