/** The file with the tiles of the map, as `MARQUEE_TILES` names it. */

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { PMTILES_HEADER_BYTES, type PmtilesHeader, parsePmtilesHeader } from './values/pmtiles.ts';

export interface MapTiles {
  /** An absolute path. */
  file: string;
  bytes: number;
  header: PmtilesHeader;
  /** Who made the map's data; shown on every map with tiles. */
  attribution: string;
}

/** Null without a setting. A text says what is wrong. */
export function readMapTiles(path: string | undefined, attribution: string | undefined): MapTiles | null | string {
  if (path === undefined) return null;
  const file = resolve(path);
  const start = readStart(file);
  if (typeof start === 'string') return `MARQUEE_TILES: cannot read the file ${file} (${start})`;
  const header = parsePmtilesHeader(start.bytes);
  if (!header) return `MARQUEE_TILES must be a PMTiles file, version 3, but ${file} is another kind of file`;
  if (!header.isVector) return `MARQUEE_TILES must contain vector tiles (MVT), but ${file} contains other tiles`;
  return { file, bytes: start.size, header, attribution: attribution ?? OPEN_STREET_MAP };
}

/** The code of the error if it cannot be read. */
function readStart(file: string): { bytes: Uint8Array; size: number } | string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const bytes = new Uint8Array(PMTILES_HEADER_BYTES);
      readSync(descriptor, bytes, 0, bytes.length, 0);
      return { bytes, size: statSync(file).size };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

/** Nearly all tiles are made of its data, and its license wants the name. */
const OPEN_STREET_MAP = '© OpenStreetMap contributors';
