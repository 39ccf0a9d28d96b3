/** What posters are drawn with: five colors, a sheet, and the marks one makes on it. */

import type { SeededRandom } from '../../values/random.ts';

export interface Palette {
  ground: string;
  ink: string;
  /** Three colors that get along, strongest first. */
  hues: readonly [string, string, string];
}

/** Draws a picture for the whole sheet, as SVG elements. */
export type Motif = (palette: Palette, random: SeededRandom) => string;

/** The sheet, in its own units. */
export const WIDTH = 600;
export const HEIGHT = 800;

export const circle = (x: number, y: number, r: number, fill: string): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}"/>`;
export const rect = (x: number, y: number, w: number, h: number, fill: string, rx = 0): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}"${rx ? ` rx="${n(rx)}"` : ''}/>`;
export const path = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`;
/** Lines without filling; `width` in sheet units. */
export const stroke = (d: string, color: string, width: number): string =>
  `<path d="${d}" fill="none" stroke="${color}" stroke-width="${n(width)}"/>`;
export const group = (attributes: string, content: string): string => `<g ${attributes}>${content}</g>`;
/** `count` times what `draw` draws. */
export const repeat = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

/** A ring as path data, for strokes. */
export const ring = (x: number, y: number, r: number): string =>
  `M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0`;
/** The lower half of a disk under (x, y); `turn` in degrees. */
export const halfDisk = (x: number, y: number, r: number, turn: number, fill: string): string =>
  `<path d="M${n(-r)} 0A${n(r)} ${n(r)} 0 0 0 ${n(r)} 0Z" transform="translate(${n(x)} ${n(y)}) rotate(${n(turn)})" fill="${fill}"/>`;
/** One decimal is a tenth of a unit: finer than anybody sees. */
export const n = (value: number): string => String(Math.round(value * 10) / 10);
