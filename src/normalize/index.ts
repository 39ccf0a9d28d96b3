// From what sources say to clean facts. Untrusted listings and lines of bundles enter; normalized listings leave, or a rejection with its
// field, code and reason. Pure functions: the same listing is always understood the same way, whatever else is known.
// The rules and their tables of words are described in docs/normalizing.md.

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
  quote,
  readFields,
  refuse,
  text,
  textOrNull,
  uuid,
  type ValueRejection,
  wanted,
  webUrl,
} from './bundle-lines/checks.ts';
export { checkEvent, createEventParser, eventFields } from './bundle-lines/parse-event.ts';
export { METADATA, parseVenue, VENUE_FIELDS, WEEKDAYS } from './bundle-lines/parse-venue.ts';
export { printable } from './bundle-lines/printable.ts';
export { isUncategorized, usualCategory } from './categories/usual-category.ts';
export { chooseVenueType, type VenueTypeFacts, venueTypeFacts } from './choose-venue-type.ts';
export { readCityFacts } from './city-facts.ts';
export type { EventDraft, Reject, VenueDraft } from './drafts.ts';
export { createLocator, type Locate } from './locate.ts';
export {
  type CityFacts,
  type NormalContext,
  type NormalEvent,
  type NormalizedEvent,
  type NormalVenue,
  REFUSALS,
  REPAIRS,
} from './model.ts';
export { normalizeEvent, normalizeVenue } from './normalize-event.ts';
export { type NormalizedListings, normalizeListings } from './normalize-listings.ts';
export { collectRejects } from './rejects.ts';
