/** Saved queries in memory: those of the account that the keys of the fake gate belong to. */

import type { FeedReader } from '../../../src/feeds/index.ts';
import { FAKE_NOW } from './directory.ts';

export const FAKE_FEED = 'f0000000-0000-7000-8000-000000000001';

export function createFakeFeeds(): FeedReader {
  const at = new Date(FAKE_NOW);
  const feed = { id: FAKE_FEED, name: 'Concerts', query: 'category=concert', createdAt: at, updatedAt: at };
  return {
    list: async () => [feed],
    find: async (_accountId, feedId) => (feedId === FAKE_FEED ? feed : null),
    open: () => ({ found: 'unknown' }),
    peek: () => ({ found: 'unknown' }),
    close: async () => {},
  };
}
