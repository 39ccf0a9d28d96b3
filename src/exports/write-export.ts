/** All files of one export, from one snapshot. Synchronous from the first to the last byte: nothing can come between. */

import { join } from 'node:path';
import type { Neighborhood } from '../records/index.ts';
import type { Snapshot } from '../search/index.ts';
import {
  type CurrentRecords,
  compareRecords,
  currentRecords,
  type ItemDifference,
  readKnownRecords,
  writeKnownRecords,
} from './known-records.ts';
import type { ExportContent, ExportFile } from './model.ts';
import { createPartFile } from './part-file.ts';
import { writeParts } from './write-parts.ts';

export interface WriteOptions {
  snapshot: Snapshot;
  content: ExportContent;
  /** Directory time, milliseconds: what `upcomingEventCount` counts from. */
  now: number;
  /** Is there and empty. */
  folder: string;
  /** `KNOWN_RECORDS_FILE` of the export that this one follows; null: a full export. */
  previous: string | null;
  /** Of the city, for a full export of everything. */
  neighborhoods: readonly Neighborhood[];
  maxPartBytes?: number;
  onProgress?(rows: number): void;
}

export interface WrittenExport {
  files: ExportFile[];
  deleted: string[];
  /** False where it holds only what differs from the previous export. */
  isFull: boolean;
}

export function writeExport(options: WriteOptions): WrittenExport {
  const { snapshot, content, now, folder, previous, neighborhoods, maxPartBytes = MAX_PART_BYTES, onProgress } = options;
  const chosen = content.filter ? chooseEvents(snapshot, content) : null;
  const events = currentRecords(snapshot, 'event', content, chosen);
  const venues = content.filter ? null : currentRecords(snapshot, 'venue', content, null);
  const difference = previous === null ? null : compareWith(previous, events, venues);
  let rows = 0;
  const onRows = (more: number) => {
    rows += more;
    onProgress?.(rows);
  };
  const parts = { snapshot, content, now, folder, maxPartBytes, onRows };
  const files: ExportFile[] = [];
  if (venues && !difference) files.push(writeNeighborhoods(folder, neighborhoods));
  if (venues) files.push(...writeParts({ ...parts, kind: 'venue', items: difference?.venues.changed ?? allItems(venues) }));
  files.push(...writeParts({ ...parts, kind: 'event', items: difference?.events.changed ?? chosen ?? allItems(events) }));
  writeKnownRecords(join(folder, KNOWN_RECORDS_FILE), { event: events, venue: venues });
  const deleted = difference ? [...difference.venues.deleted, ...difference.events.deleted] : [];
  return { files, deleted, isFull: difference === null };
}

/** As bundles have them. */
function writeNeighborhoods(folder: string, neighborhoods: readonly Neighborhood[]): ExportFile {
  const features = neighborhoods.map(({ slug, name, description, geometry }) => ({
    type: 'Feature',
    geometry,
    properties: { slug, name, description },
  }));
  const file = createPartFile(folder, NEIGHBORHOODS_FILE);
  file.append(Buffer.from(`${JSON.stringify({ type: 'FeatureCollection', features })}\n`));
  return file.close(features.length);
}

/** In the order that the query asks for. */
export function chooseEvents(snapshot: Snapshot, { filter }: Pick<ExportContent, 'filter'>): readonly number[] {
  if (!filter) return [];
  return snapshot.events({ ...filter, limit: snapshot.counts.events, offset: 0 }).items;
}

const allItems = ({ list }: CurrentRecords): number[] => Array.from({ length: list.count }, (_, n) => list.item(n));

/** Null where nothing can be compared, or where too much is gone to be listed: then the export is full. */
function compareWith(
  previous: string,
  events: CurrentRecords,
  venues: CurrentRecords | null,
): { events: ItemDifference; venues: ItemDifference } | null {
  const known = readKnownRecords(previous);
  if (!known) return null;
  const difference = {
    events: compareRecords(known.event, events),
    venues: venues ? compareRecords(known.venue, venues) : { changed: [], deleted: [] },
  };
  return difference.events.deleted.length + difference.venues.deleted.length > MAX_DELETED ? null : difference;
}

/** Not for customers: what the next increment is compared with. */
export const KNOWN_RECORDS_FILE = 'records.bin';
/** Decisions: parts of at most 64 MB. */
export const MAX_PART_BYTES = 64_000_000;
/** Ids that a manifest lists; 4 MB of them. */
const MAX_DELETED = 100_000;
export const NEIGHBORHOODS_FILE = 'neighborhoods.geojson';
