/** What managing feeds refuses, as values. `detail` is one sentence for the person who asked. */

export interface FeedRefusal {
  ok: false;
  reason: FeedRefusalReason;
  detail: string;
}

export type FeedRefusalReason = keyof typeof SENTENCES;

export function refuseFeed(reason: FeedRefusalReason): FeedRefusal {
  return { ok: false, reason, detail: SENTENCES[reason] };
}

const SENTENCES = {
  tier_required: 'Feeds need an active Enterprise plan.',
  unknown_feed: 'This feed does not exist.',
  invalid_name: 'A feed’s name has 1 to 100 characters and no control characters.',
  long_query: 'The filters of this feed are too long. Shorten the search text or the tags.',
  unknown_form: 'Feeds have no URL in this format.',
  unknown_url: 'This feed has no URL in this format.',
  too_many_urls: 'This feed had too many URLs. Create a new feed with the same filters.',
  too_many_feeds: 'An account can have 100 feeds. Remove one first.',
} as const;
