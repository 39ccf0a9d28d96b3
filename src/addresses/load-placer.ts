/** The placer of a city, with everything that was imported. */

import type { Kysely } from 'kysely';
import type { Database } from '../store/index.ts';
import { createPlacer } from './create-placer.ts';
import type { AddressPlacer, PlacerContext } from './model.ts';
import { unpackHouses, unpackLines } from './packed-street.ts';

/**
 * Reads all imported streets. The placer answers from memory and sees no later import. It builds its index at the first question: half a
 * second for 100,000 house numbers, which a run without a question never pays.
 */
export async function loadPlacer(db: Kysely<Database>, context: PlacerContext): Promise<AddressPlacer> {
  const rows = await db
    .selectFrom('address_street')
    .select(['street', 'town', 'postcode', 'houses', 'lines'])
    .orderBy('id')
    .execute();
  let placer: AddressPlacer | undefined;
  const opened = (): AddressPlacer => {
    placer ??= createPlacer(
      rows.map(({ houses, lines, ...row }) => ({ ...row, houses: unpackHouses(houses), lines: unpackLines(lines) })),
      context,
    );
    return placer;
  };
  return { find: (text) => opened().find(text), questionOf: (text) => opened().questionOf(text) };
}
