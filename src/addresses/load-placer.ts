/** The placer of a city, with everything that was imported. */

import type { Kysely } from 'kysely';
import type { Database } from '../store/index.ts';
import { createPlacer } from './create-placer.ts';
import type { AddressPlacer, PlacerContext } from './model.ts';
import { unpackHouses, unpackLines } from './packed-street.ts';

/** Reads all imported streets: about a second for 100,000 house numbers. The placer answers from memory and sees no later import. */
export async function loadPlacer(db: Kysely<Database>, context: PlacerContext): Promise<AddressPlacer> {
  const rows = await db
    .selectFrom('address_street')
    .select(['street', 'town', 'postcode', 'houses', 'lines'])
    .orderBy('id')
    .execute();
  const streets = rows.map(({ houses, lines, ...row }) => ({ ...row, houses: unpackHouses(houses), lines: unpackLines(lines) }));
  return createPlacer(streets, context);
}
