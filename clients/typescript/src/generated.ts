// Made by `npm run clients` from /openapi.json. Do not edit.
import type { RequestOptions } from './options.ts';

export interface ListMeta {
  /** All matching records. */
  total: number;
  /** As applied. */
  limit: number;
  /** As applied. */
  offset: number;
  /** Whether records follow this page. */
  hasMore: boolean;
  facets?: Facets;
  interpretation?: Interpretation;
}

/** Only with `ask=`. */
export interface Interpretation {
  /** In the order of the text. `from` and `to` count code points; `to` is the first one behind the part. */
  parts: Array<{
    kind: 'time' | 'price' | 'category' | 'neighborhood' | 'venue' | 'street' | 'type' | 'word' | 'typo' | 'ignored';
    /** As it was typed. */
    text: string;
    from: number;
    to: number;
    /** What it was understood as. */
    means: string;
    /** The parameters that ask for the same. Null: none do. */
    parameters: Record<string, string> | null;
    /** The text without this part. */
    without: string;
    /** The parameter of the request that counts in its place. */
    overriddenBy: string | null;
  }>;
  /** How many answers hold every word; the others follow them. */
  complete: number;
  /** If nothing was found: what would be found without a part, the nearest first. */
  relaxations: Array<{
    without: string;
    ask: string;
    total: number;
  }>;
}

/** Only with `facets=`: counts over all matching events. */
export interface Facets {
  category?: Array<{
    value: string;
    count: number;
  }>;
  neighborhood?: Array<{
    value: string;
    count: number;
  }>;
  free?: Array<{
    value: string;
    count: number;
  }>;
  day?: Array<{
    value: string;
    count: number;
  }>;
}

export interface Event {
  id: string;
  title: string;
  slug: string;
  category: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor';
  /** The city's local time with its offset at that instant, seconds precision. */
  startDatetime: string;
  endDatetime: string | null;
  description: string | null;
  imageUrl: string | null;
  isFree: boolean;
  priceMin: number | null;
  priceMax: number | null;
  /** Ranking score used in sorting. */
  discoveryScore: number;
  venue: {
    id: string;
    name: string;
    slug: string;
    neighborhood: string | null;
    latitude: number;
    longitude: number;
  };
  url: string;
}

export interface EventDetail {
  id: string;
  title: string;
  slug: string;
  category: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor';
  /** The city's local time with its offset at that instant, seconds precision. */
  startDatetime: string;
  endDatetime: string | null;
  description: string | null;
  imageUrl: string | null;
  isFree: boolean;
  priceMin: number | null;
  priceMax: number | null;
  /** Ranking score used in sorting. */
  discoveryScore: number;
  venue: {
    id: string;
    name: string;
    slug: string;
    neighborhood: string | null;
    latitude: number;
    longitude: number;
    address: string | null;
    capacityTier: 'intimate' | 'small' | 'medium' | 'large' | null;
  };
  url: string;
  performers: string[];
  tags: string[];
  /** Names of the data providers the event came from. */
  sources: string[];
}

export interface EventCompact {
  id: string;
  title: string;
  category: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor';
  /** The city's local time with its offset at that instant, seconds precision. */
  startDatetime: string;
  isFree: boolean;
  /** Ranking score used in sorting. */
  discoveryScore: number;
}

/** The answer with `include` or `fields`: only what was asked for, and `id`. */
export interface ShapedEvent {
  status?: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out';
  /** IANA zone of the city. */
  timezone?: string;
  /** ISO 4217. */
  currency?: string;
  sources?: string[];
  tags?: string[];
  performers?: string[];
  score?: {
    /** Ranking score used in sorting. */
    discoveryScore: number;
    /** Momentum over the trending window. */
    trendScore: number;
    signals: Array<{
      signal: string;
      value: number;
      weight: number;
      points: number;
      sentence: string;
    }>;
    /** Empty for an event that is not listed or has begun. */
    trendSignals: Array<{
      signal: string;
      value: number;
      weight: number;
      points: number;
      sentence: string;
    }>;
  };
  /** The city's local time with its offset at that instant, seconds precision. */
  updatedAt?: string;
  /** `approximate`: the point may be some streets away. `area`: only the area is known, and the point stands for it. */
  locationPrecision?: 'exact' | 'approximate' | 'area';
  /** `date`: the hour of the start is unknown and printed as midnight. `all_day`: the whole day is meant. */
  startPrecision?: 'time' | 'date' | 'all_day';
  organizer?: {
    name: string;
    url: string | null;
  } | null;
  id: string;
  title?: string;
  slug?: string;
  category?: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor';
  /** The city's local time with its offset at that instant, seconds precision. */
  startDatetime?: string;
  endDatetime?: string | null;
  description?: string | null;
  imageUrl?: string | null;
  isFree?: boolean;
  priceMin?: number | null;
  priceMax?: number | null;
  /** Ranking score used in sorting. */
  discoveryScore?: number;
  venue?: {
    id: string;
    name: string;
    slug: string;
    neighborhood: string | null;
    latitude: number;
    longitude: number;
  };
  url?: string;
}

/** The answer with `include` or `fields`: only what was asked for, and `id`. */
export interface ShapedEventDetail {
  status?: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out';
  /** IANA zone of the city. */
  timezone?: string;
  /** ISO 4217. */
  currency?: string;
  /** Names of the data providers the event came from. */
  sources?: string[];
  tags?: string[];
  performers?: string[];
  score?: {
    /** Ranking score used in sorting. */
    discoveryScore: number;
    /** Momentum over the trending window. */
    trendScore: number;
    signals: Array<{
      signal: string;
      value: number;
      weight: number;
      points: number;
      sentence: string;
    }>;
    /** Empty for an event that is not listed or has begun. */
    trendSignals: Array<{
      signal: string;
      value: number;
      weight: number;
      points: number;
      sentence: string;
    }>;
  };
  /** The city's local time with its offset at that instant, seconds precision. */
  updatedAt?: string;
  /** `approximate`: the point may be some streets away. `area`: only the area is known, and the point stands for it. */
  locationPrecision?: 'exact' | 'approximate' | 'area';
  /** `date`: the hour of the start is unknown and printed as midnight. `all_day`: the whole day is meant. */
  startPrecision?: 'time' | 'date' | 'all_day';
  organizer?: {
    name: string;
    url: string | null;
  } | null;
  id: string;
  title?: string;
  slug?: string;
  category?: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor';
  /** The city's local time with its offset at that instant, seconds precision. */
  startDatetime?: string;
  endDatetime?: string | null;
  description?: string | null;
  imageUrl?: string | null;
  isFree?: boolean;
  priceMin?: number | null;
  priceMax?: number | null;
  /** Ranking score used in sorting. */
  discoveryScore?: number;
  venue?: {
    id: string;
    name: string;
    slug: string;
    neighborhood: string | null;
    latitude: number;
    longitude: number;
    address: string | null;
    capacityTier: 'intimate' | 'small' | 'medium' | 'large' | null;
  };
  url?: string;
}

/** The answer with `include` or `fields`: only what was asked for, and `id`. */
export interface ShapedEventCompact {
  status?: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out';
  /** IANA zone of the city. */
  timezone?: string;
  /** ISO 4217. */
  currency?: string;
  sources?: string[];
  tags?: string[];
  performers?: string[];
  score?: {
    /** Ranking score used in sorting. */
    discoveryScore: number;
    /** Momentum over the trending window. */
    trendScore: number;
    signals: Array<{
      signal: string;
      value: number;
      weight: number;
      points: number;
      sentence: string;
    }>;
    /** Empty for an event that is not listed or has begun. */
    trendSignals: Array<{
      signal: string;
      value: number;
      weight: number;
      points: number;
      sentence: string;
    }>;
  };
  /** The city's local time with its offset at that instant, seconds precision. */
  updatedAt?: string;
  /** `approximate`: the point may be some streets away. `area`: only the area is known, and the point stands for it. */
  locationPrecision?: 'exact' | 'approximate' | 'area';
  /** `date`: the hour of the start is unknown and printed as midnight. `all_day`: the whole day is meant. */
  startPrecision?: 'time' | 'date' | 'all_day';
  organizer?: {
    name: string;
    url: string | null;
  } | null;
  id: string;
  title?: string;
  category?: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor';
  /** The city's local time with its offset at that instant, seconds precision. */
  startDatetime?: string;
  isFree?: boolean;
  /** Ranking score used in sorting. */
  discoveryScore?: number;
}

export interface Venue {
  id: string;
  name: string;
  slug: string;
  type: 'bar' | 'restaurant' | 'arena' | 'park' | 'theater' | 'gallery' | 'club' | 'stadium' | 'brewery' | 'museum';
  neighborhood: string | null;
  address: string | null;
  latitude: number;
  longitude: number;
  capacityTier: 'intimate' | 'small' | 'medium' | 'large' | null;
  isVerified: boolean;
  upcomingEventCount: number;
  url: string;
  /** `approximate`: the point may be some streets away. `area`: only the area is known, and the point stands for it. */
  locationPrecision?: 'exact' | 'approximate' | 'area';
}

export interface VenueDetail {
  id: string;
  name: string;
  slug: string;
  type: 'bar' | 'restaurant' | 'arena' | 'park' | 'theater' | 'gallery' | 'club' | 'stadium' | 'brewery' | 'museum';
  neighborhood: string | null;
  address: string | null;
  latitude: number;
  longitude: number;
  capacityTier: 'intimate' | 'small' | 'medium' | 'large' | null;
  isVerified: boolean;
  upcomingEventCount: number;
  url: string;
  /** `approximate`: the point may be some streets away. `area`: only the area is known, and the point stands for it. */
  locationPrecision?: 'exact' | 'approximate' | 'area';
  metadata: {
    website: string | null;
    parking: string | null;
    transitNearby: string[];
    openingHours: {
      timezone: string;
      weekly: Array<{
        days: Array<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'>;
        opens: string;
        /** Not after `opens`: past midnight. */
        closes: string;
      }>;
      exceptions: Array<{
        from: string;
        to: string;
        closed: boolean;
        opens: string | null;
        closes: string | null;
        reason: string | null;
      }>;
    } | null;
  };
}

export interface Neighborhood {
  slug: string;
  name: string;
  description: string | null;
  latitude: number;
  longitude: number;
  eventCount: number;
  venueCount: number;
  topCategories: Array<'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor'>;
}

export interface TrendingEvent {
  id: string;
  title: string;
  category: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor';
  /** The city's local time with its offset at that instant, seconds precision. */
  startDatetime: string;
  /** Ranking score used in sorting. */
  discoveryScore: number;
  /** Momentum over the trending window. */
  trendScore: number;
  venue: {
    name: string;
    slug: string;
  };
}

export interface TrendingVenue {
  id: string;
  name: string;
  slug: string;
  type: 'bar' | 'restaurant' | 'arena' | 'park' | 'theater' | 'gallery' | 'club' | 'stadium' | 'brewery' | 'museum';
  neighborhood: string | null;
  upcomingEventCount: number;
  /** Momentum over the trending window. */
  trendScore: number;
}

export interface EventList {
  data: Event[];
  meta: ListMeta;
}

export interface ShapedEventList {
  data: ShapedEvent[];
  meta: ListMeta;
}

export interface CompactEventList {
  data: EventCompact[];
  meta: ListMeta;
}

export interface ShapedCompactEventList {
  data: ShapedEventCompact[];
  meta: ListMeta;
}

export interface SingleEvent {
  data: EventDetail;
}

export interface ShapedSingleEvent {
  data: ShapedEventDetail;
}

export interface VenueList {
  data: Venue[];
  meta: ListMeta;
}

export interface SingleVenue {
  data: VenueDetail;
}

export interface NeighborhoodList {
  data: Neighborhood[];
  meta: {
    total: number;
  };
}

export interface Trending {
  data: {
    events: TrendingEvent[];
    venues: TrendingVenue[];
  };
  meta: {
    /** UTC, with Z. */
    generatedAt: string;
    window: string;
    reason?: 'no_events' | 'no_signals' | null;
  };
}

export interface SuggestionList {
  data: Array<{
    type: 'event' | 'venue' | 'neighborhood' | 'performer';
    /** The name. */
    text: string;
    /** Null for performers. */
    id: string | null;
    slug: string | null;
    /** The venue of an event, the neighborhood of a venue, the event of a performer. */
    context: string | null;
  }>;
  meta: {
    total: number;
  };
}

export interface Usage {
  data: {
    tier: 'starter' | 'growth' | 'enterprise';
    day: {
      limit: number;
      used: number;
      remaining: number;
      /** UTC, with Z. */
      resetsAt: string;
    };
    minute: {
      limit: number;
      used: number;
      remaining: number;
    };
    /** UTC days, newest last. */
    days: Array<{
      date: string;
      requests: number;
    }>;
  };
}

export interface ChangeList {
  data: Array<{
    /** A number of the change log. */
    sequence: number;
    /** UTC, with Z. */
    at: string;
    kind: 'created' | 'updated' | 'cancelled' | 'rescheduled' | 'merged' | 'removed' | 'scored';
    entity: 'event' | 'venue' | 'neighborhood';
    id: string;
    /** The public fields that changed. */
    fields: string[];
    /** The previous values of those fields, as far as known. */
    previous: Record<string, unknown>;
    /** The current record. Null: it was removed from the directory. */
    record: EventDetail | VenueDetail | Neighborhood | null;
    mergedInto?: string;
    /** The record no longer matches the filters of the request. */
    reason?: 'filter';
  }>;
  meta: {
    /** The cursor of the next page. */
    next: string;
    /** Whether the next page has changes already. */
    hasMore: boolean;
    /** A number of the change log. */
    head: number;
    /** Sequences are comparable within one epoch. */
    epoch: string;
  };
}

export interface Checksums {
  data: {
    entity: 'event' | 'venue';
    /** A number of the change log. */
    sequence: number;
    records: number;
    ranges: string[];
  };
}

export interface RealtimePage {
  items: Array<{
    state: 'updated' | 'deleted';
    kind: 'Event' | 'Venue';
    id: string;
    /** A number of the change log. */
    modified: number;
    data?: EventDetail | VenueDetail;
  }>;
  next: string;
  license: string;
}

export interface Feed {
  id: string;
  name: string;
  /** Filters and order of `GET /events`, as a query string. */
  query: string;
  /** `GET /events` with this query. */
  eventsUrl: string;
  /** UTC, with Z. */
  createdAt: string;
  /** UTC, with Z. */
  updatedAt: string;
}

export interface FeedList {
  data: Feed[];
  meta: {
    total: number;
  };
}

export interface SingleFeed {
  data: Feed;
}

export interface Export {
  id: string;
  state: 'queued' | 'running' | 'ready' | 'failed' | 'cancelled' | 'expired';
  /** The saved query; null: everything. */
  feedId: string | null;
  format: 'ndjson' | 'csv' | 'geojson' | 'parquet';
  columns: Array<'id' | 'title' | 'category' | 'startDatetime' | 'isFree' | 'discoveryScore' | 'slug' | 'endDatetime' | 'description' | 'imageUrl' | 'priceMin' | 'priceMax' | 'url' | 'venue' | 'performers' | 'tags' | 'sources' | 'status' | 'startPrecision' | 'updatedAt' | 'organizer'> | null;
  repeat: 'once' | 'hourly' | 'daily';
  /** False: an increment. Null until it is written. */
  isFull: boolean | null;
  rows: number | null;
  bytes: number | null;
  /** UTC, with Z. */
  queuedAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  /** When the files are deleted. */
  expiresAt: string | null;
  error: string | null;
  /** `storage`: the file storage does not answer, and the export is tried again at `retryAt`. */
  waitingFor: 'storage' | null;
  retryAt: string | null;
  /** Needs no key and works for ten minutes; null until the export is ready. */
  manifestUrl: string | null;
}

export interface ExportList {
  data: Export[];
  meta: ListMeta;
}

export interface ExportWithFiles {
  id: string;
  state: 'queued' | 'running' | 'ready' | 'failed' | 'cancelled' | 'expired';
  /** The saved query; null: everything. */
  feedId: string | null;
  format: 'ndjson' | 'csv' | 'geojson' | 'parquet';
  columns: Array<'id' | 'title' | 'category' | 'startDatetime' | 'isFree' | 'discoveryScore' | 'slug' | 'endDatetime' | 'description' | 'imageUrl' | 'priceMin' | 'priceMax' | 'url' | 'venue' | 'performers' | 'tags' | 'sources' | 'status' | 'startPrecision' | 'updatedAt' | 'organizer'> | null;
  repeat: 'once' | 'hourly' | 'daily';
  /** False: an increment. Null until it is written. */
  isFull: boolean | null;
  rows: number | null;
  bytes: number | null;
  /** UTC, with Z. */
  queuedAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  /** When the files are deleted. */
  expiresAt: string | null;
  error: string | null;
  /** `storage`: the file storage does not answer, and the export is tried again at `retryAt`. */
  waitingFor: 'storage' | null;
  retryAt: string | null;
  /** Needs no key and works for ten minutes; null until the export is ready. */
  manifestUrl: string | null;
  manifest: {
    epoch: string;
    sequence: number;
    /** UTC, with Z. */
    generatedAt: string;
    query: string | null;
    format: 'ndjson' | 'csv' | 'geojson' | 'parquet';
    columns: Array<'id' | 'title' | 'category' | 'startDatetime' | 'isFree' | 'discoveryScore' | 'slug' | 'endDatetime' | 'description' | 'imageUrl' | 'priceMin' | 'priceMax' | 'url' | 'venue' | 'performers' | 'tags' | 'sources' | 'status' | 'startPrecision' | 'updatedAt' | 'organizer'> | null;
    city: {
      slug: string;
      name: string;
      timezone: string;
      currency: string;
      locale: string;
      center: {
        latitude: number;
        longitude: number;
      };
    } | null;
    credits?: string[];
    rows: number;
    files: Array<{
      name: string;
      bytes: number;
      sha256: string;
      rows: number;
      url: string;
    }>;
    deleted: string[];
    previous: {
      id: string;
      epoch: string;
      sequence: number;
    } | null;
    signature: {
      algorithm: 'ed25519';
      keyId: string;
      value: string;
    };
  } | null;
}

export interface SingleExport {
  data: ExportWithFiles;
}

/** The record was merged into another one. */
export interface Moved {
  data: {
    id: string;
    location: string;
  };
}

/** RFC 9457 problem details. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  errors?: Array<{
    in: 'query' | 'path' | 'header';
    name: string;
    value: string;
    code: string;
    detail: string;
  }>;
  upgradeUrl?: string;
  currentTier?: string;
  requiredTier?: string;
  retryAfterSeconds?: number;
  head?: number;
  fullExport?: string;
}

export interface ListEventsParams {
  /** Full-text search over title, venue and description. All words must match; a `"quoted phrase"` matches in order. */
  q?: string | undefined;
  /** Event category; several separated by commas mean any of them. */
  category?: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor' | ReadonlyArray<'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Only events of this venue. */
  venue_id?: string | undefined;
  /** Start of the range, inclusive. Default: now. */
  start_date?: string | Date | undefined;
  /** End of the range, inclusive. Default: 30 days after the start. */
  end_date?: string | Date | undefined;
  /** Extension. A span of the city's time, in place of `start_date` and `end_date`. Days end at 05:00. */
  when?: 'now' | 'tonight' | 'tomorrow' | 'this_weekend' | 'next_weekend' | 'this_week' | 'next_7_days' | 'next_30_days' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | undefined;
  /** Only free events; a bare `free` means true. */
  free?: boolean | undefined;
  /** Extension. Only events whose cheapest known price is at most this; free events are among them. */
  price_max?: number | undefined;
  /** Extension. Only events with this tag; several separated by commas mean any of them. */
  tags?: string | ReadonlyArray<string> | undefined;
  /** Extension. Only events that changed at or after this moment. */
  updated_since?: string | Date | undefined;
  /** Extension. `latitude,longitude`: only events within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only events within. */
  bbox?: string | undefined;
  /** Extension. Also events that started before the range and end within or after it. */
  ongoing?: boolean | undefined;
  /** Extension. Replaces the default statuses; `any` lists all. */
  status?: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any' | ReadonlyArray<'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. Order of the list; `distance` needs `near`, `relevance` needs a text. */
  sort?: 'score' | 'start' | 'distance' | 'trend' | 'updated' | 'relevance' | undefined;
  /** Extension. Free text as a person types it. Words of time, price, category and place become filters; the rest orders the list by relevance. `meta.interpretation` says what was understood. Not together with `q`. */
  ask?: string | undefined;
  /** Extension. Further keys to add to each event. */
  include?: 'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer' | ReadonlyArray<'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer'> | undefined;
  /** Extension. Only these top-level keys (`id` is always kept). Keys of `include` may be named here too. */
  fields?: 'id' | 'title' | 'slug' | 'category' | 'startDatetime' | 'endDatetime' | 'description' | 'imageUrl' | 'isFree' | 'priceMin' | 'priceMax' | 'discoveryScore' | 'venue' | 'url' | 'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer' | ReadonlyArray<'id' | 'title' | 'slug' | 'category' | 'startDatetime' | 'endDatetime' | 'description' | 'imageUrl' | 'isFree' | 'priceMin' | 'priceMax' | 'discoveryScore' | 'venue' | 'url' | 'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer'> | undefined;
  /** Extension. Counts over all matching events, in `meta.facets`. */
  facets?: 'category' | 'neighborhood' | 'free' | 'day' | ReadonlyArray<'category' | 'neighborhood' | 'free' | 'day'> | undefined;
}

export interface GetEventParams {
  /** Extension. Further keys to add to each event. */
  include?: 'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer' | ReadonlyArray<'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer'> | undefined;
  /** Extension. Only these top-level keys (`id` is always kept). Keys of `include` may be named here too. */
  fields?: 'id' | 'title' | 'slug' | 'category' | 'startDatetime' | 'endDatetime' | 'description' | 'imageUrl' | 'isFree' | 'priceMin' | 'priceMax' | 'discoveryScore' | 'venue' | 'url' | 'performers' | 'tags' | 'sources' | 'status' | 'timezone' | 'currency' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer' | ReadonlyArray<'id' | 'title' | 'slug' | 'category' | 'startDatetime' | 'endDatetime' | 'description' | 'imageUrl' | 'isFree' | 'priceMin' | 'priceMax' | 'discoveryScore' | 'venue' | 'url' | 'performers' | 'tags' | 'sources' | 'status' | 'timezone' | 'currency' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer'> | undefined;
}

export interface ListVenuesParams {
  /** Search by venue name, with the rules of `q` of `/events`. */
  q?: string | undefined;
  /** Venue type; several separated by commas mean any of them. */
  type?: 'bar' | 'restaurant' | 'arena' | 'park' | 'theater' | 'gallery' | 'club' | 'stadium' | 'brewery' | 'museum' | ReadonlyArray<'bar' | 'restaurant' | 'arena' | 'park' | 'theater' | 'gallery' | 'club' | 'stadium' | 'brewery' | 'museum'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Capacity tier; several separated by commas mean any of them. */
  capacity?: 'intimate' | 'small' | 'medium' | 'large' | ReadonlyArray<'intimate' | 'small' | 'medium' | 'large'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. `latitude,longitude`: only venues within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only venues within. */
  bbox?: string | undefined;
  /** Extension. `any` lists unverified venues too. */
  verified?: boolean | undefined;
  /** Extension. Further keys to add to each venue. */
  include?: 'locationPrecision' | ReadonlyArray<'locationPrecision'> | undefined;
}

export interface GetVenueParams {
  /** Extension. Further keys to add to each venue. */
  include?: 'locationPrecision' | ReadonlyArray<'locationPrecision'> | undefined;
}

export interface ListVenueEventsParams {
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. Further keys to add to each event. */
  include?: 'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer' | ReadonlyArray<'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer'> | undefined;
  /** Extension. Only these top-level keys (`id` is always kept). Keys of `include` may be named here too. */
  fields?: 'id' | 'title' | 'category' | 'startDatetime' | 'isFree' | 'discoveryScore' | 'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer' | ReadonlyArray<'id' | 'title' | 'category' | 'startDatetime' | 'isFree' | 'discoveryScore' | 'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer'> | undefined;
}

export interface GetTrendingParams {
  /** Default: both. The list of the other kind is empty. */
  type?: 'events' | 'venues' | ReadonlyArray<'events' | 'venues'> | undefined;
  /** Page size. Above 50 it is read as 50. */
  limit?: number | undefined;
  /** Extension. `reason` adds to `meta` why nothing trends; null if something does. */
  include?: 'reason' | ReadonlyArray<'reason'> | undefined;
}

export interface GetSuggestionsParams {
  /** The text so far; the last word may be half typed. Without it there are no suggestions. */
  ask?: string | undefined;
}

export interface ListChangesParams {
  /** The cursor `meta.next` of the previous page. Default: the beginning of the log. */
  after?: string | undefined;
  /** Page size. Above 1000 it is read as 1000. */
  limit?: number | undefined;
  /** Kinds of records; several separated by commas. Default: all. With filters of events: `event`. */
  entity?: 'event' | 'venue' | 'neighborhood' | ReadonlyArray<'event' | 'venue' | 'neighborhood'> | undefined;
  /** Kinds of changes; several separated by commas; `any` for all. Default: all but `scored`. */
  kind?: 'created' | 'updated' | 'cancelled' | 'rescheduled' | 'merged' | 'removed' | 'scored' | 'any' | ReadonlyArray<'created' | 'updated' | 'cancelled' | 'rescheduled' | 'merged' | 'removed' | 'scored' | 'any'> | undefined;
  /** Seconds to wait for the next change when there is none yet. */
  wait?: number | undefined;
  /** Full-text search over title, venue and description. All words must match; a `"quoted phrase"` matches in order. */
  q?: string | undefined;
  /** Event category; several separated by commas mean any of them. */
  category?: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor' | ReadonlyArray<'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Only events of this venue. */
  venue_id?: string | undefined;
  /** Start of the range, inclusive. Default: now. */
  start_date?: string | Date | undefined;
  /** End of the range, inclusive. Default: 30 days after the start. */
  end_date?: string | Date | undefined;
  /** Extension. A span of the city's time, in place of `start_date` and `end_date`. Days end at 05:00. */
  when?: 'now' | 'tonight' | 'tomorrow' | 'this_weekend' | 'next_weekend' | 'this_week' | 'next_7_days' | 'next_30_days' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | undefined;
  /** Only free events; a bare `free` means true. */
  free?: boolean | undefined;
  /** Extension. Only events whose cheapest known price is at most this; free events are among them. */
  price_max?: number | undefined;
  /** Extension. Only events with this tag; several separated by commas mean any of them. */
  tags?: string | ReadonlyArray<string> | undefined;
  /** Extension. Only events that changed at or after this moment. */
  updated_since?: string | Date | undefined;
  /** Extension. `latitude,longitude`: only events within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only events within. */
  bbox?: string | undefined;
  /** Extension. Also events that started before the range and end within or after it. */
  ongoing?: boolean | undefined;
  /** Extension. Replaces the default statuses; `any` lists all. */
  status?: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any' | ReadonlyArray<'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any'> | undefined;
}

export interface GetChecksumsParams {
  /** Kind of records. */
  entity?: 'event' | 'venue' | undefined;
  /** The sequence that the copy has reached: the answer waits for it up to 5 seconds. */
  at?: number | undefined;
}

export interface ListRealtimePagesParams {
  /** `next` of the previous page. Default: the beginning. */
  afterChangeNumber?: number | undefined;
  /** Page size. Above 1000 it is read as 1000. */
  limit?: number | undefined;
  /** History that the number belongs to: `next` of the previous page has it. Default: not checked. */
  epoch?: string | undefined;
  /** Kind of records. */
  entity?: 'event' | 'venue' | undefined;
}

export interface ListExportsParams {
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
}

export interface ListEventsAsCalendarParams {
  /** Full-text search over title, venue and description. All words must match; a `"quoted phrase"` matches in order. */
  q?: string | undefined;
  /** Event category; several separated by commas mean any of them. */
  category?: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor' | ReadonlyArray<'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Only events of this venue. */
  venue_id?: string | undefined;
  /** Start of the range, inclusive. Default: now. */
  start_date?: string | Date | undefined;
  /** End of the range, inclusive. Default: 30 days after the start. */
  end_date?: string | Date | undefined;
  /** Extension. A span of the city's time, in place of `start_date` and `end_date`. Days end at 05:00. */
  when?: 'now' | 'tonight' | 'tomorrow' | 'this_weekend' | 'next_weekend' | 'this_week' | 'next_7_days' | 'next_30_days' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | undefined;
  /** Only free events; a bare `free` means true. */
  free?: boolean | undefined;
  /** Extension. Only events whose cheapest known price is at most this; free events are among them. */
  price_max?: number | undefined;
  /** Extension. Only events with this tag; several separated by commas mean any of them. */
  tags?: string | ReadonlyArray<string> | undefined;
  /** Extension. Only events that changed at or after this moment. */
  updated_since?: string | Date | undefined;
  /** Extension. `latitude,longitude`: only events within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only events within. */
  bbox?: string | undefined;
  /** Extension. Also events that started before the range and end within or after it. */
  ongoing?: boolean | undefined;
  /** Extension. Replaces the default statuses; `any` lists all. */
  status?: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any' | ReadonlyArray<'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. Order of the list; `distance` needs `near`, `relevance` needs a text. */
  sort?: 'score' | 'start' | 'distance' | 'trend' | 'updated' | 'relevance' | undefined;
}

export interface ListEventsAsRssParams {
  /** Full-text search over title, venue and description. All words must match; a `"quoted phrase"` matches in order. */
  q?: string | undefined;
  /** Event category; several separated by commas mean any of them. */
  category?: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor' | ReadonlyArray<'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Only events of this venue. */
  venue_id?: string | undefined;
  /** Start of the range, inclusive. Default: now. */
  start_date?: string | Date | undefined;
  /** End of the range, inclusive. Default: 30 days after the start. */
  end_date?: string | Date | undefined;
  /** Extension. A span of the city's time, in place of `start_date` and `end_date`. Days end at 05:00. */
  when?: 'now' | 'tonight' | 'tomorrow' | 'this_weekend' | 'next_weekend' | 'this_week' | 'next_7_days' | 'next_30_days' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | undefined;
  /** Only free events; a bare `free` means true. */
  free?: boolean | undefined;
  /** Extension. Only events whose cheapest known price is at most this; free events are among them. */
  price_max?: number | undefined;
  /** Extension. Only events with this tag; several separated by commas mean any of them. */
  tags?: string | ReadonlyArray<string> | undefined;
  /** Extension. Only events that changed at or after this moment. */
  updated_since?: string | Date | undefined;
  /** Extension. `latitude,longitude`: only events within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only events within. */
  bbox?: string | undefined;
  /** Extension. Also events that started before the range and end within or after it. */
  ongoing?: boolean | undefined;
  /** Extension. Replaces the default statuses; `any` lists all. */
  status?: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any' | ReadonlyArray<'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. Order of the list; `distance` needs `near`, `relevance` needs a text. */
  sort?: 'score' | 'start' | 'distance' | 'trend' | 'updated' | 'relevance' | undefined;
}

export interface ListEventsAsAtomParams {
  /** Full-text search over title, venue and description. All words must match; a `"quoted phrase"` matches in order. */
  q?: string | undefined;
  /** Event category; several separated by commas mean any of them. */
  category?: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor' | ReadonlyArray<'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Only events of this venue. */
  venue_id?: string | undefined;
  /** Start of the range, inclusive. Default: now. */
  start_date?: string | Date | undefined;
  /** End of the range, inclusive. Default: 30 days after the start. */
  end_date?: string | Date | undefined;
  /** Extension. A span of the city's time, in place of `start_date` and `end_date`. Days end at 05:00. */
  when?: 'now' | 'tonight' | 'tomorrow' | 'this_weekend' | 'next_weekend' | 'this_week' | 'next_7_days' | 'next_30_days' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | undefined;
  /** Only free events; a bare `free` means true. */
  free?: boolean | undefined;
  /** Extension. Only events whose cheapest known price is at most this; free events are among them. */
  price_max?: number | undefined;
  /** Extension. Only events with this tag; several separated by commas mean any of them. */
  tags?: string | ReadonlyArray<string> | undefined;
  /** Extension. Only events that changed at or after this moment. */
  updated_since?: string | Date | undefined;
  /** Extension. `latitude,longitude`: only events within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only events within. */
  bbox?: string | undefined;
  /** Extension. Also events that started before the range and end within or after it. */
  ongoing?: boolean | undefined;
  /** Extension. Replaces the default statuses; `any` lists all. */
  status?: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any' | ReadonlyArray<'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. Order of the list; `distance` needs `near`, `relevance` needs a text. */
  sort?: 'score' | 'start' | 'distance' | 'trend' | 'updated' | 'relevance' | undefined;
}

export interface ListEventsAsJsonFeedParams {
  /** Full-text search over title, venue and description. All words must match; a `"quoted phrase"` matches in order. */
  q?: string | undefined;
  /** Event category; several separated by commas mean any of them. */
  category?: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor' | ReadonlyArray<'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Only events of this venue. */
  venue_id?: string | undefined;
  /** Start of the range, inclusive. Default: now. */
  start_date?: string | Date | undefined;
  /** End of the range, inclusive. Default: 30 days after the start. */
  end_date?: string | Date | undefined;
  /** Extension. A span of the city's time, in place of `start_date` and `end_date`. Days end at 05:00. */
  when?: 'now' | 'tonight' | 'tomorrow' | 'this_weekend' | 'next_weekend' | 'this_week' | 'next_7_days' | 'next_30_days' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | undefined;
  /** Only free events; a bare `free` means true. */
  free?: boolean | undefined;
  /** Extension. Only events whose cheapest known price is at most this; free events are among them. */
  price_max?: number | undefined;
  /** Extension. Only events with this tag; several separated by commas mean any of them. */
  tags?: string | ReadonlyArray<string> | undefined;
  /** Extension. Only events that changed at or after this moment. */
  updated_since?: string | Date | undefined;
  /** Extension. `latitude,longitude`: only events within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only events within. */
  bbox?: string | undefined;
  /** Extension. Also events that started before the range and end within or after it. */
  ongoing?: boolean | undefined;
  /** Extension. Replaces the default statuses; `any` lists all. */
  status?: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any' | ReadonlyArray<'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. Order of the list; `distance` needs `near`, `relevance` needs a text. */
  sort?: 'score' | 'start' | 'distance' | 'trend' | 'updated' | 'relevance' | undefined;
}

export interface ListEventsAsGeoJsonParams {
  /** Full-text search over title, venue and description. All words must match; a `"quoted phrase"` matches in order. */
  q?: string | undefined;
  /** Event category; several separated by commas mean any of them. */
  category?: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor' | ReadonlyArray<'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Only events of this venue. */
  venue_id?: string | undefined;
  /** Start of the range, inclusive. Default: now. */
  start_date?: string | Date | undefined;
  /** End of the range, inclusive. Default: 30 days after the start. */
  end_date?: string | Date | undefined;
  /** Extension. A span of the city's time, in place of `start_date` and `end_date`. Days end at 05:00. */
  when?: 'now' | 'tonight' | 'tomorrow' | 'this_weekend' | 'next_weekend' | 'this_week' | 'next_7_days' | 'next_30_days' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | undefined;
  /** Only free events; a bare `free` means true. */
  free?: boolean | undefined;
  /** Extension. Only events whose cheapest known price is at most this; free events are among them. */
  price_max?: number | undefined;
  /** Extension. Only events with this tag; several separated by commas mean any of them. */
  tags?: string | ReadonlyArray<string> | undefined;
  /** Extension. Only events that changed at or after this moment. */
  updated_since?: string | Date | undefined;
  /** Extension. `latitude,longitude`: only events within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only events within. */
  bbox?: string | undefined;
  /** Extension. Also events that started before the range and end within or after it. */
  ongoing?: boolean | undefined;
  /** Extension. Replaces the default statuses; `any` lists all. */
  status?: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any' | ReadonlyArray<'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. Order of the list; `distance` needs `near`, `relevance` needs a text. */
  sort?: 'score' | 'start' | 'distance' | 'trend' | 'updated' | 'relevance' | undefined;
  /** Extension. Further keys to add to each event. */
  include?: 'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer' | ReadonlyArray<'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer'> | undefined;
  /** Extension. Only these top-level keys (`id` is always kept). Keys of `include` may be named here too. */
  fields?: 'id' | 'title' | 'slug' | 'category' | 'startDatetime' | 'endDatetime' | 'description' | 'imageUrl' | 'isFree' | 'priceMin' | 'priceMax' | 'discoveryScore' | 'venue' | 'url' | 'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer' | ReadonlyArray<'id' | 'title' | 'slug' | 'category' | 'startDatetime' | 'endDatetime' | 'description' | 'imageUrl' | 'isFree' | 'priceMin' | 'priceMax' | 'discoveryScore' | 'venue' | 'url' | 'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer'> | undefined;
}

export interface ListEventsAsCsvParams {
  /** Full-text search over title, venue and description. All words must match; a `"quoted phrase"` matches in order. */
  q?: string | undefined;
  /** Event category; several separated by commas mean any of them. */
  category?: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor' | ReadonlyArray<'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Only events of this venue. */
  venue_id?: string | undefined;
  /** Start of the range, inclusive. Default: now. */
  start_date?: string | Date | undefined;
  /** End of the range, inclusive. Default: 30 days after the start. */
  end_date?: string | Date | undefined;
  /** Extension. A span of the city's time, in place of `start_date` and `end_date`. Days end at 05:00. */
  when?: 'now' | 'tonight' | 'tomorrow' | 'this_weekend' | 'next_weekend' | 'this_week' | 'next_7_days' | 'next_30_days' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | undefined;
  /** Only free events; a bare `free` means true. */
  free?: boolean | undefined;
  /** Extension. Only events whose cheapest known price is at most this; free events are among them. */
  price_max?: number | undefined;
  /** Extension. Only events with this tag; several separated by commas mean any of them. */
  tags?: string | ReadonlyArray<string> | undefined;
  /** Extension. Only events that changed at or after this moment. */
  updated_since?: string | Date | undefined;
  /** Extension. `latitude,longitude`: only events within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only events within. */
  bbox?: string | undefined;
  /** Extension. Also events that started before the range and end within or after it. */
  ongoing?: boolean | undefined;
  /** Extension. Replaces the default statuses; `any` lists all. */
  status?: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any' | ReadonlyArray<'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. Order of the list; `distance` needs `near`, `relevance` needs a text. */
  sort?: 'score' | 'start' | 'distance' | 'trend' | 'updated' | 'relevance' | undefined;
  /** Adds a byte order mark, so that spreadsheets detect UTF-8; a bare `bom` means true. */
  bom?: boolean | undefined;
}

export interface ListEventsAsJsonLinesParams {
  /** Full-text search over title, venue and description. All words must match; a `"quoted phrase"` matches in order. */
  q?: string | undefined;
  /** Event category; several separated by commas mean any of them. */
  category?: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor' | ReadonlyArray<'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Only events of this venue. */
  venue_id?: string | undefined;
  /** Start of the range, inclusive. Default: now. */
  start_date?: string | Date | undefined;
  /** End of the range, inclusive. Default: 30 days after the start. */
  end_date?: string | Date | undefined;
  /** Extension. A span of the city's time, in place of `start_date` and `end_date`. Days end at 05:00. */
  when?: 'now' | 'tonight' | 'tomorrow' | 'this_weekend' | 'next_weekend' | 'this_week' | 'next_7_days' | 'next_30_days' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | undefined;
  /** Only free events; a bare `free` means true. */
  free?: boolean | undefined;
  /** Extension. Only events whose cheapest known price is at most this; free events are among them. */
  price_max?: number | undefined;
  /** Extension. Only events with this tag; several separated by commas mean any of them. */
  tags?: string | ReadonlyArray<string> | undefined;
  /** Extension. Only events that changed at or after this moment. */
  updated_since?: string | Date | undefined;
  /** Extension. `latitude,longitude`: only events within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only events within. */
  bbox?: string | undefined;
  /** Extension. Also events that started before the range and end within or after it. */
  ongoing?: boolean | undefined;
  /** Extension. Replaces the default statuses; `any` lists all. */
  status?: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any' | ReadonlyArray<'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. Order of the list; `distance` needs `near`, `relevance` needs a text. */
  sort?: 'score' | 'start' | 'distance' | 'trend' | 'updated' | 'relevance' | undefined;
  /** Extension. Further keys to add to each event. */
  include?: 'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer' | ReadonlyArray<'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer'> | undefined;
  /** Extension. Only these top-level keys (`id` is always kept). Keys of `include` may be named here too. */
  fields?: 'id' | 'title' | 'slug' | 'category' | 'startDatetime' | 'endDatetime' | 'description' | 'imageUrl' | 'isFree' | 'priceMin' | 'priceMax' | 'discoveryScore' | 'venue' | 'url' | 'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer' | ReadonlyArray<'id' | 'title' | 'slug' | 'category' | 'startDatetime' | 'endDatetime' | 'description' | 'imageUrl' | 'isFree' | 'priceMin' | 'priceMax' | 'discoveryScore' | 'venue' | 'url' | 'status' | 'timezone' | 'currency' | 'sources' | 'tags' | 'performers' | 'score' | 'updatedAt' | 'locationPrecision' | 'startPrecision' | 'organizer'> | undefined;
}

export interface ListEventsAsJsonLdParams {
  /** Full-text search over title, venue and description. All words must match; a `"quoted phrase"` matches in order. */
  q?: string | undefined;
  /** Event category; several separated by commas mean any of them. */
  category?: 'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor' | ReadonlyArray<'concert' | 'sports' | 'comedy' | 'theater' | 'festival' | 'food' | 'art' | 'community' | 'nightlife' | 'family' | 'outdoor'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Only events of this venue. */
  venue_id?: string | undefined;
  /** Start of the range, inclusive. Default: now. */
  start_date?: string | Date | undefined;
  /** End of the range, inclusive. Default: 30 days after the start. */
  end_date?: string | Date | undefined;
  /** Extension. A span of the city's time, in place of `start_date` and `end_date`. Days end at 05:00. */
  when?: 'now' | 'tonight' | 'tomorrow' | 'this_weekend' | 'next_weekend' | 'this_week' | 'next_7_days' | 'next_30_days' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | undefined;
  /** Only free events; a bare `free` means true. */
  free?: boolean | undefined;
  /** Extension. Only events whose cheapest known price is at most this; free events are among them. */
  price_max?: number | undefined;
  /** Extension. Only events with this tag; several separated by commas mean any of them. */
  tags?: string | ReadonlyArray<string> | undefined;
  /** Extension. Only events that changed at or after this moment. */
  updated_since?: string | Date | undefined;
  /** Extension. `latitude,longitude`: only events within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only events within. */
  bbox?: string | undefined;
  /** Extension. Also events that started before the range and end within or after it. */
  ongoing?: boolean | undefined;
  /** Extension. Replaces the default statuses; `any` lists all. */
  status?: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any' | ReadonlyArray<'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'sold_out' | 'any'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. Order of the list; `distance` needs `near`, `relevance` needs a text. */
  sort?: 'score' | 'start' | 'distance' | 'trend' | 'updated' | 'relevance' | undefined;
}

export interface ListVenuesAsGeoJsonParams {
  /** Search by venue name, with the rules of `q` of `/events`. */
  q?: string | undefined;
  /** Venue type; several separated by commas mean any of them. */
  type?: 'bar' | 'restaurant' | 'arena' | 'park' | 'theater' | 'gallery' | 'club' | 'stadium' | 'brewery' | 'museum' | ReadonlyArray<'bar' | 'restaurant' | 'arena' | 'park' | 'theater' | 'gallery' | 'club' | 'stadium' | 'brewery' | 'museum'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Capacity tier; several separated by commas mean any of them. */
  capacity?: 'intimate' | 'small' | 'medium' | 'large' | ReadonlyArray<'intimate' | 'small' | 'medium' | 'large'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. `latitude,longitude`: only venues within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only venues within. */
  bbox?: string | undefined;
  /** Extension. `any` lists unverified venues too. */
  verified?: boolean | undefined;
}

export interface ListVenuesAsCsvParams {
  /** Search by venue name, with the rules of `q` of `/events`. */
  q?: string | undefined;
  /** Venue type; several separated by commas mean any of them. */
  type?: 'bar' | 'restaurant' | 'arena' | 'park' | 'theater' | 'gallery' | 'club' | 'stadium' | 'brewery' | 'museum' | ReadonlyArray<'bar' | 'restaurant' | 'arena' | 'park' | 'theater' | 'gallery' | 'club' | 'stadium' | 'brewery' | 'museum'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Capacity tier; several separated by commas mean any of them. */
  capacity?: 'intimate' | 'small' | 'medium' | 'large' | ReadonlyArray<'intimate' | 'small' | 'medium' | 'large'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. `latitude,longitude`: only venues within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only venues within. */
  bbox?: string | undefined;
  /** Extension. `any` lists unverified venues too. */
  verified?: boolean | undefined;
  /** Adds a byte order mark, so that spreadsheets detect UTF-8; a bare `bom` means true. */
  bom?: boolean | undefined;
}

export interface ListVenuesAsJsonLinesParams {
  /** Search by venue name, with the rules of `q` of `/events`. */
  q?: string | undefined;
  /** Venue type; several separated by commas mean any of them. */
  type?: 'bar' | 'restaurant' | 'arena' | 'park' | 'theater' | 'gallery' | 'club' | 'stadium' | 'brewery' | 'museum' | ReadonlyArray<'bar' | 'restaurant' | 'arena' | 'park' | 'theater' | 'gallery' | 'club' | 'stadium' | 'brewery' | 'museum'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Capacity tier; several separated by commas mean any of them. */
  capacity?: 'intimate' | 'small' | 'medium' | 'large' | ReadonlyArray<'intimate' | 'small' | 'medium' | 'large'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. `latitude,longitude`: only venues within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only venues within. */
  bbox?: string | undefined;
  /** Extension. `any` lists unverified venues too. */
  verified?: boolean | undefined;
}

export interface ListVenuesAsJsonLdParams {
  /** Search by venue name, with the rules of `q` of `/events`. */
  q?: string | undefined;
  /** Venue type; several separated by commas mean any of them. */
  type?: 'bar' | 'restaurant' | 'arena' | 'park' | 'theater' | 'gallery' | 'club' | 'stadium' | 'brewery' | 'museum' | ReadonlyArray<'bar' | 'restaurant' | 'arena' | 'park' | 'theater' | 'gallery' | 'club' | 'stadium' | 'brewery' | 'museum'> | undefined;
  /** A neighborhood's slug. */
  neighborhood?: string | undefined;
  /** Capacity tier; several separated by commas mean any of them. */
  capacity?: 'intimate' | 'small' | 'medium' | 'large' | ReadonlyArray<'intimate' | 'small' | 'medium' | 'large'> | undefined;
  /** Page size. Above 100 it is read as 100; `meta.limit` echoes what was applied. */
  limit?: number | undefined;
  /** How many records to skip. Past the end the page is empty. */
  offset?: number | undefined;
  /** Extension. `latitude,longitude`: only venues within `radius` of it. */
  near?: string | undefined;
  /** Extension. Meters around `near`. Default: 1000. */
  radius?: number | undefined;
  /** Extension. `west,south,east,north`: only venues within. */
  bbox?: string | undefined;
  /** Extension. `any` lists unverified venues too. */
  verified?: boolean | undefined;
}

export interface Operations {
  /** Search upcoming events. Tier: starter. */
  listEvents(params?: ListEventsParams & { include?: undefined; fields?: undefined }, options?: RequestOptions): Promise<EventList>;
  listEvents(params: ListEventsParams, options?: RequestOptions): Promise<ShapedEventList>;
  /** Every record of `listEvents`, page by page. */
  allEvents(params?: ListEventsParams & { include?: undefined; fields?: undefined }, options?: RequestOptions): AsyncGenerator<Event, void, undefined>;
  allEvents(params: ListEventsParams, options?: RequestOptions): AsyncGenerator<ShapedEvent, void, undefined>;
  /** One event. Tier: starter. */
  getEvent(id: string, params?: GetEventParams & { include?: undefined; fields?: undefined }, options?: RequestOptions): Promise<SingleEvent>;
  getEvent(id: string, params: GetEventParams, options?: RequestOptions): Promise<ShapedSingleEvent>;
  /** Search verified venues. Tier: starter. */
  listVenues(params?: ListVenuesParams, options?: RequestOptions): Promise<VenueList>;
  /** Every record of `listVenues`, page by page. */
  allVenues(params?: ListVenuesParams, options?: RequestOptions): AsyncGenerator<Venue, void, undefined>;
  /** One venue. Tier: starter. */
  getVenue(id: string, params?: GetVenueParams, options?: RequestOptions): Promise<SingleVenue>;
  /** Upcoming events at one venue. Tier: starter. */
  listVenueEvents(id: string, params?: ListVenueEventsParams & { include?: undefined; fields?: undefined }, options?: RequestOptions): Promise<CompactEventList>;
  listVenueEvents(id: string, params: ListVenueEventsParams, options?: RequestOptions): Promise<ShapedCompactEventList>;
  /** Every record of `listVenueEvents`, page by page. */
  allVenueEvents(id: string, params?: ListVenueEventsParams & { include?: undefined; fields?: undefined }, options?: RequestOptions): AsyncGenerator<EventCompact, void, undefined>;
  allVenueEvents(id: string, params: ListVenueEventsParams, options?: RequestOptions): AsyncGenerator<ShapedEventCompact, void, undefined>;
  /** Neighborhoods with their counts. Tier: growth. */
  listNeighborhoods(options?: RequestOptions): Promise<NeighborhoodList>;
  /** Trending events and venues. Tier: growth. */
  getTrending(params?: GetTrendingParams, options?: RequestOptions): Promise<Trending>;
  /** Suggestions while somebody types. Tier: starter. */
  getSuggestions(params?: GetSuggestionsParams, options?: RequestOptions): Promise<SuggestionList>;
  /** Everything that changes, in order. Tier: enterprise. */
  listChanges(params?: ListChangesParams, options?: RequestOptions): Promise<ChangeList>;
  /** Checksums to compare with a copy. Tier: enterprise. */
  getChecksums(params?: GetChecksumsParams, options?: RequestOptions): Promise<Checksums>;
  /** The change log as Realtime Paged Data Exchange. Tier: enterprise. */
  listRealtimePages(params?: ListRealtimePagesParams, options?: RequestOptions): Promise<RealtimePage>;
  /** Saved queries. Tier: enterprise. */
  listFeeds(options?: RequestOptions): Promise<FeedList>;
  /** One saved query. Tier: enterprise. */
  getFeed(id: string, options?: RequestOptions): Promise<SingleFeed>;
  /** Exports of the account. Tier: enterprise. */
  listExports(params?: ListExportsParams, options?: RequestOptions): Promise<ExportList>;
  /** Every record of `listExports`, page by page. */
  allExports(params?: ListExportsParams, options?: RequestOptions): AsyncGenerator<Export, void, undefined>;
  /** One export with its files. Tier: enterprise. */
  getExport(id: string, options?: RequestOptions): Promise<SingleExport>;
  /** Your usage and limits. Tier: starter. */
  getUsage(options?: RequestOptions): Promise<Usage>;
  /** Events as a calendar (iCalendar). Tier: starter. */
  listEventsAsCalendar(params?: ListEventsAsCalendarParams, options?: RequestOptions): Promise<string>;
  /** Events as a feed (RSS 2.0). Tier: starter. */
  listEventsAsRss(params?: ListEventsAsRssParams, options?: RequestOptions): Promise<string>;
  /** Events as a feed (Atom). Tier: starter. */
  listEventsAsAtom(params?: ListEventsAsAtomParams, options?: RequestOptions): Promise<string>;
  /** Events as a feed (JSON Feed 1.1). Tier: starter. */
  listEventsAsJsonFeed(params?: ListEventsAsJsonFeedParams, options?: RequestOptions): Promise<string>;
  /** Events as a map (GeoJSON). Tier: starter. */
  listEventsAsGeoJson(params?: ListEventsAsGeoJsonParams, options?: RequestOptions): Promise<string>;
  /** Events as a table (CSV). Tier: starter. */
  listEventsAsCsv(params?: ListEventsAsCsvParams, options?: RequestOptions): Promise<string>;
  /** Events as lines of JSON (NDJSON). Tier: starter. */
  listEventsAsJsonLines(params?: ListEventsAsJsonLinesParams, options?: RequestOptions): Promise<string>;
  /** Events as linked data (JSON-LD). Tier: starter. */
  listEventsAsJsonLd(params?: ListEventsAsJsonLdParams, options?: RequestOptions): Promise<string>;
  /** Venues as a map (GeoJSON). Tier: starter. */
  listVenuesAsGeoJson(params?: ListVenuesAsGeoJsonParams, options?: RequestOptions): Promise<string>;
  /** Venues as a table (CSV). Tier: starter. */
  listVenuesAsCsv(params?: ListVenuesAsCsvParams, options?: RequestOptions): Promise<string>;
  /** Venues as lines of JSON (NDJSON). Tier: starter. */
  listVenuesAsJsonLines(params?: ListVenuesAsJsonLinesParams, options?: RequestOptions): Promise<string>;
  /** Venues as linked data (JSON-LD). Tier: starter. */
  listVenuesAsJsonLd(params?: ListVenuesAsJsonLdParams, options?: RequestOptions): Promise<string>;
}

export const OPERATIONS = {
  listEvents: {"path":"/events","hasId":false,"hasParameters":true,"isText":false,"all":"allEvents"},
  getEvent: {"path":"/events/{id}","hasId":true,"hasParameters":true,"isText":false,"all":null},
  listVenues: {"path":"/venues","hasId":false,"hasParameters":true,"isText":false,"all":"allVenues"},
  getVenue: {"path":"/venues/{id}","hasId":true,"hasParameters":true,"isText":false,"all":null},
  listVenueEvents: {"path":"/venues/{id}/events","hasId":true,"hasParameters":true,"isText":false,"all":"allVenueEvents"},
  listNeighborhoods: {"path":"/neighborhoods","hasId":false,"hasParameters":false,"isText":false,"all":null},
  getTrending: {"path":"/trending","hasId":false,"hasParameters":true,"isText":false,"all":null},
  getSuggestions: {"path":"/suggest","hasId":false,"hasParameters":true,"isText":false,"all":null},
  listChanges: {"path":"/changes","hasId":false,"hasParameters":true,"isText":false,"all":null},
  getChecksums: {"path":"/changes/checksum","hasId":false,"hasParameters":true,"isText":false,"all":null},
  listRealtimePages: {"path":"/changes.rpde","hasId":false,"hasParameters":true,"isText":false,"all":null},
  listFeeds: {"path":"/feeds","hasId":false,"hasParameters":false,"isText":false,"all":null},
  getFeed: {"path":"/feeds/{id}","hasId":true,"hasParameters":false,"isText":false,"all":null},
  listExports: {"path":"/exports","hasId":false,"hasParameters":true,"isText":false,"all":"allExports"},
  getExport: {"path":"/exports/{id}","hasId":true,"hasParameters":false,"isText":false,"all":null},
  getUsage: {"path":"/usage","hasId":false,"hasParameters":false,"isText":false,"all":null},
  listEventsAsCalendar: {"path":"/events.ics","hasId":false,"hasParameters":true,"isText":true,"all":null},
  listEventsAsRss: {"path":"/events.rss","hasId":false,"hasParameters":true,"isText":true,"all":null},
  listEventsAsAtom: {"path":"/events.atom","hasId":false,"hasParameters":true,"isText":true,"all":null},
  listEventsAsJsonFeed: {"path":"/events.feed.json","hasId":false,"hasParameters":true,"isText":true,"all":null},
  listEventsAsGeoJson: {"path":"/events.geojson","hasId":false,"hasParameters":true,"isText":true,"all":null},
  listEventsAsCsv: {"path":"/events.csv","hasId":false,"hasParameters":true,"isText":true,"all":null},
  listEventsAsJsonLines: {"path":"/events.ndjson","hasId":false,"hasParameters":true,"isText":true,"all":null},
  listEventsAsJsonLd: {"path":"/events.jsonld","hasId":false,"hasParameters":true,"isText":true,"all":null},
  listVenuesAsGeoJson: {"path":"/venues.geojson","hasId":false,"hasParameters":true,"isText":true,"all":null},
  listVenuesAsCsv: {"path":"/venues.csv","hasId":false,"hasParameters":true,"isText":true,"all":null},
  listVenuesAsJsonLines: {"path":"/venues.ndjson","hasId":false,"hasParameters":true,"isText":true,"all":null},
  listVenuesAsJsonLd: {"path":"/venues.jsonld","hasId":false,"hasParameters":true,"isText":true,"all":null},
} as const;
