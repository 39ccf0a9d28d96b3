/** How many connections the operating system lets this process hold: each is an open file. */

import { readFileSync } from 'node:fs';

/** At most `wanted`. Where the limit cannot be read (it is in `/proc` on Linux), `wanted`. */
export function connectionsWithin(wanted: number, limits: string = readLimits()): number {
  const [, files] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  if (files === undefined) return wanted;
  return Math.min(wanted, Math.max(MIN_CONNECTIONS, Number(files) - OTHER_FILES));
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

/** Threads, the database's files and connections, logs: about 40 at the start, 100 with pages; runs of sources need more. */
const OTHER_FILES = 192;
/** Enough to be asked how it is. */
const MIN_CONNECTIONS = 4;
