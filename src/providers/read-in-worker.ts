/** The reader that the whole process shares. It starts no process before the first answer, and keeps none that has nothing to do. */

import { openReader, type Reader } from './open-reader.ts';

/** See `Reader.read`. */
export const readInWorker: Reader['read'] = openReader().read;
