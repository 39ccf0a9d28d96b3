/** Typed arrays that several threads can read, and the honest weight of them for the garbage collector. */

import type { Wholes } from './whole.ts';

export const sharedUint8 = (length: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(length));
export const sharedUint16 = (length: number): Uint16Array => new Uint16Array(new SharedArrayBuffer(length * 2));
export const sharedUint32 = (length: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(length * 4));
export const sharedInt32 = (length: number): Int32Array => new Int32Array(new SharedArrayBuffer(length * 4));
export const sharedFloat64 = (length: number): Float64Array => new Float64Array(new SharedArrayBuffer(length * 8));
export const sharedWholes = (length: number): Wholes => sharedFloat64(length) as Wholes;

/** Bytes of all shared arrays within a plain value; arenas' chunks, which outlive it, are not counted. */
export function sharedBytes(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof SharedArrayBuffer ? value.byteLength : 0;
  if (value === null || typeof value !== 'object') return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + sharedBytes(part), 0);
}

/**
 * V8 does not count shared memory (`BackingStore::PerIsolateAccountingLength` is 0 for it), so a thread that drops one 30 MB
 * snapshot after another sees no reason to collect them and the process grows without bound. A weight is a plain buffer that
 * V8 counts and nobody touches: the system maps its pages lazily, so it costs address space and no memory. Whoever holds a
 * snapshot holds the weights of it, and lets go of both.
 */
export function createWeights(): (sharedBytesHeld: number) => ArrayBuffer[] {
  let owed = 0;
  return (bytes) => {
    owed += bytes;
    const weights = Array.from({ length: Math.floor(owed / WEIGHT_BYTES) }, () => new ArrayBuffer(WEIGHT_BYTES));
    owed -= weights.length * WEIGHT_BYTES;
    return weights;
  };
}

/** Above 32 MB glibc maps every allocation afresh (M_MMAP_THRESHOLD's upper bound); below, calloc may write the zeros itself. */
const WEIGHT_BYTES = 40 * 1024 * 1024;
