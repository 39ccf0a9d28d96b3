/** How the posters of each category look: their colors, pictures and words. */

import type { Category } from '../../records/index.ts';
import type { Motif, Palette } from './ink.ts';
import * as loud from './motifs-loud.ts';
import * as quiet from './motifs-quiet.ts';

export interface PosterStyle {
  palettes: readonly Palette[];
  motifs: readonly Motif[];
  words: readonly string[];
}

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

export const STYLES: Readonly<Record<Category, PosterStyle>> = {
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
