/** `GET /trending` (contract §4.7). */

import { anyOf, pageLimit } from '../../query/index.ts';
import { whyNothingTrends } from '../../search/index.ts';
import { formatUtc } from '../../values/utc.ts';
import { type Ask, defineRoute, type RouteOutcome } from '../route.ts';

const parameters = {
  type: anyOf(['events', 'venues'], 'Default: both. The list of the other kind is empty.'),
  limit: pageLimit(10, 50, { echoed: false }),
  include: anyOf(['reason'], 'Extension. `reason` adds to `meta` why nothing trends; null if something does.'),
};

export const getTrending = defineRoute({
  path: '/trending',
  operationId: 'getTrending',
  tier: 'growth',
  metered: true,
  summary: 'Trending events and venues',
  description: 'Sorted by trend score, then id. Recomputed after changes and at least every minute.',
  parameters,
  answers: ['Trending'],
  answer,
});

function answer({ snapshot, now, values: { type, limit, include } }: Ask<typeof parameters>): RouteOutcome {
  const [only, second] = type ?? [];
  const chosen = only === undefined || second !== undefined ? 'both' : only;
  const { events, venues, generatedAt, tag } = snapshot.trending(chosen, limit, now);
  const reason = include ? { reason: whyNothingTrends(snapshot, now) } : {};
  const meta = { generatedAt: formatUtc(generatedAt), window: WINDOW, ...reason };
  return {
    kind: 'data',
    tag: [tag, chosen, limit, ...Object.values(reason).map(String)].join('-'),
    body: () => Buffer.from(JSON.stringify({ data: { events, venues }, meta })),
  };
}

/** The documented trending window (contract §2). */
const WINDOW = '7d';
