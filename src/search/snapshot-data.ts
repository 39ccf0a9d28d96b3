/**
 * A snapshot as it crosses threads: plain objects of typed arrays over shared memory, built once, never changed.
 * Events are numbered by rank (score desc, start asc, id asc), venues by slot.
 */

import type { Peers } from '../ranking/index.ts';
import type { City } from '../records/index.ts';
import type { ChecksumKind, Checksums } from './query.ts';
import type { NeighborhoodRow } from './rows.ts';
import type { Axis } from './structures/axis.ts';
import type { GroupedRanks } from './structures/grouped-ranks.ts';
import type { Ordering } from './structures/ordering.ts';
import type { SlugIndex } from './structures/slug-index.ts';
import type { Wholes } from './structures/whole.ts';
import type { DictionaryParts } from './text/dictionary.ts';
import type { PhraseIndex } from './text/phrase-index.ts';

/** All ids of a kind, published or not. */
export interface IdIndex {
  /** Four words for each id, in order. */
  ids: Uint32Array;
  /** What each leads to: an item (≥ 0), one of the `LEADS_TO` marks, or `MERGED_FROM` - the place of the survivor's id. */
  leads: Int32Array;
}

export interface EventsData {
  n: number;
  /** `RECORD` words for each rank. */
  records: Uint32Array;
  starts: Wholes;
  /** Until when each may start: the start, or the last millisecond of its local day where no hour is known. */
  latests: Wholes;
  venue: Uint32Array;
  neighborhood: Uint32Array;
  category: Uint8Array;
  free: Uint8Array;
  /** Number of the local day of the start among `days`. */
  day: Uint32Array;
  /** Days since 1970-01-01, ascending. */
  days: Int32Array;
  latestAxis: Axis;
  /** Starts of the events without an hour. */
  dayAxis: Axis;
  /** Of the events whose end is known. */
  endAxis: Axis;
  /** Of the events with a known price: the cheapest way in, in place of a time. */
  priceAxis: Axis;
  /** When each was last changed. */
  updatedAxis: Axis;
  byStart: Ordering;
  byUpdated: Ordering;
  byCategory: GroupedRanks;
  byStatus: GroupedRanks;
  byFree: GroupedRanks;
  byNeighborhood: GroupedRanks;
  byVenue: GroupedRanks;
  byTerm: GroupedRanks;
  /** Terms of titles alone. */
  byTitleTerm: GroupedRanks;
  /** Terms of performers' names, which are not in `byTerm`. */
  byNameTerm: GroupedRanks;
  bySlug: SlugIndex;
  lookup: IdIndex;
}

export interface VenuesData {
  /** How many slots; some are of venues that are not published. */
  slots: number;
  published: number;
  records: Uint32Array;
  type: Uint8Array;
  capacity: Uint8Array;
  verified: Uint8Array;
  /** As numbered in `LOCATION_PRECISIONS`. */
  precision: Uint8Array;
  neighborhood: Uint32Array;
  latitude: Float64Array;
  longitude: Float64Array;
  /** All slots whose place is known better than by its area, south to north. */
  byLatitude: Uint32Array;
  /** Published slots, by name (collation, code points), then id. */
  byName: Uint32Array;
  /** Over names, of published slots. */
  byTerm: GroupedRanks;
  /** Published slots by the phrases that people use for them, and by their streets. */
  names: PhraseIndex;
  streets: PhraseIndex;
  bySlug: SlugIndex;
  lookup: IdIndex;
}

/** What is still to come as of `cursor` entries of the latest axis. See `upcoming.ts`. */
export interface UpcomingData {
  cursor: number;
  /** By venue slot. */
  venues: Uint32Array;
  /** By neighborhood number × `CATEGORIES`. */
  categories: Uint32Array;
}

/** Is replaced every minute without the rest. */
export interface TrendData {
  /** Milliseconds, directory clock. */
  generatedAt: number;
  /** By rank. */
  scores: Float64Array;
  /** Trend desc, id asc. */
  ordering: Ordering;
  /** How many at the beginning of the ordering have a positive trend. */
  positive: number;
  /** What the trends were compared with. */
  peers: Peers;
}

export interface SnapshotData {
  seq: number;
  history: string;
  city: City;
  neighborhoods: readonly NeighborhoodRow[];
  /** By the number that events and venues know a neighborhood by. */
  neighborhoodSlugs: readonly string[];
  events: EventsData;
  venues: VenuesData;
  checksums: Readonly<Record<ChecksumKind, Checksums>>;
  upcoming: UpcomingData;
  trends: TrendData;
  dictionary: DictionaryParts;
  /** Chunks of the arenas of rendered bytes and of term sequences. */
  json: readonly SharedArrayBuffer[];
  sequences: readonly SharedArrayBuffer[];
}

export const LEADS_TO = { unknown: -1, removed: -2 } as const;
export const MERGED_FROM = -3;

/** Words of an event's record. */
export const RECORD = {
  words: 11,
  chunk: 0,
  offset: 1,
  compactBytes: 2,
  listBytes: 3,
  detailBytes: 4,
  extrasBytes: 5,
  tagHigh: 6,
  tagLow: 7,
  sequenceChunk: 8,
  sequenceOffset: 9,
  sequenceTerms: 10,
} as const;
/** Words of a venue's record. */
export const VENUE_RECORD = {
  words: 9,
  chunk: 0,
  offset: 1,
  baseBytes: 2,
  metadataBytes: 3,
  tagHigh: 4,
  tagLow: 5,
  sequenceChunk: 6,
  sequenceOffset: 7,
  sequenceTerms: 8,
} as const;
