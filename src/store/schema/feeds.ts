/** Saved queries and their secret URLs. */

import type { InstantColumn, MaybeInstantColumn } from './columns.ts';

interface FeedTable {
  id: string;
  account_id: string;
  name: string;
  /** Filters and order of `GET /events`, checked and in canonical form. */
  query: string;
  created_at: InstantColumn;
  updated_at: InstantColumn;
  removed_at: MaybeInstantColumn;
}

interface FeedTokenTable {
  /** SHA-256 of the token. */
  digest: Buffer;
  /** Null once the feed is deleted. */
  feed_id: string | null;
  form: string;
  last4: string;
  created_at: InstantColumn;
  revoked_at: MaybeInstantColumn;
}

/** All tables that `feeds` owns. */
export interface FeedsTables {
  feed: FeedTable;
  feed_token: FeedTokenTable;
}
