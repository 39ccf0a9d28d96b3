/** Posters: one of a category's pictures, in one of its palettes, with the lettering in one of four places. */

import type { Category } from '../../catalog/index.ts';
import { createRandom, type SeededRandom } from '../random.ts';
import { group, HEIGHT, type Motif, type Palette, rect, WIDTH } from './ink.ts';
import * as loud from './motifs-loud.ts';
import * as quiet from './motifs-quiet.ts';
import { readPosterName } from './name.ts';

/** The SVG of a poster, under 6 kB; null when the name is not one of ours. The same name always gives the same bytes. */
export function posterSvg(name: string): string | null {
  const wanted = readPosterName(name);
  if (!wanted) return null;
  const random = createRandom('poster', wanted.category, wanted.seed);
  const { palettes, motifs, words } = STYLES[wanted.category];
  const palette = random.pick(palettes);
  const [place, shift] = random.pick(LETTERINGS);
  const picture = group(`transform="translate(${shift})"`, random.pick(motifs)(palette, random));
  const lettering = place(random.pick(words), palette, random);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="Poster: ${wanted.category}">` +
    `<g font-family="${FONTS}">${rect(0, 0, WIDTH, HEIGHT, palette.ground)}${picture}${lettering}</g></svg>\n`
  );
}

/** Places the word on the sheet; all keep clear of the edges. */
type Lettering = (word: string, palette: Palette, random: SeededRandom) => string;

const footer: Lettering = (word, { ground, ink, hues }) =>
  rect(0, 672, WIDTH, 128, ink) +
  text(word, 40, 752, fitted(word, 430, 84), ground, 900) +
  smallPrint(560, 784, 'end', hues[1]) +
  text('PORT ALDER', 40, 784, 15, ground, 600, 'letter-spacing="6"');

const label: Lettering = (word, { ground, ink }, random) => {
  const size = fitted(word, 400, 66);
  const x = random.pick([40, 110]);
  return (
    rect(x, 640, 440, 118, ground) +
    `<rect x="${x + 8}" y="648" width="424" height="102" fill="none" stroke="${ink}" stroke-width="3"/>` +
    text(word, x + 220, 712, size, ink, 800, 'text-anchor="middle"') +
    text('PORT ALDER', x + 220, 738, 14, ink, 500, 'text-anchor="middle" letter-spacing="7"')
  );
};

const upright: Lettering = (word, { ground, ink, hues }) =>
  rect(0, 0, 104, HEIGHT, ink) +
  `<g transform="translate(78 764) rotate(-90)">${text(word, 0, 0, fitted(word, 560, 82), ground, 900)}</g>` +
  `<g transform="translate(76 26) rotate(-90)">${text('PORT ALDER', 0, 0, 15, hues[1], 600, 'text-anchor="end" letter-spacing="5"')}</g>`;

const header: Lettering = (word, { ground, ink, hues }) =>
  rect(0, 0, WIDTH, 96, ground) +
  text(word, 36, 76, fitted(word, 528, 76), ink, 900) +
  rect(36, 90, 528, 6, hues[0]) +
  rect(0, 760, WIDTH, 40, ground) +
  text('PORT ALDER', 36, 786, 15, ink, 600, 'letter-spacing="6"') +
  smallPrint(564, 786, 'end', ink);

const smallPrint = (x: number, y: number, anchor: string, color: string): string =>
  text('LAKESIDE', x, y, 15, color, 600, `text-anchor="${anchor}" letter-spacing="4"`);

function text(content: string, x: number, y: number, size: number, color: string, weight: number, more = ''): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${color}"${more ? ` ${more}` : ''}>${escaped(content)}</text>`;
}

/** The largest size at which a word of capitals surely fits `width`. */
const fitted = (word: string, width: number, most: number): number =>
  Math.min(most, Math.floor(width / (word.length * WIDEST_EM)));
const escaped = (content: string): string => content.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** With how far the picture makes room, right and down. */
const LETTERINGS: readonly (readonly [Lettering, shift: string])[] = [
  [footer, '0 0'],
  [label, '0 0'],
  [upright, '52 0'],
  [header, '0 56'],
];
const WIDEST_EM = 0.78;
const FONTS = "Futura,'Century Gothic','Avenir Next','Helvetica Neue',Arial,sans-serif";

const inks = (ground: string, ink: string, a: string, b: string, c: string): Palette => ({ ground, ink, hues: [a, b, c] });
const HARBOR = inks('#f3ead7', '#15304b', '#d9472b', '#f0b541', '#8db7b5');
const EMBER = inks('#1d1a26', '#f4e9d8', '#ee5a36', '#f5b83d', '#6b3fa0');
const VIOLET = inks('#efe6f2', '#2b1650', '#8b2fc9', '#ff6b8b', '#ffc857');
const DEEP = inks('#0e1b33', '#f2efe4', '#ff4f79', '#26c6da', '#43508f');
const SIGNAL = inks('#f6f1e7', '#161616', '#e4322b', '#1f55c7', '#f4b400');
const LEMON = inks('#ffd84d', '#21201c', '#e8502f', '#ffffff', '#1f8a84');
const VELVET = inks('#2a0d14', '#f6e7d3', '#b3202e', '#e3a857', '#5d1522');
const OLIVE = inks('#f4efdd', '#2f3b23', '#6f8f3d', '#dd8a2e', '#c9c48a');
const TOMATO = inks('#fbe9d6', '#3a1d14', '#d8412f', '#f2a33a', '#8aa64f');
const PLASTER = inks('#ebe7df', '#22333b', '#c65d3b', '#5e8c8a', '#e0b070');
const PINE = inks('#e8ecdf', '#12352c', '#e0763c', '#4f8a6b', '#a9c4a4');
const DUSK = inks('#f6c9a0', '#2d2447', '#d94f5c', '#8a5a9e', '#f08a5d');
const LAKE = inks('#dcebee', '#123a54', '#f26a4b', '#3d8fb0', '#9fcfd6');
const CANDY = inks('#fff3e4', '#2a2d5b', '#ff6f59', '#43aa8b', '#ffcb47');

const STYLES: Record<Category, { palettes: readonly Palette[]; motifs: readonly Motif[]; words: readonly string[] }> = {
  concert: {
    palettes: [HARBOR, EMBER, SIGNAL, DUSK],
    motifs: [loud.vinyl, loud.ridges, loud.equalizer],
    words: ['LIVE', 'CONCERT', 'ON STAGE'],
  },
  sports: { palettes: [SIGNAL, LEMON, LAKE], motifs: [loud.lanes, loud.jersey], words: ['GAME DAY', 'SPORTS', 'KICKOFF'] },
  comedy: { palettes: [LEMON, CANDY, VIOLET], motifs: [loud.grins, loud.microphone], words: ['COMEDY', 'STAND UP', 'HA HA'] },
  theater: {
    palettes: [VELVET, HARBOR, PLASTER],
    motifs: [quiet.curtain, quiet.doorways, quiet.masks],
    words: ['THEATER', 'THE STAGE', 'ACT ONE'],
  },
  festival: {
    palettes: [CANDY, DEEP, LEMON, HARBOR],
    motifs: [loud.bunting, loud.fireworks, loud.lanterns],
    words: ['FESTIVAL', 'ALL DAY', 'FAIR'],
  },
  food: {
    palettes: [TOMATO, OLIVE, LEMON],
    motifs: [quiet.citrus, quiet.table, quiet.bowl],
    words: ['SUPPER', 'TASTE', 'AT TABLE'],
  },
  art: {
    palettes: [PLASTER, SIGNAL, VIOLET, HARBOR],
    motifs: [quiet.cutouts, quiet.tiles, quiet.squares],
    words: ['ART', 'GALLERY', 'ON VIEW'],
  },
  community: {
    palettes: [PLASTER, OLIVE, CANDY, LAKE],
    motifs: [quiet.rowHouses, quiet.commons],
    words: ['TOGETHER', 'NEIGHBORS', 'OPEN HOUSE'],
  },
  nightlife: {
    palettes: [DEEP, EMBER, VIOLET],
    motifs: [loud.moonrise, loud.moire, loud.mirrorBall],
    words: ['LATE', 'AFTER DARK', 'NIGHT'],
  },
  family: {
    palettes: [CANDY, LAKE, LEMON],
    motifs: [quiet.balloons, quiet.creature, quiet.blocks],
    words: ['FAMILY', 'FOR KIDS', 'PLAY'],
  },
  outdoor: {
    palettes: [PINE, LAKE, DUSK],
    motifs: [quiet.hills, quiet.forest, quiet.contours],
    words: ['OUTSIDE', 'OPEN AIR', 'OUTDOORS'],
  },
};
