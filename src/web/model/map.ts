/** What a map shows, drawn or live, and where its base comes from. */

import type { Category } from '../../records/index.ts';

/** A record at its place. */
export interface MapRecord {
  id: string;
  latitude: number;
  longitude: number;
  /** As its source wrote it. */
  title: string;
  /** Its page. */
  href: string;
  /** A line below the title: when and where. */
  note?: string;
  /** Decides the color of the mark. */
  category?: Category;
}

/** The map of one place. */
export interface RecordMap {
  latitude: number;
  longitude: number;
  /** Null while the surroundings cannot be read. */
  preview: DrawnMap | null;
}

export interface MapSettings {
  /** Where the tiles are; null: the neighborhoods are the base. */
  tiles: string | null;
  /** Who made the tiles' data. */
  attribution: string | null;
}

export const TILES_PATH = '/map/tiles.pmtiles';
export const AREAS_PATH = '/map/areas.json';

export interface MapPlace {
  letter: string;
  latitude: number;
  longitude: number;
}

export interface DrawnMap {
  width: number;
  height: number;
  areas: { name: string; path: string }[];
  labels: { x: number; y: number; text: string }[];
  marks: { letter: string; x: number; y: number }[];
  /** A line of known length. */
  scale: { width: number; text: string };
  /** What a reader who does not see it should know. */
  says: string;
}
