/** What managing feeds refuses. A sentence is for the person who asked. */

import { refusals } from '../values/refusal.ts';

export type FeedReason = Parameters<typeof refuseFeed>[0];

export const refuseFeed = refusals({
  tier_required: 'Feeds need an active Enterprise plan.',
  unknown_feed: 'This feed does not exist.',
  invalid_name: 'A feed’s name has 1 to 100 characters and no control characters.',
  long_query: 'The filters of this feed are too long. Shorten the search text or the tags.',
  unknown_form: 'Feeds have no URL in this format.',
  unknown_url: 'This feed has no URL in this format.',
  too_many_urls: 'This feed had too many URLs. Create a new feed with the same filters.',
  too_many_feeds: 'An account can have 100 feeds. Remove one first.',
});
