/** What the builder knows of each record, as columns by slot. A `chunk` and an `offset` point into the arena of rendered bytes. */

import { EVENT_STATUSES } from '../../records/index.ts';
import type { Columns } from '../structures/columns.ts';

export const EVENT_COLUMNS = {
  state: 'u8',
  /** Its hash. */
  slug: 'u32',
  score: 'u8',
  category: 'u8',
  status: 'u8',
  free: 'u8',
  /** Its image is one of ours, named by a path. */
  ownImage: 'u8',
  /** Then `appeal`, `since` and `until` say all there is to know of its momentum. */
  isSteady: 'u8',
  /** NaN: never noted. */
  appeal: 'f64',
  /** Days since 1970-01-01 on which its appeal was first and last noted. */
  since: 'i32',
  until: 'i32',
  start: 'whole',
  /** Until when it may start: of a day whose hour is unknown, or that is meant as a whole, its last millisecond. */
  latest: 'whole',
  end: 'whole',
  updated: 'whole',
  /** The cheapest way in, as of `prices.ts`. */
  price: 'whole',
  trend: 'f64',
  /** Days since 1970-01-01 in the city's calendar. */
  day: 'i32',
  venue: 'u32',
  mergedInto: 'u32',
  chunk: 'u32',
  offset: 'u32',
  /** Each counts from the beginning: compact ⊂ list ⊂ detail. Extras follow the detail. */
  compactBytes: 'u32',
  listBytes: 'u32',
  detailBytes: 'u32',
  extrasBytes: 'u32',
  tagHigh: 'u32',
  tagLow: 'u32',
  sequenceChunk: 'u32',
  sequenceOffset: 'u32',
  sequenceTerms: 'u32',
} as const;
export type EventColumns = Columns<typeof EVENT_COLUMNS>['at'];

export const VENUE_COLUMNS = {
  state: 'u8',
  /** Its hash. */
  slug: 'u32',
  type: 'u8',
  capacity: 'u8',
  verified: 'u8',
  /** As numbered in `LOCATION_PRECISIONS`. */
  precision: 'u8',
  latitude: 'f64',
  longitude: 'f64',
  neighborhood: 'u32',
  mergedInto: 'u32',
  chunk: 'u32',
  offset: 'u32',
  baseBytes: 'u32',
  metadataBytes: 'u32',
  /** Its other names as JSON follow the metadata; 0: it has none. */
  otherNamesBytes: 'u32',
  tagHigh: 'u32',
  tagLow: 'u32',
  sequenceChunk: 'u32',
  sequenceOffset: 'u32',
  sequenceTerms: 'u32',
} as const;
export type VenueColumns = Columns<typeof VENUE_COLUMNS>['at'];

export const ABSENT = 0;
/** An unlisted event answers by its id like a published one; only its status, which no list asks for, keeps it out of them. */
export const STATES = { published: 1, merged: 2, removed: 3, unlisted: 1, hidden: 4 } as const;
/** In the place of a status: no list shows it. */
export const UNLISTED = EVENT_STATUSES.length;
export const UNKNOWN_CAPACITY = 255;
export const NO_NEIGHBORHOOD = 0xffffffff;
