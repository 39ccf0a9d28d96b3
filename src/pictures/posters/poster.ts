/** Posters: one of a category's pictures, in one of its palettes, with the lettering in one of four places. */

import type { Category } from '../../records/index.ts';
import { createRandom, type SeededRandom } from '../../values/random.ts';
import { group, HEIGHT, type Palette, rect, WIDTH } from './ink.ts';
import { readPosterName } from './name.ts';
import { STYLES } from './styles.ts';

/**
 * The SVG of a poster, under 6 kB; null when the name is not one of ours. The same name always gives the same bytes in one city, whose
 * name is in the lettering.
 */
export function posterSvg(name: string, cityName: string): string | null {
  const wanted = readPosterName(name);
  if (!wanted) return null;
  if (wanted.run !== null) return widePosterSvg(wanted.category, wanted.seed, wanted.run);
  const city = cityName.toUpperCase();
  const random = createRandom('poster', wanted.category, wanted.seed);
  const { palettes, motifs, words } = STYLES[wanted.category];
  const palette = random.pick(palettes);
  const [place, shift] = random.pick(LETTERINGS);
  const picture = group(`transform="translate(${shift})"`, random.pick(motifs)(palette, random));
  const lettering = place(random.pick(words), city, palette, random);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="Poster: ${wanted.category}">` +
    `<g font-family="${FONTS}">${rect(0, 0, WIDTH, HEIGHT, palette.ground)}${picture}${lettering}</g></svg>\n`
  );
}

/** Places the word on the sheet; all keep clear of the edges. */
type Lettering = (word: string, city: string, palette: Palette, random: SeededRandom) => string;

const footer: Lettering = (word, city, { ground, ink }) =>
  rect(0, 672, WIDTH, 128, ink) +
  text(word, 40, 752, fitted(word, 430, 84), ground, 900) +
  text(city, 40, 784, 15, ground, 600, 'letter-spacing="6"');

const label: Lettering = (word, city, { ground, ink }, random) => {
  const size = fitted(word, 400, 66);
  const x = random.pick([40, 110]);
  return (
    rect(x, 640, 440, 118, ground) +
    `<rect x="${x + 8}" y="648" width="424" height="102" fill="none" stroke="${ink}" stroke-width="3"/>` +
    text(word, x + 220, 712, size, ink, 800, 'text-anchor="middle"') +
    text(city, x + 220, 738, 14, ink, 500, 'text-anchor="middle" letter-spacing="7"')
  );
};

const upright: Lettering = (word, city, { ground, ink, hues }) =>
  rect(0, 0, 104, HEIGHT, ink) +
  `<g transform="translate(78 764) rotate(-90)">${text(word, 0, 0, fitted(word, 560, 82), ground, 900)}</g>` +
  `<g transform="translate(76 26) rotate(-90)">${text(city, 0, 0, 15, hues[1], 600, 'text-anchor="end" letter-spacing="5"')}</g>`;

const header: Lettering = (word, city, { ground, ink, hues }) =>
  rect(0, 0, WIDTH, 96, ground) +
  text(word, 36, 76, fitted(word, 528, 76), ink, 900) +
  rect(36, 90, 528, 6, hues[0]) +
  rect(0, 760, WIDTH, 40, ground) +
  text(city, 36, 786, 15, ink, 600, 'letter-spacing="6"');

function text(content: string, x: number, y: number, size: number, color: string, weight: number, more = ''): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${color}"${more ? ` ${more}` : ''}>${escaped(content)}</text>`;
}

/** The largest size at which a word of capitals surely fits `width`. */
const fitted = (word: string, width: number, most: number): number =>
  Math.min(most, Math.floor(width / (word.length * WIDEST_EM)));
const escaped = (content: string): string => content.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/* Posters for pages: a category's picture without letters, so that it can be cut to any shape and needs no language. */

/** A venue keeps its colors; each show there has a picture of its own, the same every night. */
function widePosterSvg(category: Category, venueSeed: string, runSeed: string): string {
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
/** With how far the picture makes room, right and down. */
const LETTERINGS: readonly (readonly [Lettering, shift: string])[] = [
  [footer, '0 0'],
  [label, '0 0'],
  [upright, '52 0'],
  [header, '0 56'],
];
const WIDEST_EM = 0.78;
const FONTS = "Futura,'Century Gothic','Avenir Next','Helvetica Neue',Arial,sans-serif";
/** Pictures on pages are this wide for each 3 high. */
export const PICTURE_RATIO = 4 / 3;
