/** How many connections the operating system lets this process hold: each is an open file. */

import { readFileLimit } from '../../file-limit.ts';

/** At most `wanted`, and fewer where the limit of open files is low. */
export function connectionsWithin(wanted: number, fileLimit: number | null = readFileLimit()): number {
  if (fileLimit === null) return wanted;
  return Math.min(wanted, Math.max(MIN_CONNECTIONS, fileLimit - OTHER_FILES));
}

/** Threads, the database's files and connections, logs: about 60 at the start, 170 with pages; runs of sources need more. */
const OTHER_FILES = 192;
/** Enough to be asked how it is. */
const MIN_CONNECTIONS = 4;
