/** Memory of growing rings: each size has a list of those that are free. */

import { SMALLEST_RING } from '../ring.ts';
import { lock, unlock } from './lock.ts';
import type { RingSource } from './shared-ring.ts';
import type { SharedWords } from './shared-words.ts';

/** `memory`: of the rings alone. Its first words say what is free. */
export function createRingArena(memory: SharedWords): RingSource {
  return {
    allocate(capacity) {
      lock(memory.ints, LOCK);
      try {
        const list = listOf(capacity);
        const free = memory.ints[list] as number;
        if (free !== NONE) {
          memory.reach(free + 1);
          memory.ints[list] = memory.ints[free] as number;
          return free;
        }
        const start = Math.max(FIRST, memory.ints[END] as number);
        memory.grow(start + capacity);
        memory.ints[END] = start + capacity;
        return start;
      } finally {
        unlock(memory.ints, LOCK);
      }
    },

    free(start, capacity) {
      lock(memory.ints, LOCK);
      try {
        const list = listOf(capacity);
        memory.reach(start + capacity);
        memory.ints[start] = memory.ints[list] as number;
        memory.ints[list] = start;
      } finally {
        unlock(memory.ints, LOCK);
      }
    },
  };
}

/** Sizes are powers of two. */
const listOf = (capacity: number): number => LISTS + Math.log2(capacity / SMALLEST_RING);

const LOCK = 0;
const END = 1;
const LISTS = 2;
const NONE = 0;
/** Behind the lists of all sizes. */
const FIRST = 64;
