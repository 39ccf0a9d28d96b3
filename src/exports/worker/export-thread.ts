/** The thread that writes one export. Started by `write-job.ts` with `ExportThreadData`. */

import { getPriority, setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { printWarnings } from '../../log.ts';
import { readSearch } from '../../search/index.ts';
import { type WriteOptions, type WrittenExport, writeExport } from '../write-export.ts';

export interface ExportThreadData extends Omit<WriteOptions, 'snapshot' | 'onProgress'> {
  /** The other end of what was given to `Search.relay`. */
  search: MessagePort;
}

/** The system takes higher numbers for lower priorities. */
const LOWEST_PRIORITY = 19;
const NICENESS = 10;

printWarnings();
yieldToRequests();
const { search, ...options } = workerData as ExportThreadData;
const snapshot = (await readSearch(search)).current();
// Later snapshots are of no interest, and would be held in memory.
search.close();
const written: WrittenExport = writeExport({ ...options, snapshot });
parentPort?.postMessage(written);

/** Where processors are few, requests go first. On Linux a priority is that of the calling thread; elsewhere it is that of the whole process. */
function yieldToRequests(): void {
  if (process.platform === 'linux') setPriority(Math.min(LOWEST_PRIORITY, getPriority() + NICENESS));
}
