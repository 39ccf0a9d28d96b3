/** The thread that writes one export. Started by `write-in-thread.ts` with `ExportThreadData`. */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { printWarnings } from '../log.ts';
import { readSearch } from '../search/index.ts';
import { type WriteOptions, type WrittenExport, writeExport } from './write-export.ts';

export interface ExportThreadData extends Omit<WriteOptions, 'snapshot' | 'onProgress'> {
  /** The other end of what was given to `Search.relay`. */
  search: MessagePort;
}

printWarnings();
const { search, ...options } = workerData as ExportThreadData;
const snapshot = (await readSearch(search)).current();
// Later snapshots are of no interest, and would be held in memory.
search.close();
const written: WrittenExport = writeExport({ ...options, snapshot });
parentPort?.postMessage(written);
