/** The operator's file of tiles, read in ranges. */

import { addProtocol } from 'maplibre-gl';
import { PMTiles, Protocol } from 'pmtiles';
import type { TileArchive } from './map-style.ts';

/** Null if it cannot be read: the map then has the neighborhoods as its base. */
export async function openTiles(url: string): Promise<TileArchive | null> {
  try {
    const archive = new PMTiles(url);
    const [{ minZoom, maxZoom }, metadata] = await Promise.all([archive.getHeader(), archive.getMetadata()]);
    const { vector_layers = [] } = metadata as { vector_layers?: { id: string }[] };
    if (!isRegistered) addProtocol('pmtiles', protocol.tile);
    isRegistered = true;
    protocol.add(archive);
    return { url: `pmtiles://${url}/{z}/{x}/{y}`, minZoom, maxZoom, layers: vector_layers.map(({ id }) => id) };
  } catch {
    return null;
  }
}

const protocol = new Protocol();
let isRegistered = false;
