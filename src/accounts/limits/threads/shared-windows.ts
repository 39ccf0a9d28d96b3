/**
 * Rolling minutes of many networks in memory that all serving threads share. A network's window is in one bucket, which its name decides;
 * a bucket that is full gives the window that was used least recently to the newcomer.
 *
 *   bucket   [ lock | – | window | window | … ]      window   [ mark (2) | ring (6) | times … ]
 */

import { hash } from 'node:crypto';
import { RollingMinute } from '../rolling-minute.ts';
import { lock, unlock } from './lock.ts';
import { RING_STATE, SharedRing } from './shared-ring.ts';
import { SharedWords } from './shared-words.ts';

export interface WindowLimits {
  perMinute: number;
  maxWatched: number;
}

export const createWindowMemory = ({ perMinute, maxWatched }: WindowLimits): SharedArrayBuffer =>
  new SharedArrayBuffer(bucketsFor(maxWatched) * bucketWords(perMinute) * Int32Array.BYTES_PER_ELEMENT);

export interface SharedWindows {
  /** Nobody else changes the window of `name` until `release`; `now`: µs of a clock that all threads share. */
  take(name: string): RollingMinute;
  release(): void;
}

/** For one thread. `seed`: the same in all threads, and a secret: nobody can aim at the bucket of somebody else. */
export function openSharedWindows(memory: SharedArrayBuffer, limits: WindowLimits, seed: string): SharedWindows {
  const words = new SharedWords(memory);
  const ring = new SharedRing(words, words, null);
  const window = new RollingMinute(ring);
  const buckets = bucketsFor(limits.maxWatched);
  const size = windowWords(limits.perMinute);
  let bucket = 0;
  /** A flood comes from one network: its mark is worked out once. */
  let last = { name: '', mark: markOf(seed, '') };

  /** The window with this mark, or else the one to be given up. */
  function choose(high: number, low: number): { at: number; isKnown: boolean } {
    let oldest = { at: 0, newest: Number.POSITIVE_INFINITY };
    for (let at = bucket + BUCKET_HEAD; at < bucket + BUCKET_HEAD + WINDOWS * size; at += size) {
      if (words.ints[at] === high && words.ints[at + 1] === low) return { at, isKnown: true };
      ring.point(at + MARK);
      const newest = ring.isFree ? Number.NEGATIVE_INFINITY : ring.newest;
      if (newest < oldest.newest) oldest = { at, newest };
    }
    return { at: oldest.at, isKnown: false };
  }

  return {
    take(name) {
      if (last.name !== name) last = { name, mark: markOf(seed, name) };
      const { high, low, place } = last.mark;
      bucket = (place % buckets) * bucketWords(limits.perMinute);
      lock(words.ints, bucket);
      const { at, isKnown } = choose(high, low);
      ring.point(at + MARK);
      if (!isKnown) {
        words.ints[at] = high;
        words.ints[at + 1] = low;
        ring.begin(at + MARK + RING_STATE, limits.perMinute, Number.NEGATIVE_INFINITY);
      }
      return window;
    },
    release: () => unlock(words.ints, bucket),
  };
}

function markOf(seed: string, name: string): { high: number; low: number; place: number } {
  const digest = hash('sha256', seed + name, 'buffer');
  // Zero is what a window without a network has.
  return { high: digest.readInt32LE(0) | 1, low: digest.readInt32LE(4), place: digest.readUInt32LE(8) };
}

/** Names fall unevenly: with room for twice as many, a bucket of those that are watched hardly ever overflows. */
const bucketsFor = (maxWatched: number): number => Math.ceil((2 * maxWatched) / WINDOWS);
const windowWords = (perMinute: number): number => MARK + RING_STATE + perMinute + (perMinute % 2);
const bucketWords = (perMinute: number): number => BUCKET_HEAD + WINDOWS * windowWords(perMinute);

const WINDOWS = 32;
/** The lock, and a word that keeps the rest even. */
const BUCKET_HEAD = 2;
const MARK = 2;
