/** Posters for pages: a category's picture without letters, so that it can be cut to any shape and needs no language. */

import type { Category } from '../../records/index.ts';
import { createRandom } from '../../values/random.ts';
import { HEIGHT, type Palette, rect, WIDTH } from './ink.ts';
import { STYLES } from './styles.ts';

/** Pictures on pages are this wide for each 3 high. */
export const PICTURE_RATIO = 4 / 3;

/** A venue keeps its colors; each show there has a picture of its own, the same every night. */
export function widePosterSvg(category: Category, venueSeed: string, runSeed: string): string {
  const { picture, palette } = drawWide(category, venueSeed, runSeed);
  const height = WIDTH / PICTURE_RATIO;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 ${TOP} ${WIDTH} ${height}" width="800" height="600" role="img" aria-label="Poster: ${category}">` +
    `${rect(0, 0, WIDTH, HEIGHT, palette.ground)}${picture}</svg>\n`
  );
}

/** As elements on a sheet of `WIDTH` × `HEIGHT`, of which the middle matters most. */
export function drawWide(category: Category, venueSeed: string, runSeed: string): { picture: string; palette: Palette } {
  const { palettes, motifs } = STYLES[category];
  const palette = createRandom('venue', category, venueSeed).pick(palettes);
  const random = createRandom('event', category, runSeed);
  return { palette, picture: random.pick(motifs)(palette, random) };
}

/** Where the middle of the sheet begins: pictures are drawn around 330. */
const TOP = 105;
