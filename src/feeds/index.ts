// Saved queries, their secret URLs, and the forms of a list.
// A name and a checked query of `GET /events` enter; the saved query leaves, to the API, the pages, webhooks and exports.
// Records of a list enter `writeForm`; one document leaves: iCalendar, RSS, Atom, JSON Feed, GeoJSON, CSV, NDJSON or JSON-LD.
// The room answers no request and reads no parameter: `api` does both, and imports the forms from here.
export { type FeedReader, FeedsUnavailableError, openFeedReader, type TokenLookup } from './feed-reader.ts';
export {
  createFeedUrls,
  createToken,
  createTokenLimiter,
  digestOf,
  type FeedForm,
  type FeedUrl,
  type FeedUrls,
  isFeedForm,
  isToken,
  type RenewedUrl,
} from './feed-urls.ts';
export type { Feed } from './feeds.ts';
export { createFeeds, type FeedOwner, type Feeds, MAX_FEEDS } from './feeds.ts';
export * from './formats/index.ts';
export { readEventRecord, readEventRecords, readVenueRecords } from './records.ts';
export type { FeedReason } from './refusals.ts';
