/** Whether a process may open as many files as it has connections. */

import { readFileLimit } from '../../file-limit.ts';

export function describeFileLimit(limit: number | null = readFileLimit()): string {
  if (limit === null) return 'cannot be read on this system';
  return limit < WANTED_FILES ? `${limit}, TOO FEW for 10,000 connections; set ulimit -n to ${WANTED_FILES} or more` : `${limit}`;
}

/** docs/operations.md#connections */
const WANTED_FILES = 10_240;
