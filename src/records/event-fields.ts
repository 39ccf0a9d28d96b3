/**
 * The fields of an event, a row each, in the order of the API contract. Columns, comparisons, reports, corrections, answers, cells and
 * schemas follow from it. CONTRIBUTING.md says how to add a field.
 */

import { type CorrectableOf, type FactsOf, type FieldTable, type RecordOf, storedFields } from './field-table.ts';
import { CATEGORIES, EVENT_STATUSES, START_PRECISIONS } from './model.ts';
import type { VenueOfEvent } from './venue-fields.ts';

export const EVENT_FIELDS = {
  id: { kind: 'id', form: 'compact' },
  title: { kind: 'text', column: 'title', form: 'compact' },
  slug: { kind: 'text', form: 'list' },
  category: { kind: 'choice', of: CATEGORIES, column: 'category', form: 'compact' },
  /** Local midnight where `precision` is not `time`. */
  startsAt: {
    kind: 'instant',
    column: 'starts_at',
    name: 'startDatetime',
    reportName: 'start',
    correctedIn: 'start',
    form: 'compact',
  },
  endsAt: { kind: 'instant', nullable: true, column: 'ends_at', name: 'endDatetime', reportName: 'end', form: 'list' },
  precision: {
    kind: 'choice',
    of: START_PRECISIONS,
    column: 'precision',
    name: 'startPrecision',
    correctedIn: 'start',
    form: 'extra',
    meaning: '`date`: the hour of the start is unknown and printed as midnight. `all_day`: the whole day is meant.',
  },
  description: { kind: 'prose', nullable: true, column: 'description', form: 'list' },
  imageUrl: { kind: 'url', nullable: true, column: 'image_url', reportName: 'image', form: 'list' },
  isFree: { kind: 'flag', column: 'is_free', correctedIn: 'price', form: 'compact' },
  priceMin: {
    kind: 'amount',
    nullable: true,
    column: 'price_min',
    correctedIn: 'price',
    form: 'list',
    meaning: "In the city's currency.",
  },
  priceMax: { kind: 'amount', nullable: true, column: 'price_max', correctedIn: 'price', form: 'list' },
  discoveryScore: { kind: 'score', form: 'compact' },
  venueId: { kind: 'venue', column: 'venue_id', name: 'venue', reportName: 'venue', form: 'list' },
  status: { kind: 'choice', of: EVENT_STATUSES, column: 'status', form: 'extra' },
  url: { kind: 'url', form: 'list' },
  updatedAt: { kind: 'instant', form: 'extra' },
  performers: { kind: 'texts', column: 'performers', form: 'detail' },
  tags: { kind: 'texts', column: 'tags', form: 'detail' },
  /** Names of the providers it came from. */
  sources: {
    kind: 'texts',
    column: 'sources',
    correctedIn: null,
    form: 'detail',
    meaning: 'Names of the data providers the event came from.',
  },
  /** Who puts it on. */
  organizer: { kind: 'organizer', nullable: true, column: 'organizer', form: 'extra' },
  /** The event's pages at the providers, the most trusted first; absent: none is known. Pages show them, the API does not. */
  links: { kind: 'links', absent: [], column: 'links', name: null, form: 'extra' },
} as const satisfies FieldTable;

/** What is stored of an event, but for its id, slug and scores. Instants are milliseconds since 1970 UTC. */
export type EventFields = FactsOf<typeof EVENT_FIELDS>;

/** The price of an event: three fields that mean something only together. */
export type EventPrice = CorrectableOf<typeof EVENT_FIELDS>['price'];

export const priceOf = ({ isFree, priceMin, priceMax }: EventPrice): EventPrice => ({ isFree, priceMin, priceMax });

export interface Event extends EventFields {
  id: string;
  slug: string;
  discoveryScore: number;
}

/** An event as `GET /events` shows it, by the names of the API. */
export interface EventSummary extends Omit<RecordOf<typeof EVENT_FIELDS, 'compact' | 'list'>, 'venue'> {
  venue: Omit<VenueOfEvent, 'address' | 'capacityTier'>;
}

/** An event as `GET /events/{id}` shows it. */
export interface EventDetail extends Omit<RecordOf<typeof EVENT_FIELDS, 'compact' | 'list' | 'detail'>, 'venue'> {
  venue: VenueOfEvent;
}

export const storedEventFields = storedFields(EVENT_FIELDS);
