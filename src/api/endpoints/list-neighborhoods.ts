/** `GET /neighborhoods` (contract §4.6). */

import { type Ask, defineRoute, type RouteOutcome } from '../route.ts';

export const listNeighborhoods = defineRoute({
  path: '/neighborhoods',
  operationId: 'listNeighborhoods',
  tier: 'growth',
  metered: true,
  summary: 'Neighborhoods with their counts',
  description: 'All neighborhoods, sorted by number of upcoming events, then name.',
  parameters: {},
  answers: ['NeighborhoodList'],
  answer,
});

function answer({ snapshot, now }: Ask): RouteOutcome {
  const { items, tag } = snapshot.neighborhoods(now);
  return { kind: 'data', tag, body: () => Buffer.from(JSON.stringify({ data: items, meta: { total: items.length } })) };
}
