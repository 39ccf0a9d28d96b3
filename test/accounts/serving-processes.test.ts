/** Both engines: processes take turns on rows that each holds for a while. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openServingProcesses } from '../../src/accounts/access/serving-processes.ts';
import { createLog } from '../../src/log.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';

let rig: TestStore;
beforeAll(async () => {
  rig = await openTestStore();
});
afterAll(() => rig?.dispose());

it('processes know how many they are and have places of their own; the others move up when one signs off', async () => {
  const open = () => openServingProcesses(rig.store.db, createLog('silent'), true, 20);
  const processes = [await open(), await open(), await open()];
  const read = () => processes.map((process) => process.read());
  await expect.poll(read).toEqual([0, 1, 2].map((place) => ({ count: 3, place })));
  await processes.shift()?.close();
  // What the one that ended has admitted still counts for a minute, and so does it.
  await expect.poll(read).toEqual([0, 1].map((place) => ({ count: 3, place })));
  for (const process of processes) await process.close();
});

it('a store that takes the first sign of life only when it is asked again refuses no start', async () => {
  const failures = [new Error('terminating connection'), new Error('Connection terminated')];
  const db = rig.store.db.withPlugin({
    transformQuery({ node }) {
      const failure = failures.pop();
      if (failure) throw failure;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const process = await openServingProcesses(db, createLog('silent'), false);
  expect([failures, process.read()]).toEqual([[], expect.objectContaining({ place: 0 })]);
  await process.close();
});
