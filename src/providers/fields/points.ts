/** Coordinates as providers write them. */

import type { Point } from '../../values/distance.ts';

export const POINT_FORMATS = ['wkt', 'lat,lon', 'lon,lat'] as const;
export type PointFormat = (typeof POINT_FORMATS)[number];

/** `POINT (lon lat)`, `"lat, lon"` (or `;`), `[lon, lat]`; null for anything else and for what is on no map. */
export function readPoint(value: unknown, format: PointFormat): Point | null {
  const text = typeof value === 'string' ? value : '';
  const [first, second]: unknown[] = (Array.isArray(value) ? value : readNumbers(text, format)) ?? [];
  return format === 'lat,lon' ? pointOf(first, second) : pointOf(second, first);
}

/** Null unless both are degrees; 0/0, in the sea off Africa, is what unknown coordinates look like. */
export function pointOf(latitude: unknown, longitude: unknown): Point | null {
  const [lat, lon] = [readDegrees(latitude), readDegrees(longitude)];
  if (lat === null || lon === null || Math.abs(lat) > 90 || Math.abs(lon) > 180 || (lat === 0 && lon === 0)) return null;
  return { latitude: lat, longitude: lon };
}

function readDegrees(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  // Spreadsheets of most countries write `52,5163`.
  const text = typeof value === 'string' ? value.trim().replace(DECIMAL_COMMA, '$1.$2') : '';
  return DEGREES.test(text) ? Number(text) : null;
}

function readNumbers(text: string, format: PointFormat): string[] | null {
  if (format === 'wkt') return /^\s*POINT\s*\(\s*(\S+)\s+(\S+)\s*\)\s*$/i.exec(text)?.slice(1) ?? null;
  const parts = text.split(/[,;]/).map((part) => part.trim());
  return parts.length === 2 && parts.every((part) => DEGREES.test(part)) ? parts : null;
}

const DECIMAL_COMMA = /^([+-]?\d{1,3}),(\d{1,20})$/;
const DEGREES = /^[+-]?\d{1,3}(\.\d{1,20})?$/;
