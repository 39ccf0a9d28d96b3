/** `GET /events/{id}` (contract §4.2): any published event, whatever its status or date. */

import { type Ask, absent, defineRoute, type Outcome } from '../route.ts';
import { isShaped, shapeParameters, writeShapedEvents } from './shaped-events.ts';

const parameters = shapeParameters('detail');

export const getEvent = defineRoute({
  path: '/events/{id}',
  operationId: 'getEvent',
  tier: 'starter',
  metered: true,
  summary: 'One event',
  description: 'Answers whatever the status or date of the event. The id of a merged event answers 301 to the one that survived.',
  parameters,
  answers: ['SingleEvent', 'ShapedSingleEvent'],
  answer,
});

function answer({ snapshot, id, values }: Ask<typeof parameters>): Outcome {
  const lookup = snapshot.event(id);
  if (lookup.found !== 'published') return absent(lookup, 'event');
  return {
    kind: 'data',
    tag: isShaped(values) ? null : lookup.tag,
    until: Number.POSITIVE_INFINITY,
    body: () => writeShapedEvents(snapshot, [lookup.item], 'detail', values, '{"data":', '}'),
  };
}
