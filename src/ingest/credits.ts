/** `loadCredits`: whose data the directory shows, in the lines that their licences ask for. */

import type { Kysely } from 'kysely';
import { loadPlaceCredits } from '../addresses/index.ts';
import { readCity } from '../records/index.ts';
import type { Database } from '../store/index.ts';
import { OSM_CREDIT } from '../values/osm-credit.ts';

/** Each line once: of the neighborhoods, of imported house numbers, of sources of OpenStreetMap, and what operators gave for a source. */
export async function loadCredits(db: Kysely<Database>): Promise<string[]> {
  const [city, places, sources] = await Promise.all([
    readCity(db),
    loadPlaceCredits(db),
    db.selectFrom('source').select(['kind', 'licence']).where('last_run_at', 'is not', null).orderBy('name').execute(),
  ]);
  const ofSources = sources.flatMap(({ kind, licence }) => licence ?? (kind === 'osm' ? OSM_CREDIT : []));
  return [...new Set([...(city?.credit === undefined ? [] : [city.credit]), ...places, ...ofSources])];
}
