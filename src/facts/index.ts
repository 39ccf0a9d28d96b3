// What listings mean: clean facts or a rejection (normalize), which of them are one (identity), and which record supplies which field
// (merge). Untrusted listings enter; normalized listings, groups with their evidence, and planned events and venues leave.
// Pure functions without a store or a clock: the same listings are always understood the same way, in any order.
// docs/normalizing.md, docs/identity.md and docs/ingest.md describe the rules.

export { isUncategorized, usualCategory } from './categories/category.ts';
export {
  type Check,
  type Checked,
  checkNote,
  dateTime,
  type Fields,
  isPlainObject,
  isRefusal,
  list,
  numberWithin,
  object,
  oneOf,
  optional,
  print,
  printable,
  quote,
  readFields,
  refuse,
  text,
  textOrNull,
  uuid,
  type ValueRejection,
  wanted,
  webUrl,
} from './checks.ts';
export type { EventDraft, Reject, VenueDraft } from './drafts.ts';
export { type AreaIndex, createAreaIndex, type FoundArea, type NamedArea } from './identity/area-index.ts';
export { blockKeys } from './identity/candidate-pairs.ts';
export { type Clusters, type CoListingKinship, clusterEvents } from './identity/cluster-events.ts';
export { type ClockFinding, correctedStart, NO_CLOCKS, nightOf, type ProviderClocks } from './identity/compared-event.ts';
export type { EventFacts, Evidence, PairDecision, PlaceFacts } from './identity/compared-facts.ts';
export { detectClocks } from './identity/detect-clocks.ts';
export { compareEvents } from './identity/explain-judgement.ts';
export { nameWords } from './identity/names.ts';
export { compareAddresses, readAddress } from './identity/place-address.ts';
export { groupPlaces, type PlaceGroups, type PlaceListing } from './identity/place-groups.ts';
export { createPlaceIndex } from './identity/place-index.ts';
export { placeName, placeNameOf } from './identity/place-name.ts';
export { comparePlaces, nameKey, nameLikeness } from './identity/place-relation.ts';
export { isTellingName } from './identity/telling-name.ts';
export { byAge, type Member, publicIdOf, recordIdOf } from './merge/assign.ts';
export { type BundleListing, bundleWord, FIRST_WORD, OWN_WORD } from './merge/bundle-listing.ts';
export { sitesOf, venueFinder } from './merge/find-venue.ts';
export { linksOf, MAX_LINKS, type MergedEvent, mergeEvent, type Word, wordOf } from './merge/merge-event.ts';
export { mergeVenue, type VenueFieldChoice } from './merge/merge-venue.ts';
export { believedStart, type EventGroup, type EventPlan, formatClocks, planEvents } from './merge/plan-events.ts';
export { planVenues, roomsAmong, type VenueFacts, type VenueGroup, type VenuePlan } from './merge/plan-venues.ts';
export { type EventRecord, placeFacts, placeOf, type StoredFacts, type VenueRecord } from './merge/record.ts';
export { type NormalContext, type NormalEvent, type NormalVenue, REFUSALS, REPAIRS } from './model.ts';
export { isNearCity } from './normalize/border.ts';
export { chooseVenueType, venueTypeFacts } from './normalize/choose-venue-type.ts';
export type { KnownDefaults } from './normalize/defaults.ts';
export { createLocator, type Locate, readCityFacts } from './normalize/locate.ts';
export { normalizeEvent, normalizeVenue } from './normalize/normalize-event.ts';
export { collectRejects, type NormalizedListings, normalizeListings } from './normalize/normalize-listings.ts';
export { checkEvent, createEventParser, eventFields } from './normalize/parse-event.ts';
export { METADATA, parseVenue, VENUE_FIELDS, WEEKDAYS } from './normalize/parse-venue.ts';
export { lineupOf, parseBill } from './parse-bill.ts';
export { SOURCE_MARK } from './titles/venue-name.ts';
