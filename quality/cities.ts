/** Chicago and Austin, cities by configuration alone: a bundle and one source with a mapping each, through the whole pipeline. */

import { CITIES, missing, type SecondCity, writeCityBundle } from '../test/cities/load.ts';
import type { Figure } from './figure.ts';
import { countDirectory, directoryFigures } from './pipeline.ts';
import { openTemporaryDirectory } from './temporary-directory.ts';

export async function cityFigures(): Promise<Figure[]> {
  if (missing) return [];
  const figures: Figure[] = [];
  for (const city of CITIES) figures.push(...(await measure(city)));
  return figures;
}

async function measure(second: SecondCity): Promise<Figure[]> {
  const now = Temporal.Instant.from(second.now).epochMilliseconds;
  const directory = await openTemporaryDirectory((folder) => writeCityBundle(second, folder), now);
  try {
    await directory.add('concerts', second.events);
    const report = await directory.run('concerts', now);
    return directoryFigures(report, await countDirectory(directory.store.db), second.city.name);
  } finally {
    await directory.dispose();
  }
}
