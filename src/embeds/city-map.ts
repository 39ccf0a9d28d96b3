/** The neighborhoods of the city, as small paths: the map of an embed. */

import type { Kysely } from 'kysely';
import { readCity, readNeighborhoods } from '../records/index.ts';
import type { Database } from '../store/index.ts';
import { type DrawnAreas, drawAreas } from '../values/draw-areas.ts';

/** Null before there is a city. */
export async function loadCityMap(db: Kysely<Database>): Promise<DrawnAreas | null> {
  const [city, neighborhoods] = [await readCity(db), await readNeighborhoods(db)];
  if (!city) return null;
  return drawAreas(
    neighborhoods.map(({ geometry }) => geometry),
    city,
  );
}
