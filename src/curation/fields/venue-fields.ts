/** The fields of a venue that an operator may correct: how a value is checked, and how it changes the venue. */

import type { CapacityTier, OpeningHours, VenueType } from '../../catalog/index.ts';
import type { VenueFacts } from '../../merge/index.ts';
import { type Check, isRefusal, VENUE_FIELDS as LINE, type Locate, METADATA, object, refuse } from '../../normalize/index.ts';

export interface VenueValues {
  name: string;
  type: VenueType;
  address: string | null;
  coordinates: { latitude: number; longitude: number };
  capacity: CapacityTier | null;
  verified: boolean;
  website: string | null;
  parking: string | null;
  transit: string[];
  hours: OpeningHours | null;
}
export type CorrectableVenueField = keyof VenueValues;

interface Rule<V> {
  said(venue: VenueFacts): V;
  put(value: V, locate: Locate): Partial<VenueFacts>;
}

export const VENUE_RULES: { readonly [F in CorrectableVenueField]: Rule<VenueValues[F]> } = {
  name: { said: ({ name }) => name, put: (name) => ({ name }) },
  type: { said: ({ type }) => type, put: (type) => ({ type }) },
  address: { said: ({ address }) => address, put: (address) => ({ address }) },
  coordinates: {
    said: ({ latitude, longitude }) => ({ latitude, longitude }),
    // An operator's point is exact: the polygons decide, whatever neighborhood a source has named.
    put: ({ latitude, longitude }, locate) => ({
      latitude,
      longitude,
      neighborhood: locate(latitude, longitude),
      locationPrecision: 'exact',
    }),
  },
  capacity: { said: ({ capacityTier }) => capacityTier, put: (capacityTier) => ({ capacityTier }) },
  verified: { said: ({ isVerified }) => isVerified, put: (isVerified) => ({ isVerified }) },
  website: { said: ({ website }) => website, put: (website) => ({ website }) },
  parking: { said: ({ parking }) => parking, put: (parking) => ({ parking }) },
  transit: { said: ({ transitNearby }) => transitNearby, put: (transitNearby) => ({ transitNearby }) },
  hours: { said: ({ openingHours }) => openingHours, put: (openingHours) => ({ openingHours }) },
};

const VENUE_FIELDS = Object.keys(VENUE_RULES) as readonly CorrectableVenueField[];

const POINT = object<VenueValues['coordinates']>({ latitude: LINE.latitude, longitude: LINE.longitude });

/** The corrected value of one field, in the forms of docs/bundle.md; `coordinates` is an object of `latitude` and `longitude`. */
export const VENUE_CHECKS: { readonly [F in CorrectableVenueField]: Check<VenueValues[F]> } = {
  name: LINE.name,
  type: LINE.type,
  address: LINE.address,
  coordinates(value) {
    const point = POINT(value);
    if (isRefusal(point) || point.latitude !== 0 || point.longitude !== 0) return point;
    return refuse('wanted coordinates, got 0/0, which stands for unknown ones');
  },
  capacity: LINE.capacityTier,
  verified: LINE.isVerified,
  website: METADATA.website,
  parking: METADATA.parking,
  transit: METADATA.transitNearby,
  hours: (value) =>
    typeof value === 'string'
      ? refuse(
          `wanted lines such as "Mon-Fri 17:00-02:00" or "2026-12-24 closed: Christmas", got "${value.slice(0, MAX_ECHO_LENGTH)}"`,
        )
      : METADATA.openingHours(value),
};

const MAX_ECHO_LENGTH = 64;

/** The venue with the corrected values put in. */
export function putVenue(venue: VenueFacts, corrected: Partial<VenueValues>, locate: Locate): VenueFacts {
  const put = <F extends CorrectableVenueField>(field: F): Partial<VenueFacts> => {
    const value = corrected[field];
    return value === undefined ? {} : VENUE_RULES[field].put(value as VenueValues[F], locate);
  };
  return Object.assign({ ...venue }, ...VENUE_FIELDS.map(put)) as VenueFacts;
}
