/** The forms in which a feed has secret URLs, by the end of the URL. */

const FEED_FORMS = ['ics', 'rss', 'atom', 'feed.json', 'json', 'geojson', 'csv', 'ndjson', 'jsonld'] as const;
export type FeedForm = (typeof FEED_FORMS)[number];
export const isFeedForm = (text: string): text is FeedForm => (FEED_FORMS as readonly string[]).includes(text);
