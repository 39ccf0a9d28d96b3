/** Tables of what leaves the directory by other ways than a request with a key. */

import type { MaybeMoment, Moment } from './schema-columns.ts';

export interface FeedTable {
  id: string;
  account_id: string;
  name: string;
  /** Filters and order of `GET /events`, checked and in canonical form. */
  query: string;
  created_at: Moment;
  updated_at: Moment;
  removed_at: MaybeMoment;
}

export interface FeedTokenTable {
  /** SHA-256 of the token. */
  digest: Buffer;
  /** Null once the feed is deleted. */
  feed_id: string | null;
  form: string;
  last4: string;
  created_at: Moment;
  revoked_at: MaybeMoment;
}
