// One engine is enough: nothing here needs a database.
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import { createDatabaseWaits } from '../../src/web/server/serving/database-away.ts';

const PATIENCE_MS = 20;
/** Answers, and then lets the one who waits go on. */
const ANSWER = `const { parentPort, workerData } = require('node:worker_threads');
  parentPort.postMessage('answer');
  Atomics.store(workerData, 0, 1);
  Atomics.notify(workerData, 0);`;

test('an answer that came while the process stood still is no silence of the database', async () => {
  const waits = createDatabaseWaits(createLog('silent'), PATIENCE_MS);
  const trouble = { isAway: false };
  const isAnswered = new Int32Array(new SharedArrayBuffer(4));
  // From here on timers come before what was sent.
  await nextTurn();
  const worker = new Worker(ANSWER, { eval: true, workerData: isAnswered });
  const waiting = waits.noteTrouble(trouble, () => waits.waitFor(once(worker, 'message')));
  Atomics.wait(isAnswered, 0, 0);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 * PATIENCE_MS);
  expect(await waiting).toEqual(['answer']);
  expect(trouble.isAway).toBe(false);
  await worker.terminate();
});

test('silence is one', async () => {
  const waits = createDatabaseWaits(createLog('silent'), PATIENCE_MS);
  const trouble = { isAway: false };
  const waiting = waits.noteTrouble(trouble, () => waits.waitFor(new Promise(() => undefined)));
  await expect(waiting).rejects.toMatchObject({ code: 'database_silent' });
  expect(trouble.isAway).toBe(true);
});
