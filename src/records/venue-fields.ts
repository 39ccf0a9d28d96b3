/**
 * The fields of a venue, a row each, in the order of the API contract. Columns, comparisons, reports, corrections, answers, cells and
 * schemas follow from it, as they do for events.
 */

import { type FactsOf, type FieldTable, type RecordOf, storedFields } from './field-table.ts';
import { CAPACITY_TIERS, LOCATION_PRECISIONS, VENUE_TYPES } from './model.ts';

export const VENUE_FIELDS = {
  id: { kind: 'id', form: 'list', ofEvent: 'list' },
  name: { kind: 'text', column: 'name', form: 'list', ofEvent: 'list' },
  slug: { kind: 'text', form: 'list', ofEvent: 'list' },
  type: { kind: 'choice', of: VENUE_TYPES, column: 'type', form: 'list' },
  /** A neighborhood's slug. */
  neighborhood: {
    kind: 'text',
    nullable: true,
    column: 'neighborhood',
    correctedIn: null,
    form: 'list',
    ofEvent: 'list',
    meaning: "The neighborhood's slug.",
  },
  address: { kind: 'text', nullable: true, column: 'address', form: 'list', ofEvent: 'detail' },
  latitude: { kind: 'degrees', largest: 90, column: 'latitude', correctedIn: 'coordinates', form: 'list', ofEvent: 'list' },
  longitude: { kind: 'degrees', largest: 180, column: 'longitude', correctedIn: 'coordinates', form: 'list', ofEvent: 'list' },
  capacityTier: {
    kind: 'choice',
    of: CAPACITY_TIERS,
    nullable: true,
    column: 'capacity_tier',
    reportName: 'capacity',
    form: 'list',
    ofEvent: 'detail',
  },
  isVerified: { kind: 'flag', column: 'is_verified', reportName: 'verified', form: 'list' },
  upcomingEventCount: { kind: 'count', form: 'list' },
  url: { kind: 'url', form: 'list' },
  website: { kind: 'url', nullable: true, column: 'website', form: 'metadata' },
  parking: { kind: 'prose', nullable: true, column: 'parking', form: 'metadata' },
  transitNearby: { kind: 'texts', column: 'transit_nearby', reportName: 'transit', form: 'metadata' },
  openingHours: { kind: 'hours', nullable: true, column: 'opening_hours', reportName: 'hours', form: 'metadata' },
  /** Absent: exact. */
  locationPrecision: {
    kind: 'choice',
    of: LOCATION_PRECISIONS,
    absent: 'exact',
    column: 'location_precision',
    reportName: 'precision',
    correctedIn: null,
    form: 'extra',
  },
} as const satisfies FieldTable;

/** What is stored of a venue, but for its id and slug. Coordinates are degrees. */
export type VenueFields = FactsOf<typeof VENUE_FIELDS>;

export interface Venue extends VenueFields {
  id: string;
  slug: string;
}

/** A venue as `GET /venues` shows it, by the names of the API. */
export type VenueSummary = RecordOf<typeof VENUE_FIELDS, 'list'>;

/** What an event shows of its venue in its detail form. */
export type VenueOfEvent = Pick<VenueSummary, NamesOfEvent>;
type NamesOfEvent = {
  [F in keyof typeof VENUE_FIELDS]: (typeof VENUE_FIELDS)[F] extends { ofEvent: string } ? F : never;
}[keyof typeof VENUE_FIELDS];

export const storedVenueFields = storedFields(VENUE_FIELDS);
