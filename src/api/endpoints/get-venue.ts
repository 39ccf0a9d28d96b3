/** `GET /venues/{id}` (contract §4.4): any published venue, verified or not. */

import { type Ask, absent, defineRoute, type RouteOutcome } from '../route.ts';
import { includeOfVenues, writeShapedVenues } from './shaped-records.ts';

const parameters = { include: includeOfVenues };

export const getVenue = defineRoute({
  path: '/venues/{id}',
  operationId: 'getVenue',
  tier: 'starter',
  metered: true,
  summary: 'One venue',
  description: 'Returns unverified venues too. The id of a merged venue redirects (301) to the remaining venue.',
  parameters,
  answers: ['SingleVenue'],
  answer,
});

function answer({ snapshot, now, id, values }: Ask<typeof parameters>): RouteOutcome {
  const lookup = snapshot.venue(id, now);
  if (lookup.found !== 'published') return absent(lookup, 'venue');
  return {
    kind: 'data',
    tag: values.include ? null : lookup.tag,
    body: () =>
      writeShapedVenues(snapshot, { items: [lookup.item], form: 'detail', now, include: values.include }, '{"data":', '}'),
  };
}
