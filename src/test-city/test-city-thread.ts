/** The thread that builds the test city. Started with `TestCityThreadData`; sends one snapshot. */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { printWarnings } from '../log.ts';
import { buildSearch } from '../search/index.ts';
import { testCityRows } from './rows.ts';

export interface TestCityThreadData {
  /** Without a trailing slash. */
  publicUrl: string;
  /** The first instant of the week's Monday, milliseconds. */
  startOfWeek: number;
  into: MessagePort;
}

printWarnings();
const { publicUrl, startOfWeek, into } = workerData as TestCityThreadData;
buildSearch(testCityRows(startOfWeek, publicUrl), startOfWeek, `${publicUrl}/test-city`).relay(into);
// Ended by whoever has taken the snapshot.
parentPort?.once('message', () => {});
