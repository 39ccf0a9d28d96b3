// Which record supplies which field, and which id continues. Records and the groups that `identity` finds enter; planned events and
// venues leave, each field with the reason for its value. Pure functions of records, whatever their order.
// Nothing is written here: `ingest` writes what was planned.
export { byAge, type Member, publicIdOf, recordIdOf } from './assign.ts';
export { type BundleListing, bundleWord, FIRST_WORD, OWN_WORD } from './bundle-listing.ts';
export { sitesOf, venueFinder } from './find-venue.ts';
export { linksOf, MAX_LINKS, type MergedEvent, mergeEvent, type Word, wordOf } from './merge-event.ts';
export { mergeVenue, type VenueFieldChoice } from './merge-venue.ts';
export { believedStart, type EventGroup, type EventPlan, formatClocks, planEvents } from './plan-events.ts';
export { planVenues, roomsAmong, type VenueFacts, type VenueGroup, type VenuePlan } from './plan-venues.ts';
export { type EventRecord, placeFacts, placeOf, type StoredFacts, type VenueRecord } from './record.ts';
