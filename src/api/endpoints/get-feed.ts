/** `GET /feeds/{id}`: one saved query of the caller's account. */

import { FeedsUnavailableError } from '../../feeds/index.ts';
import { type Ask, absent, defineRoute, type RouteOutcome, unlessUnavailable } from '../route.ts';
import { formatFeed } from './list-feeds.ts';

export const getFeed = defineRoute({
  path: '/feeds/{id}',
  operationId: 'getFeed',
  tier: 'enterprise',
  metered: true,
  summary: 'One saved query',
  description: 'Request `eventsUrl` to get its events. Feeds of other accounts return 404.',
  parameters: {},
  isOwned: true,
  answers: ['SingleFeed'],
  answer: unlessUnavailable(FeedsUnavailableError, 'feeds', answer),
});

async function answer({ feeds, caller, id, publicUrl }: Ask): Promise<RouteOutcome> {
  const feed = await feeds.find(caller.accountId, id);
  if (!feed) return absent({ found: 'unknown' }, 'feed');
  const body = Buffer.from(JSON.stringify({ data: formatFeed(feed, publicUrl) }));
  return { kind: 'data', tag: null, body: () => body };
}
