/** The builder's thread. Started by URL with `BuilderWorkerData`; talks in `BuilderReport`s and `BuilderOrder`s. */

import { parentPort, workerData } from 'node:worker_threads';
import { createClocks } from '../clock.ts';
import { connectStore, type StoreAddress } from '../store/index.ts';
import { createBuilder } from './builder.ts';

export interface BuilderWorkerData {
  address: StoreAddress;
  file: string | undefined;
  publicUrl: string;
  nowSetting: string | undefined;
}
export type BuilderOrder = 'look' | 'stop';

const { address, file, publicUrl, nowSetting } = workerData as BuilderWorkerData;
const connection = connectStore(address);
const builder = createBuilder({
  db: connection.db,
  lookout: connection.createLookout(),
  file,
  publicUrl,
  now: createClocks(nowSetting).directory,
  report: (report) => parentPort?.postMessage(report),
});
parentPort?.on('message', (order: BuilderOrder) => builder[order]());
try {
  await builder.run();
} finally {
  await connection.close();
  parentPort?.close();
}
