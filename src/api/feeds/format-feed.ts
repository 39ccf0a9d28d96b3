/** A saved query as the API serves it. */

import type { Feed } from '../../feeds/index.ts';
import { formatUtc } from '../../values/utc.ts';

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
