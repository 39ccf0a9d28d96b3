/** `GET /venues` (contract §4.3; decisions §1 and §5). */

import { buildVenueQuery, lacksNear, venueListParameters } from '../../query/index.ts';
import { type Ask, defineRoute, type RouteOutcome } from '../route.ts';
import { includeOfVenues, writeMeta, writeShapedVenues } from './shaped-records.ts';

const parameters = { ...venueListParameters, include: includeOfVenues };

export const listVenues = defineRoute({
  path: '/venues',
  operationId: 'listVenues',
  tier: 'starter',
  metered: true,
  summary: 'Search verified venues',
  description: 'Sorted by number of upcoming events, then name, then id.',
  parameters,
  conflicts: lacksNear,
  answers: ['VenueList'],
  answer,
});

function answer({ snapshot, now, values }: Ask<typeof parameters>): RouteOutcome {
  const { limit, offset, include } = values;
  const page = snapshot.venues(buildVenueQuery(values), now);
  const { total, items } = page;
  return {
    kind: 'data',
    tag: include ? null : `${page.tag}-${limit}-${offset}`,
    page: { total, limit, offset },
    interpretations: page.interpretations,
    body: () =>
      writeShapedVenues(
        snapshot,
        { items, form: 'list', now, include },
        '{"data":[',
        `],${writeMeta({ total, limit, offset }, items.length)}}}`,
      ),
  };
}
