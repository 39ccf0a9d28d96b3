/** Moving what is still pointed at from one arena to a fresh one. */

import type { Arena } from './arena.ts';

export interface BytesColumns {
  chunk: Uint32Array;
  offset: Uint32Array;
}
export interface SequenceColumns {
  sequenceChunk: Uint32Array;
  sequenceOffset: Uint32Array;
  sequenceTerms: Uint32Array;
}

/** More than half of it is garbage, and it is large enough to be worth the walk. */
export const isWasteful = (arena: Arena): boolean => arena.garbage * 2 > arena.size && arena.size > WORTH_COMPACTING;

export function moveBytes<C extends BytesColumns>(
  from: Arena,
  to: Arena,
  { at, count }: { at: C; count: number },
  bytesOf: (at: C, slot: number) => number,
): void {
  for (let slot = 0; slot < count; slot += 1) {
    const bytes = bytesOf(at, slot);
    if (bytes === 0) continue;
    const place = to.appendFrom(from, at.chunk[slot]!, at.offset[slot]!, bytes);
    at.chunk[slot] = place.chunk;
    at.offset[slot] = place.offset;
  }
}

export function moveSequences(from: Arena, to: Arena, { at, count }: { at: SequenceColumns; count: number }): void {
  for (let slot = 0; slot < count; slot += 1) {
    if (at.sequenceTerms[slot] === 0) continue;
    const bytes = at.sequenceTerms[slot]! * Uint32Array.BYTES_PER_ELEMENT;
    const place = to.appendFrom(from, at.sequenceChunk[slot]!, at.sequenceOffset[slot]!, bytes);
    at.sequenceChunk[slot] = place.chunk;
    at.sequenceOffset[slot] = place.offset;
  }
}

const WORTH_COMPACTING = 1024 * 1024;
