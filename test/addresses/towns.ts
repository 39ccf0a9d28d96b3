/** Two invented towns: Fernmoor in English and Grünwarth in German, with the files that an operator would import. */

import { createPlacer } from '../../src/addresses/create-placer.ts';
import { houseKey } from '../../src/addresses/house-number.ts';
import type { AddressPlacer, PlacerContext } from '../../src/addresses/index.ts';

const MICRO = 1e6;
export const FERNMOOR: PlacerContext['city'] = { name: 'Fernmoor', latitude: 45, longitude: -120, locale: 'en-US' };
export const GRUENWARTH: PlacerContext['city'] = { name: 'Grünwarth', latitude: 50, longitude: 11, locale: 'de-DE' };

/** A straight street to the east, or to the north, with a house every 20 m: odd numbers on one side, even ones on the other. */
interface StraightStreet {
  name: string;
  town: string;
  postcode: string;
  latitude: number;
  longitude: number;
  isNorth?: true;
  /** The first and the last number; none for a street without houses. */
  numbers?: [first: number, last: number];
  without?: readonly number[];
}

export const FERNMOOR_STREETS: readonly StraightStreet[] = [
  {
    name: 'Quarry Street',
    town: 'Fernmoor',
    postcode: '97001',
    latitude: 45,
    longitude: -120,
    numbers: [1, 80],
    without: [20, 22],
  },
  {
    name: 'Pelham Avenue',
    town: 'Fernmoor',
    postcode: '97001',
    latitude: 44.998,
    longitude: -119.996,
    isNorth: true,
    numbers: [1, 60],
  },
  { name: 'Third Street', town: 'Fernmoor', postcode: '97001', latitude: 45.002, longitude: -120, numbers: [1, 40] },
  { name: 'Commonwealth Boulevard', town: 'Fernmoor', postcode: '97002', latitude: 45.004, longitude: -120, numbers: [100, 180] },
  { name: 'Larkin Road', town: 'Fernmoor', postcode: '97002', latitude: 45.006, longitude: -120, numbers: [1, 30] },
  { name: 'Larkin Place', town: 'Fernmoor', postcode: '97002', latitude: 45.01, longitude: -120, numbers: [1, 30] },
  { name: 'Tamarack Lane', town: 'Fernmoor', postcode: '97002', latitude: 45.012, longitude: -120 },
];

export const GRUENWARTH_STREETS: readonly StraightStreet[] = [
  { name: 'Holunderstraße', town: 'Grünwarth', postcode: '99001', latitude: 50, longitude: 11, numbers: [1, 40], without: [12] },
  { name: 'Sankt-Veit-Straße', town: 'Grünwarth', postcode: '99001', latitude: 50.002, longitude: 11, numbers: [1, 40] },
  {
    name: 'Am Köhlerrain',
    town: 'Grünwarth',
    postcode: '99001',
    latitude: 49.999,
    longitude: 11.002,
    isNorth: true,
    numbers: [1, 30],
  },
  { name: 'Hauptstraße', town: 'Grünwarth', postcode: '99001', latitude: 50.006, longitude: 11, numbers: [1, 40] },
  { name: 'Hauptstraße', town: 'Oberlohe', postcode: '99003', latitude: 50.05, longitude: 11, numbers: [1, 60] },
];

/** The point of a number of a straight street, in degrees. */
export function pointOf(
  { latitude, longitude, isNorth }: StraightStreet,
  number: number,
): { latitude: number; longitude: number } {
  const [along, side] = [number * 0.0001, number % 2 === 0 ? 0.0001 : -0.0001];
  const point = isNorth ? [latitude + along, longitude + side] : [latitude + side, longitude + along];
  return { latitude: round(point[0] ?? 0), longitude: round(point[1] ?? 0) };
}

export function numbersOf({ numbers, without = [] }: StraightStreet): number[] {
  if (!numbers) return [];
  const [first, last] = numbers;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((number) => !without.includes(number));
}

const lineOf = (street: StraightStreet): { latitude: number; longitude: number }[] =>
  [0, 20, 40, 60, 80].map((number) => {
    const { latitude, longitude, isNorth } = street;
    return isNorth
      ? { latitude: round(latitude + number * 0.0001), longitude }
      : { latitude, longitude: round(longitude + number * 0.0001) };
  });

export function townPlacer(
  city: PlacerContext['city'],
  streets: readonly StraightStreet[],
  context: Partial<PlacerContext> = {},
): AddressPlacer {
  const rows = streets.map((street) => ({
    ...{ street: street.name, town: street.town, postcode: street.postcode },
    houses: Int32Array.from(
      numbersOf(street).flatMap((number) => {
        const { latitude, longitude } = pointOf(street, number);
        return [houseKey(number, 0), Math.round(latitude * MICRO), Math.round(longitude * MICRO)];
      }),
    ),
    lines: [
      Int32Array.from(
        lineOf(street).flatMap(({ latitude, longitude }) => [Math.round(latitude * MICRO), Math.round(longitude * MICRO)]),
      ),
    ],
  }));
  return createPlacer(rows, { city, areas: { find: () => null }, venues: [], ...context });
}

/** As Overpass returns them. */
export function overpassOf(streets: readonly StraightStreet[]): string {
  const elements = streets.flatMap((street) => [
    {
      ...{ type: 'way', id: 1, tags: { highway: 'residential', name: street.name } },
      geometry: lineOf(street).map(({ latitude, longitude }) => ({ lat: latitude, lon: longitude })),
    },
    ...numbersOf(street).map((number) => {
      const { latitude, longitude } = pointOf(street, number);
      return { type: 'node', id: 2, lat: latitude, lon: longitude, tags: tagsOf(street, number) };
    }),
  ]);
  return JSON.stringify({ version: 0.6, osm3s: { copyright: 'a "quoted" \\ text' }, elements }, null, 1);
}

/** Houses and ends of streets as nodes; the first house of each street is a building. */
export function osmXmlOf(streets: readonly StraightStreet[]): string {
  let id = 0;
  const node = ({ latitude, longitude }: { latitude: number; longitude: number }, inner = ''): string =>
    `<node id="${++id}" lat="${latitude}" lon="${longitude}">${inner}</node>`;
  const tags = (all: Readonly<Record<string, string>>): string =>
    Object.entries(all)
      .map(([key, value]) => `<tag k="${key}" v="${value}"/>`)
      .join('');
  const parts = streets.flatMap((street) => {
    const points = lineOf(street).map((point) => node(point));
    const line = `<way id="${++id}">${points.map((_, index) => `<nd ref="${id - points.length + index}"/>`).join('')}${tags({ highway: 'residential', name: street.name })}</way>`;
    const houses = numbersOf(street).map((number) => node(pointOf(street, number), tags(tagsOf(street, number))));
    return [line, ...points, ...houses];
  });
  return `<?xml version="1.0"?>\n<osm version="0.6">\n${parts.join('\n')}\n</osm>\n`;
}

const tagsOf = ({ name, town, postcode }: StraightStreet, number: number): Record<string, string> => ({
  'addr:housenumber': String(number),
  'addr:street': name,
  'addr:city': town,
  'addr:postcode': postcode,
});
const round = (degrees: number): number => Math.round(degrees * MICRO) / MICRO;
