/** What reading one answer may take. docs/providers.md explains each and is checked against this table. */

export const READER_LIMITS = {
  bodyBytes: 128 * 1024 * 1024,
  heapMb: 256,
  heapBodyBytes: 8 * 1024 * 1024,
  heapMbPerMb: 16,
  mostHeapMb: 2_048,
  timeMs: 2_000,
  timeMsPerMb: 1_000,
  mostTimeMs: 30_000,
  clockFactor: 15,
  listings: 50_000,
  textChars: 64 * 1024,
  textItems: 1_000,
  allChars: 128 * 1024 * 1024,
  nextRequests: 5_000,
  processes: 2,
  startMs: 30_000,
  idleMs: 10_000,
} as const;

export type ReaderLimits = { readonly [name in keyof typeof READER_LIMITS]: number };

/** A parsed document takes many times its bytes; beyond the first 8 MB each one more brings memory with it. */
export function heapFor(bytes: number, limits: ReaderLimits): number {
  const beyond = Math.max(0, bytes - limits.heapBodyBytes) / MB;
  return Math.min(limits.mostHeapMb, limits.heapMb + Math.ceil(beyond) * limits.heapMbPerMb);
}

/** Milliseconds of CPU. */
export function timeFor(bytes: number, limits: ReaderLimits): number {
  return Math.min(limits.mostTimeMs, limits.timeMs + Math.ceil((bytes / MB) * limits.timeMsPerMb));
}

const MB = 1024 * 1024;
