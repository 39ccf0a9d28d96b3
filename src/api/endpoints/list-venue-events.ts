/** `GET /venues/{id}/events` (contract §4.5): all that is upcoming at one venue, in the compact form. */

import { pageLimit, pageOffset } from '../../query/index.ts';
import { type Ask, absent, defineRoute, type RouteOutcome } from '../route.ts';
import { isShaped, shapeParameters, writeMeta, writeShapedEvents } from './shaped-records.ts';

const parameters = { limit: pageLimit(20, 100), offset: pageOffset(), ...shapeParameters('compact') };

export const listVenueEvents = defineRoute({
  path: '/venues/{id}/events',
  operationId: 'listVenueEvents',
  tier: 'starter',
  metered: true,
  summary: 'Upcoming events at one venue',
  description: 'Exactly the events that `upcomingEventCount` of the venue counts: from now on, without an end.',
  parameters,
  answers: ['CompactEventList', 'ShapedCompactEventList'],
  answer,
});

function answer({ snapshot, now, id, values }: Ask<typeof parameters>): RouteOutcome {
  const venue = snapshot.venue(id, now);
  if (venue.found !== 'published') return absent(venue, 'venue');
  const { limit, offset } = values;
  const page = snapshot.venueEvents(id, now, limit, offset);
  const { total, items } = page;
  const tail = `],${writeMeta({ total, limit, offset }, items.length)}}}`;
  return {
    kind: 'data',
    tag: isShaped(values) ? null : `${page.tag}-${limit}-${offset}`,
    ...(page.steady && { until: page.steady.from }),
    page: { total, limit, offset },
    body: () => writeShapedEvents(snapshot, items, 'compact', values, '{"data":[', tail),
  };
}
