/** The header of a PMTiles archive, version 3 (PMTiles specification v3, §3). */

export interface PmtilesHeader {
  minZoom: number;
  maxZoom: number;
  /** Degrees. */
  west: number;
  south: number;
  east: number;
  north: number;
  isVector: boolean;
}

/** Null if it is none. */
export function parsePmtilesHeader(bytes: Uint8Array): PmtilesHeader | null {
  if (bytes.length < PMTILES_HEADER_BYTES) return null;
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

export const PMTILES_HEADER_BYTES = 127;
const MAGIC = 'PMTiles';
const VERSION = 3;
/** Mapbox Vector Tiles. */
const MVT = 1;
