/** The bytes that columns point into: rendered records, and the terms of each text in order. */

import { Arena } from '../structures/arena.ts';
import { isWasteful, moveBytes, moveSequences } from '../structures/compact.ts';
import type { EventRecordTable, VenueRecordTable } from './record-table.ts';

/** Replaced when they are compacted. Snapshots keep the old ones. */
export interface DirectoryArenas {
  json: Arena;
  sequences: Arena;
}

/** Leaves bytes behind that nothing points at, when they are more than half. Says whether anything has moved. */
export function compactArenas(
  arenas: DirectoryArenas,
  { columns: events }: EventRecordTable,
  { columns: venues }: VenueRecordTable,
): boolean {
  const { json, sequences } = arenas;
  if (isWasteful(json)) {
    arenas.json = new Arena();
    moveBytes(json, arenas.json, venues, (at, slot) => at.baseBytes[slot]! + at.metadataBytes[slot]! + at.otherNamesBytes[slot]!);
    moveBytes(json, arenas.json, events, (at, slot) => at.detailBytes[slot]! + at.extrasBytes[slot]!);
  }
  if (isWasteful(sequences)) {
    arenas.sequences = new Arena();
    moveSequences(sequences, arenas.sequences, venues);
    moveSequences(sequences, arenas.sequences, events);
  }
  return arenas.json !== json || arenas.sequences !== sequences;
}
