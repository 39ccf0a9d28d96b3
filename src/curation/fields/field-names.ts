/** The names by which a field may be corrected: its own, and those of the API. */

import { EVENT_RULES, type EventValues } from './event-fields.ts';
import { VENUE_RULES } from './venue-fields.ts';

type Entity = 'event' | 'venue';

interface NamedField {
  field: string;
  /** Where the name is of a part: the whole field, of what is shown and the new value of the part. */
  put?(shown: unknown, value: unknown): unknown;
}

/** Null for a name that no field has. */
export function findField(entity: Entity, name: string): NamedField | null {
  if (Object.hasOwn(RULES[entity], name)) return { field: name };
  return Object.hasOwn(API_NAMES[entity], name) ? (API_NAMES[entity][name] ?? null) : null;
}

/** `wanted one of title, start (startDatetime), …`. */
export function wantedField(entity: Entity): string {
  const fields = Object.keys(RULES[entity]).map((field) => {
    const names = Object.entries(API_NAMES[entity]).flatMap(([name, named]) => (named.field === field ? [name] : []));
    return names.length === 0 ? field : `${field} (${names.join(', ')})`;
  });
  return `wanted one of ${fields.join(', ')}`;
}

type Price = EventValues['price'];

function putIsFree(shown: unknown, isFree: unknown): unknown {
  if (isFree === true) return { isFree };
  return (shown as Price).isFree ? { isFree, priceMin: null, priceMax: null } : { ...(shown as Price), isFree };
}

/** What costs something is not free. */
const putPrice = (part: 'priceMin' | 'priceMax') => (shown: unknown, amount: unknown) => {
  const isFree = (shown as Price).isFree && (amount === null || amount === 0);
  const whole = isFree === (shown as Price).isFree ? (shown as Price) : { isFree, priceMin: null, priceMax: null };
  return { ...whole, [part]: amount };
};

const putCoordinate = (part: 'latitude' | 'longitude') => (shown: unknown, degrees: unknown) => ({
  ...(shown as { latitude: number; longitude: number }),
  [part]: degrees,
});

const RULES = { event: EVENT_RULES, venue: VENUE_RULES };
const API_NAMES: Readonly<Record<Entity, Readonly<Record<string, NamedField>>>> = {
  event: {
    startDatetime: { field: 'start' },
    endDatetime: { field: 'end' },
    imageUrl: { field: 'image' },
    isFree: { field: 'price', put: putIsFree },
    priceMin: { field: 'price', put: putPrice('priceMin') },
    priceMax: { field: 'price', put: putPrice('priceMax') },
  },
  venue: {
    latitude: { field: 'coordinates', put: putCoordinate('latitude') },
    longitude: { field: 'coordinates', put: putCoordinate('longitude') },
    capacityTier: { field: 'capacity' },
    isVerified: { field: 'verified' },
    transitNearby: { field: 'transit' },
    openingHours: { field: 'hours' },
  },
};
