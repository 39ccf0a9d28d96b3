/** The builder's thread. Started by URL with `BuilderWorkerData`; talks in `BuilderReport`s and `BuilderOrder`s. */

import { parentPort, workerData } from 'node:worker_threads';
import { createClocks } from '../../clock.ts';
import { printWarnings } from '../../log.ts';
import { connectStore, type StoreAddress } from '../../store/index.ts';
import { type Builder, createBuilder } from './builder.ts';
import { readSnapshot } from './snapshot-file.ts';

export interface BuilderWorkerData {
  file: string | undefined;
  publicUrl: string;
  nowSetting: string | undefined;
}
/** The address of the store comes once, when there is one. */
export type BuilderOrder = StoreAddress | 'look' | 'stop';

printWarnings();
const { file, publicUrl, nowSetting } = workerData as BuilderWorkerData;
const store = Promise.withResolvers<StoreAddress>();
const builder = Promise.withResolvers<Builder>();
parentPort?.on('message', (order: BuilderOrder) => {
  if (typeof order === 'object') store.resolve(order);
  else void builder.promise.then((built) => built[order]());
});
// Read while the store is opened. What is wrong with it, the builder says when it wants it; held no longer than that, for it is large.
let reading = file === undefined ? null : readSnapshot(file, publicUrl);
reading?.catch(() => {});

const connection = connectStore(await store.promise);
const built = createBuilder({
  db: connection.db,
  commitWatcher: connection.createCommitWatcher(),
  file,
  readSaved() {
    const read = reading;
    reading = null;
    return read;
  },
  publicUrl,
  now: createClocks(nowSetting).directory,
  report: (report) => parentPort?.postMessage(report),
});
builder.resolve(built);
try {
  await built.run();
} finally {
  await connection.close();
  parentPort?.close();
}
