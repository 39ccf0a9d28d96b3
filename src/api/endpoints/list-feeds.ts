/** `GET /feeds`: the saved queries of the caller's account (decisions §4 and §5). */

import { type Feed, FeedsUnavailableError } from '../../feeds/index.ts';
import { formatUtc } from '../../values/utc.ts';
import { type Ask, defineRoute, type RouteOutcome, unlessUnavailable } from '../route.ts';

export const listFeeds = defineRoute({
  path: '/feeds',
  operationId: 'listFeeds',
  tier: 'enterprise',
  metered: true,
  summary: 'Saved queries',
  description: 'All feeds of the account, oldest first. They are created and changed in the dashboard.',
  parameters: {},
  answers: ['FeedList'],
  answer: unlessUnavailable(FeedsUnavailableError, 'feeds', answer),
});

async function answer({ feeds, caller, publicUrl }: Ask): Promise<RouteOutcome> {
  const found = await feeds.list(caller.accountId);
  const data = found.map((feed) => formatFeed(feed, publicUrl));
  const body = Buffer.from(JSON.stringify({ data, meta: { total: data.length } }));
  return { kind: 'data', tag: null, body: () => body };
}

export function formatFeed({ id, name, query, createdAt, updatedAt }: Feed, publicUrl: string): object {
  return {
    id,
    name,
    query,
    eventsUrl: `${publicUrl}/api/v1/events${query === '' ? '' : `?${query}`}`,
    createdAt: formatUtc(createdAt.getTime()),
    updatedAt: formatUtc(updatedAt.getTime()),
  };
}
