/** `GET /venues` (contract §4.3; decisions §1 and §5). */

import { CAPACITY_TIERS, VENUE_TYPES } from '../../catalog/index.ts';
import type { VenueQuery } from '../../search/index.ts';
import type { Values } from '../parameters/parameter.ts';
import {
  anyOf,
  boundingBox,
  meters,
  oneOf,
  pageLimit,
  pageOffset,
  point,
  searchText,
  slug,
} from '../parameters/parameter-kinds.ts';
import { type Ask, defineRoute, type RouteOutcome, writeMeta } from '../route.ts';
import { DEFAULT_RADIUS_M, lacksNear } from './event-filters.ts';
import { includeOfVenues, writeShapedVenues } from './shaped-venues.ts';

/** Of the list in every form. */
export const venueListParameters = {
  q: searchText('Search by venue name, with the rules of `q` of `/events`.'),
  type: anyOf(VENUE_TYPES, 'Venue type; several separated by commas mean any of them.'),
  neighborhood: slug("A neighborhood's slug."),
  capacity: anyOf(CAPACITY_TIERS, 'Capacity tier; several separated by commas mean any of them.'),
  limit: pageLimit(20, 100),
  offset: pageOffset(),
  near: point('Extension. `latitude,longitude`: only venues within `radius` of it.'),
  radius: meters(50_000, 'Extension. Meters around `near`. Default: 1000.'),
  bbox: boundingBox('Extension. `west,south,east,north`: only venues within.'),
  verified: oneOf(['true', 'any'], 'true', 'Extension. `any` lists unverified venues too.'),
};

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

export function buildVenueQuery(values: Values<typeof venueListParameters>): VenueQuery {
  const { q, type, neighborhood, capacity, near, bbox } = values;
  const query: VenueQuery = { limit: values.limit, offset: values.offset };
  if (q !== undefined) query.text = q;
  if (type) query.types = type;
  if (neighborhood !== undefined) query.neighborhood = neighborhood;
  if (capacity) query.capacities = capacity;
  if (near) query.near = { ...near, radius: values.radius ?? DEFAULT_RADIUS_M };
  if (bbox) query.box = bbox;
  if (values.verified === 'any') query.anyVerified = true;
  return query;
}
