/** Programs: series whose titles begin alike. */

import { runKey } from '../catalog/index.ts';

/**
 * Of `Movies in the Park: Jaws` and `Movies in the Park: Alien` it is the same: what stands before a colon names the program, if it has
 * two words or more. Otherwise it is the key of the series.
 */
export function programKey(title: string, run: string): string {
  const colon = title.indexOf(':');
  if (colon < 0 || title.slice(colon + 1).trim() === '') return run;
  const name = runKey(title.slice(0, colon));
  return name.includes(' ') ? name : run;
}
