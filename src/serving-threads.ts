/** How many threads of a service accept connections, as the command line has it. */

import { availableParallelism } from 'node:os';
import { ExpectedError } from './values/expected-error.ts';

/** `auto`: all cores but one, which the other threads of the service share. */
export function readThreads(text: string, role: string, cores = availableParallelism()): number {
  const threads = text === 'auto' ? Math.max(1, cores - 1) : Number(/^\d{1,3}$/.test(text) ? text : Number.NaN);
  if (!(threads >= 1 && threads <= MAX_THREADS)) {
    throw new ExpectedError('bad_option', `--threads must be a whole number from 1 to ${MAX_THREADS}, or auto, but is "${text}"`);
  }
  if (role === 'worker' && text !== '1') {
    throw new ExpectedError('bad_option', '--threads is for roles that answer requests; a worker has no port');
  }
  return threads;
}

/** Each has a gate, and connections to the database. */
const MAX_THREADS = 64;
