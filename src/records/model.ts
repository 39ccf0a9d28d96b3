/** The words of the directory: what an event, a venue and a neighborhood are, once parsed and trusted. */

import type { PolygonGeometry } from '../values/polygon.ts';

export const CATEGORIES = [
  'concert',
  'sports',
  'comedy',
  'theater',
  'festival',
  'food',
  'art',
  'community',
  'nightlife',
  'family',
  'outdoor',
] as const;
export type Category = (typeof CATEGORIES)[number];

export const VENUE_TYPES = [
  'bar',
  'restaurant',
  'arena',
  'park',
  'theater',
  'gallery',
  'club',
  'stadium',
  'brewery',
  'museum',
] as const;
export type VenueType = (typeof VENUE_TYPES)[number];

export const CAPACITY_TIERS = ['intimate', 'small', 'medium', 'large'] as const;
export type CapacityTier = (typeof CAPACITY_TIERS)[number];

export const EVENT_STATUSES = ['scheduled', 'cancelled', 'postponed', 'rescheduled', 'sold_out'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];
/** The statuses that lists show unasked (decisions §1). */
export const LISTED_STATUSES = ['scheduled', 'rescheduled', 'sold_out'] as const satisfies readonly EventStatus[];

/** How exactly a start is known: to the minute, the day alone (the hour is unknown), or the whole day is meant. */
export const START_PRECISIONS = ['time', 'date', 'all_day'] as const;
export type StartPrecision = (typeof START_PRECISIONS)[number];

export const SIGNAL_KINDS = ['tickets_sold', 'tickets_available', 'social_mentions', 'page_views'] as const;
export type SignalKind = (typeof SIGNAL_KINDS)[number];

/**
 * `unlisted`: no source has confirmed it for long; lists leave it out, its id answers. `hidden`: the operator does not want it published;
 * its id answers "gone". Venues are never unlisted.
 */
export const RECORD_STATES = ['published', 'merged', 'removed', 'unlisted', 'hidden'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

const CHANGE_KINDS = ['created', 'updated', 'cancelled', 'rescheduled', 'merged', 'removed', 'scored'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];
const CHANGE_ENTITIES = ['city', 'neighborhood', 'venue', 'event'] as const;
export type ChangeEntity = (typeof CHANGE_ENTITIES)[number];

export interface City {
  slug: string;
  name: string;
  /** IANA zone, such as `America/New_York`. */
  timezone: string;
  /** ISO 4217. */
  currency: string;
  /** BCP 47; decides the collation of names. */
  locale: string;
  latitude: number;
  longitude: number;
  /** Languages of its listings beside that of `locale` (BCP 47); absent without any. */
  languages?: readonly string[];
  /** The line that the data of its neighborhoods must be shown with; absent without one. */
  credit?: string;
  /** Kilometers from the center to the border; absent: the neighborhoods decide, else 60. */
  radiusKm?: number;
}

export interface Neighborhood {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  /** A point inside the polygons. */
  latitude: number;
  longitude: number;
  geometry: PolygonGeometry;
}

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';
/** Decisions §2, "Opening hours". Times are local `HH:MM`; `closes` ≤ `opens` means past midnight. */
export interface OpeningHours {
  timezone: string;
  weekly: { days: Weekday[]; opens: string; closes: string }[];
  exceptions: { from: string; to: string; closed: boolean; opens: string | null; closes: string | null; reason: string | null }[];
}

/** How well the point of a venue is known. `approximate`: it may be some streets away; `area`: it only stands for the area. */
export const LOCATION_PRECISIONS = ['exact', 'approximate', 'area'] as const;
export type LocationPrecision = (typeof LOCATION_PRECISIONS)[number];

/** Who puts an event on. */
export interface Organizer {
  name: string;
  /** http or https. */
  url: string | null;
}

export interface EventLink {
  /** As in `sources`. */
  provider: string;
  /** http or https. */
  url: string;
}

export interface Signal {
  kind: SignalKind;
  value: number;
  observedAt: number;
}

export interface Change {
  kind: ChangeKind;
  entity: ChangeEntity;
  /** Null for the city, of which there is one. */
  entityId: string | null;
  /** What the public fields that changed were before, under their names in the API. Instants are ISO 8601 in UTC. */
  previous?: PreviousValues;
}
export type PreviousValues = Readonly<Record<string, unknown>>;
export interface NumberedChange extends Change {
  seq: number;
  at: number;
}

/** Runs of letters and digits, in lower case. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Of a title and of its slug, which has them without accents; with a space between two. */
export const indexedWords = (title: string, slug: string): string =>
  [...new Set([...wordsOf(title), ...slug.split('-')])].join(' ');
