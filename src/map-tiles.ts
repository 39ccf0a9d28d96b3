/** The file with the tiles of the map, as `MARQUEE_TILES` names it. */

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

interface PmtilesHeader {
  minZoom: number;
  maxZoom: number;
  /** Degrees. */
  west: number;
  south: number;
  east: number;
  north: number;
  isVector: boolean;
}

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
  const header = parseHeader(start.bytes);
  if (!header) return `MARQUEE_TILES must be a PMTiles file, version 3, but ${file} is another kind of file`;
  if (!header.isVector) return `MARQUEE_TILES must contain vector tiles (MVT), but ${file} contains other tiles`;
  return { file, bytes: start.size, header, attribution: attribution ?? OPEN_STREET_MAP };
}

/** The code of the error if it cannot be read. */
function readStart(file: string): { bytes: Uint8Array; size: number } | string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const bytes = new Uint8Array(HEADER_BYTES);
      readSync(descriptor, bytes, 0, bytes.length, 0);
      return { bytes, size: statSync(file).size };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

/** Of a PMTiles archive, version 3 (PMTiles specification v3, §3). Null if it is none. */
function parseHeader(bytes: Uint8Array): PmtilesHeader | null {
  if (bytes.length < HEADER_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) !== MAGIC || view.getUint8(MAGIC.length) !== VERSION) return null;
  const degrees = (at: number) => view.getInt32(at, true) / 1e7;
  return {
    isVector: view.getUint8(99) === MVT,
    minZoom: view.getUint8(100),
    maxZoom: view.getUint8(101),
    west: degrees(102),
    south: degrees(106),
    east: degrees(110),
    north: degrees(114),
  };
}

const HEADER_BYTES = 127;
const MAGIC = 'PMTiles';
const VERSION = 3;
/** Mapbox Vector Tiles. */
const MVT = 1;
/** Nearly all tiles are made of its data, and its license wants the name. */
const OPEN_STREET_MAP = '© OpenStreetMap contributors';
