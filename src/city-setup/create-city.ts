/** `createCity`: an empty directory becomes that of a city. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addSource, importBundle } from '../ingest/index.ts';
import type { City } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { OSM_CREDIT } from '../values/osm-credit.ts';
import type { CityExtract } from './read-extract.ts';

export interface NewCity {
  store: Store;
  city: City;
  /** Null: the city begins without neighborhoods and venues. */
  extract: CityExtract | null;
  /** Where the venues of the extract are kept. */
  dataDir: string;
  now: () => number;
}

export interface CreatedCity {
  neighborhoods: number;
  /** The name of the source that reads the venues of the extract; it has not run yet. Null: there are none. */
  source: string | null;
}

/** The directory must have no city yet. Rejects with the error of the system if the venues cannot be kept. */
export async function createCity({ store, city, extract, dataDir, now }: NewCity): Promise<CreatedCity> {
  const features = extract?.neighborhoods ?? [];
  const { latitude, longitude, ...rest } = city;
  const hasAreas = features.length > 0;
  // First: whatever fails here leaves the directory empty, and the command can be repeated.
  const file = extract && extract.venues.length > 0 ? await keepVenues(dataDir, extract) : null;
  const { neighborhoods } = await importBundle({
    store,
    bundle: {
      city: { ...rest, center: { latitude, longitude }, ...(hasAreas && { credit: OSM_CREDIT }) },
      ...(hasAreas && { neighborhoods: { type: 'FeatureCollection', features } }),
    },
    now,
  });
  if (file === null) return { neighborhoods: neighborhoods.created, source: null };
  const added = await addSource({ store, kind: 'osm', location: file, mapping: null, name: OSM_SOURCE, now });
  if (!added.ok) throw new Error(added.reason);
  return { neighborhoods: neighborhoods.created, source: added.source.name };
}

/** As Overpass writes them, so that the source can be run again, and a newer file can take the place of this one. */
async function keepVenues(dataDir: string, { venues }: CityExtract): Promise<string> {
  const folder = join(dataDir, 'extracts');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${OSM_SOURCE}.json`);
  const lines = venues.map((element) => JSON.stringify(element)).join(',\n');
  await writeFile(file, `{"version":0.6,"elements":[\n${lines}\n]}\n`);
  return file;
}

const OSM_SOURCE = 'openstreetmap';
