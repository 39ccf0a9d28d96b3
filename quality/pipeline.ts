/** The main set through the whole pipeline: sixteen providers in one file, with the neighborhoods and the points of interest of New York. */

import { NYC, writeNycBundle } from '../test/nyc/load.ts';
import { openTemporaryDirectory, type TemporaryDirectory } from './temporary-directory.ts';

export const NYC_NOW = Temporal.Instant.from(NYC.now).epochMilliseconds;

/** New York with its neighborhoods and 2 277 places, before any event. */
export async function openNewYork(): Promise<TemporaryDirectory> {
  const directory = await openTemporaryDirectory(writeNycBundle, NYC_NOW);
  await directory.add('places', NYC.venues);
  await directory.run('places', NYC_NOW);
  return directory;
}
