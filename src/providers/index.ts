// What the outside sends, turned into one untrusted shape. The bytes of a provider's answer and a mapping enter; listings leave,
// one by one, with a reason for each record that cannot be read. Nothing here knows the directory; `ingest` decides what a
// listing becomes. The mapping file is described in docs/providers.md.
export { plainText, printableText } from './fields/clean-text.ts';
export { readIsoMoment } from './fields/iso.ts';
export {
  ANY_CODE,
  CURRENCY_AFTER,
  CURRENCY_BEFORE,
  MONEY_NUMBER,
  NO_CENTS,
  plainMoney,
  readMoneyNumber,
} from './fields/money-text.ts';
export { isOsmVenue } from './kinds/osm.ts';
export type { EventListing, Listing, PlaceHint, ReadListing, VenueListing } from './listing.ts';
export { EVENT_KEYS } from './mapping/event-fields.ts';
export { compileMapping, MAPPING_KEYS, type Mapping } from './mapping/mapping.ts';
export { type ProviderKind, readListings } from './mapping/read-listings.ts';
export { COMPARISONS, RULE_KEYS } from './mapping/rules.ts';
export { VENUE_KEYS } from './mapping/venue-fields.ts';
export { mappingFlaw } from './mapping/with-mapping.ts';
export type { ListingPage, OutgoingRequest, Provider, SourceFacts, SourceResponse } from './provider.ts';
export { ProviderError } from './provider-error.ts';
export { PROVIDER_KINDS, PROVIDERS } from './providers.ts';
export { openReader, type Reader, type ReaderOptions } from './reading/open-reader.ts';
export { READER_LIMITS } from './reading/reader-limits.ts';
export type { PageLink, PageSurvey } from './survey-page.ts';
