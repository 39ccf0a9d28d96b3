/** The placer of a city, with everything that was imported. */

import type { Kysely } from 'kysely';
import type { Database } from '../store/index.ts';
import type { AddressPlacer, PlacerContext } from './model.ts';
import { unpackHouses, unpackLines } from './packed-street.ts';

export async function loadPlacer(db: Kysely<Database>, { city, areas }: PlacerContext): Promise<AddressPlacer> {
  const rows = await db
    .selectFrom('address_street')
    .select(['street', 'town', 'postcode', 'houses', 'lines'])
    .orderBy('id')
    .execute();
  const streets = rows.map(({ houses, lines, ...row }) => ({ ...row, houses: unpackHouses(houses), lines: unpackLines(lines) }));
  const towns = new Set(streets.map(({ town }) => town));
  return {
    find(text) {
      const area = areas.find(text);
      if (!area) return towns.has(text) ? { latitude: city.latitude, longitude: city.longitude, ...CITY } : null;
      const { latitude, longitude } = area.slug === null ? city : area;
      return { latitude, longitude, ...(area.slug === null ? CITY : AREA) };
    },
  };
}

const CITY = { precision: 'city', via: 'city' } as const;
const AREA = { precision: 'area', via: 'neighborhood' } as const;
