/** What can be asked of the read model, and the shape of its answers. */

import type { MessagePort } from 'node:worker_threads';
import type { ScoreSignal } from '../ranking/index.ts';
import type {
  CapacityTier,
  Category,
  EventLink,
  EventStatus,
  LocationPrecision,
  Organizer,
  Signal,
  StartPrecision,
  VenueType,
} from '../records/index.ts';
import type { AskPage, EventAsk, Suggestion } from './ask/ask-query.ts';

export interface Circle {
  latitude: number;
  longitude: number;
  /** Meters. */
  radius: number;
}
/** Degrees. `west` > `east` crosses the antimeridian. */
export interface SearchBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

export const EVENT_SORTS = ['score', 'start', 'distance', 'trend', 'updated', 'relevance'] as const;
export type EventSort = (typeof EVENT_SORTS)[number];
export const FACETS = ['category', 'neighborhood', 'free', 'day'] as const;
export type Facet = (typeof FACETS)[number];

export interface EventQuery {
  /** The caller's words, trimmed and NFC; the text rules of decisions §1 apply. */
  text?: string;
  categories?: readonly Category[];
  /** Slug. */
  neighborhood?: string;
  /** Lower case. */
  venueId?: string;
  /** Instants, milliseconds; both inclusive; the event starts within. `to` may be `Infinity`. */
  from: number;
  to: number;
  /** Also events that started before `from` and end after it. */
  ongoing?: boolean;
  /** An earlier `to` for events of which only the day is known: the end of the local day before that of `to`. */
  lastDayEnds?: number;
  free?: boolean;
  /** Events with any of these; case and accents do not matter. */
  tags?: readonly string[];
  /** The cheapest way in costs at most this. Events without a known price are left out. */
  priceMax?: number;
  /** Changed at or after this instant, milliseconds. */
  updatedSince?: number;
  /** Absent: those that lists show unasked. */
  statuses?: readonly EventStatus[];
  near?: Circle;
  box?: SearchBox;
  sort?: EventSort;
  limit: number;
  offset: number;
  facets?: readonly Facet[];
}

export interface VenueQuery {
  /** Over the name. */
  text?: string;
  types?: readonly VenueType[];
  neighborhood?: string;
  capacities?: readonly CapacityTier[];
  near?: Circle;
  box?: SearchBox;
  /** Absent: only verified venues. */
  anyVerified?: boolean;
  limit: number;
  offset: number;
}

/** A word of the query that stood in no event, and what it was read as: `mado` → `mado*`, `madona` → `madonna`. */
export interface Interpretation {
  word: string;
  readAs: string;
}

export type FacetCounts = Partial<Record<Facet, { value: string; count: number }[]>>;

/** One page of a list. `items` are handles that are good for the same snapshot only. */
export interface ResultPage {
  total: number;
  items: readonly number[];
  interpretations: readonly Interpretation[];
  facets?: FacetCounts;
  /** Differs when the bytes of the items, their order or the total differ. Hexadecimal. */
  tag: string;
  /** The same question has the same answer for every later `from` and `to` below these. Milliseconds. */
  steady?: { readonly from: number; readonly to: number };
}

/** How much of an event or venue to print. Each is the contract's shape of that name, exactly. */
export type EventForm = 'list' | 'compact' | 'detail';
export type VenueForm = 'list' | 'detail';

/** What `include=` can add to an event; everything else of the detail form is in the detail. */
export interface EventExtras {
  status: EventStatus;
  /** `date`: the hour of the start is unknown and printed as midnight; `all_day`: the whole day is meant. */
  startPrecision: StartPrecision;
  /** Of its venue. */
  locationPrecision: LocationPrecision;
  timezone: string;
  currency: string;
  sources: string[];
  tags: string[];
  performers: string[];
  organizer: Organizer | null;
  score: {
    discoveryScore: number;
    trendScore: number;
    signals: ScoreSignal[];
    /** What the trend is made of; none for an event that is not listed or has begun. */
    trendSignals: ScoreSignal[];
  };
  /** City time with offset. */
  updatedAt: string;
}

/** What `include=` can add to a venue. */
export interface VenueExtras {
  locationPrecision: LocationPrecision;
}

/** What an event's forms need beside its detail. */
export interface EventLifecycle {
  status: EventStatus;
  startPrecision: StartPrecision;
  /** When the record last changed, milliseconds. */
  updatedAt: number;
  /** How often its time, place or status has changed. */
  revision: number;
}

export type RecordLookup =
  | { found: 'published'; item: number; tag: string }
  | { found: 'merged'; into: string }
  | { found: 'removed' }
  | { found: 'unknown' };

export interface NeighborhoodSummary {
  slug: string;
  name: string;
  description: string | null;
  latitude: number;
  longitude: number;
  eventCount: number;
  venueCount: number;
  topCategories: Category[];
}

export interface TrendingEvent {
  id: string;
  title: string;
  category: Category;
  startDatetime: string;
  discoveryScore: number;
  trendScore: number;
  venue: { name: string; slug: string };
}
export interface TrendingVenue {
  id: string;
  name: string;
  slug: string;
  type: VenueType;
  neighborhood: string | null;
  upcomingEventCount: number;
  trendScore: number;
}
export interface Trending {
  events: TrendingEvent[];
  venues: TrendingVenue[];
  /** When the ranking was computed, milliseconds. */
  generatedAt: number;
}

/**
 * An immutable state of the directory. `now` (directory clock, milliseconds) decides what is upcoming.
 * Every answer of one snapshot fits every other answer of it; a newer snapshot never changes an older one.
 */
export interface Snapshot {
  /** Tells it from every other snapshot of this process, without holding it. */
  readonly edition: number;
  /** The number of the last change it holds. */
  readonly seq: number;
  /** Which numbering `seq` belongs to; see `LogState`. Empty for what no log numbers. */
  readonly history: string;
  readonly city: { slug: string; name: string; timezone: string; currency: string; locale: string };
  readonly counts: { events: number; venues: number; neighborhoods: number };

  events(query: EventQuery): ResultPage;
  /** Events as a person asks for them, in free text. */
  ask(ask: EventAsk): AskPage;
  /** Names that go on from a text. `now`: milliseconds. */
  suggest(text: string, now: number): Suggestion[];
  /** Events at one venue that `/events` would list from `now` on, without an end. */
  venueEvents(venueId: string, now: number, limit: number, offset: number): ResultPage;
  venues(query: VenueQuery, now: number): ResultPage;
  event(id: string): RecordLookup;
  venue(id: string, now: number): RecordLookup;
  /** The item of a published event or venue by the slug it has now; null for any other text. */
  eventBySlug(slug: string): number | null;
  venueBySlug(slug: string): number | null;
  /** Of an item. Costs next to nothing. */
  slug(kind: SearchedKind, item: number): string;
  neighborhoods(now: number): { items: NeighborhoodSummary[]; tag: string };
  /** The JSON of one neighborhood by its id, as it stands in the list; null when there is none. */
  neighborhood(id: string, now: number): string | null;
  /** Whether an event (an item) is among all that match, whatever the page. */
  isAmong(query: EventQuery, item: number): boolean;
  /** Sums over all records of a kind by which a copy of the directory can be compared with it. */
  checksums(kind: ChecksumKind): Checksums;
  trending(type: 'events' | 'venues' | 'both', limit: number, now: number): Trending & { tag: string };

  /** `head` + the items' JSON joined by commas + `tail`, as UTF-8. */
  writeEvents(items: readonly number[], form: EventForm, head: string, tail: string): Buffer;
  writeVenues(items: readonly number[], form: VenueForm, now: number, head: string, tail: string): Buffer;
  /** The detail of each item in a line of its own, as UTF-8, in what `allocate` gives for so many bytes: new memory, unless told otherwise. */
  writeLines(kind: SearchedKind, items: readonly number[], now: number, allocate?: (bytes: number) => Buffer): Buffer;
  /** The extras of one event, for `include=`. */
  extras(item: number): EventExtras;
  venueExtras(item: number): VenueExtras;
  /** A small part of the extras at a small part of their price. */
  lifecycle(item: number): EventLifecycle;
  /** What was recorded of one event beside its detail. Costs a tenth of the extras. */
  facts(item: number): RecordFacts;
  /** All records of a kind that answer by their id. */
  records(kind: SearchedKind): RecordList;
}

export type SearchedKind = 'event' | 'venue';

/** In the order of ids; `n` counts from 0. */
export interface RecordList {
  readonly count: number;
  /** The handle by which the snapshot knows the record. */
  item(n: number): number;
  id(n: number): string;
  /** The id as four words, the highest first. */
  idWord(n: number, word: 0 | 1 | 2 | 3): number;
  /** Two words that differ when the bytes of the detail do; a venue's `upcomingEventCount` is not among them. */
  tag(n: number): readonly [high: number, low: number];
}

export interface RecordFacts {
  status: EventStatus;
  startPrecision: StartPrecision;
  /** Milliseconds. */
  updatedAt: number;
  signals: readonly Signal[];
  /** Its pages at the providers. */
  links: readonly EventLink[];
  organizer: Organizer | null;
  /** Where it started before it was moved: city time with offset; null if it was not. */
  movedFrom: string | null;
}

export const CHECKSUM_KINDS = ['event', 'venue'] as const;
export type ChecksumKind = (typeof CHECKSUM_KINDS)[number];

/**
 * For each record the first 64 bits of the SHA-1 of its bytes (of a venue without its last member, `upcomingEventCount`), summed modulo
 * 2^64 by the last byte of its id: 256 sums.
 */
export interface Checksums {
  records: number;
  ranges: BigUint64Array;
}

/** What there is to read in any thread. */
export interface SearchReader {
  /** The newest snapshot. */
  current(): Snapshot;
}

export interface Search extends SearchReader {
  /** Resolves when the current snapshot holds all changes up to `seq`. */
  caughtUp(seq: number): Promise<void>;
  /** Which change the newest snapshot holds and which is the last; when it was built (milliseconds), and how long that took. */
  freshness(): { seq: number; builtAt: number; buildMs: number; headSeq: number };
  /** Sends what is current, and all that comes after it, to `readSearch` in another thread; the memory is the same. */
  relay(reader: MessagePort): void;
  close(): Promise<void>;
}
