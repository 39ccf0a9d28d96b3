/** The answers of Nominatim and of Photon in one form. https://nominatim.org/release-docs/latest/api/Output/ https://github.com/komoot/photon */

import type { GeocoderAddress } from '../../values/geocoder-address.ts';

/** One place that a service names. */
export interface ServicePlace {
  latitude: number;
  longitude: number;
  /** `between`: the service has worked out where the house must be. `other`: a shop, a park, or a whole country. */
  kind: 'house' | 'between' | 'street' | 'area' | 'city' | 'other';
  number: string;
  /** Names that may stand in the place of the street in an address. */
  streets: string[];
  /** Its own name, its postcode. */
  names: string[];
  /** The towns that it may be said to be in. */
  towns: string[];
}

/** Null for a body that is not of the service. Places without a point are left out. */
export function readPlaces(kind: GeocoderAddress['kind'], body: Uint8Array): ServicePlace[] | null {
  const answer = parseJson(body);
  const list = kind === 'nominatim' ? answer : (answer as { features?: unknown } | null)?.features;
  if (!Array.isArray(list)) return null;
  const items = list.slice(0, MAX_PLACES) as unknown[];
  if (!items.every(isFields)) return null;
  if (kind === 'photon' && !items.every(({ geometry }) => geometry == null || pointOf(geometry) !== null)) return null;
  return items
    .map(kind === 'nominatim' ? readNominatim : readPhoton)
    .filter(({ latitude, longitude }) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180);
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Longitude and latitude; null for anything else. */
function pointOf(geometry: unknown): readonly number[] | null {
  const coordinates = isFields(geometry) ? geometry.coordinates : null;
  return Array.isArray(coordinates) && coordinates.length >= 2 && coordinates.every(Number.isFinite) ? coordinates : null;
}

function readNominatim(item: Fields): ServicePlace {
  const address = (item.address ?? {}) as Fields;
  const type = textOf(item.addresstype) || textOf(item.type);
  const isPlain = textOf(item.category ?? item.class) === 'place' && textOf(item.type).startsWith('house');
  const number = textOf(address.house_number);
  return {
    latitude: degreesOf(item.lat),
    longitude: degreesOf(item.lon),
    // A way that is nothing but a number is an outline, or a line between two houses: nobody can tell which.
    kind: number === '' ? kindOf(type, address) : isPlain && item.osm_type === 'way' ? 'between' : 'house',
    number,
    streets: textsOf(address, NOMINATIM_STREETS),
    names: [textOf(item.name), textOf(address[type]), textOf(address.postcode)].filter((name) => name !== ''),
    towns: textsOf(address, TOWN_FIELDS),
  };
}

function kindOf(type: string, address: Fields): ServicePlace['kind'] {
  if (type === 'road' || type === 'pedestrian' || type === 'footway' || type === 'square') return 'street';
  if (AREA_TYPES.has(type)) return 'area';
  if (CITY_TYPES.has(type)) return 'city';
  return textOf(address.road) === '' ? 'other' : 'street';
}

function readPhoton({ geometry, properties }: Fields): ServicePlace {
  const [longitude, latitude] = pointOf(geometry) ?? [];
  const fields = (properties ?? {}) as Fields;
  const type = textOf(fields.type);
  const number = textOf(fields.housenumber);
  const isPlain = fields.osm_key === 'place' && fields.osm_value === 'house';
  const isStreet = type === 'street' || fields.osm_key === 'highway';
  return {
    latitude: degreesOf(latitude),
    longitude: degreesOf(longitude),
    kind:
      number !== '' ? (isPlain && fields.osm_type === 'W' ? 'between' : 'house') : isStreet ? 'street' : photonKind(type, fields),
    number,
    streets: textsOf(fields, isStreet ? ['name'] : PHOTON_STREETS),
    names: textsOf(fields, ['name', 'postcode']),
    towns: textsOf(fields, isStreet || number !== '' ? TOWN_FIELDS : [...TOWN_FIELDS, 'name']),
  };
}

function photonKind(type: string, fields: Fields): ServicePlace['kind'] {
  const place = type || textOf(fields.osm_value);
  if (AREA_TYPES.has(place)) return 'area';
  if (CITY_TYPES.has(place)) return 'city';
  return textOf(fields.street) === '' ? 'other' : 'street';
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, MAX_CHARS) : typeof value === 'number' ? String(value) : '';
const textsOf = (fields: Fields, names: readonly string[]): string[] =>
  names.map((name) => textOf(fields[name])).filter((text) => text !== '');
const degreesOf = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN;

const MAX_PLACES = 10;
const MAX_CHARS = 200;
/** A house of a place without streets has the name of the place in its address. */
const PLACE_FIELDS = ['isolated_dwelling', 'hamlet', 'village', 'neighbourhood', 'quarter', 'locality'];
const NOMINATIM_STREETS = ['road', 'pedestrian', 'footway', 'square', 'residential', 'place', ...PLACE_FIELDS];
const PHOTON_STREETS = ['street', 'locality', 'district'];
const TOWN_FIELDS = [
  'city',
  'town',
  'village',
  'municipality',
  'hamlet',
  'borough',
  'city_district',
  'suburb',
  'district',
  'locality',
];
const AREA_TYPES: ReadonlySet<string> = new Set(
  'postcode suburb neighbourhood quarter city_district borough district hamlet village locality residential'.split(' '),
);
const CITY_TYPES: ReadonlySet<string> = new Set(['city', 'town', 'municipality']);
