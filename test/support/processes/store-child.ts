/**
 * Another process on the same store, for tests of sharing and of sudden ends. It opens the store it is told in its argument, says
 * `{ open }`, then does what its messages ask; `write` appends to the list of changes until it is told to stop or killed, and says
 * `{ acknowledged }` after each commit.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { openStore, type StoreOptions } from '../../../src/store/index.ts';
import { appendInTransaction } from '../database/list-writer.ts';

export type ChildMessage =
  | { kind: 'owns' }
  | { kind: 'write'; writers: number; seed: number }
  | { kind: 'stop' }
  | { kind: 'close' };
export type ChildReport =
  | { kind: 'open'; owns: boolean }
  | { kind: 'failed'; message: string }
  | { kind: 'owns'; owns: boolean }
  | { kind: 'acknowledged'; ids: string[]; first: number }
  | { kind: 'stopped' };

const options = JSON.parse(process.argv[2] ?? '{}') as StoreOptions;
const say = (report: ChildReport) => process.send?.(report);
let stopping = false;

// It must not outlive the test that started it.
process.on('disconnect', () => process.exit());
const opening = openStore(options);
process.on('message', async (message: ChildMessage) => {
  const store = await opening;
  if (message.kind === 'owns') say({ kind: 'owns', owns: store.ownsEngine() });
  if (message.kind === 'stop') stopping = true;
  if (message.kind === 'close') {
    await store.close();
    process.exit();
  }
  if (message.kind === 'write') {
    await Promise.all(
      Array.from({ length: message.writers }, async (_, writer) => {
        for (let turn = 0; !stopping; turn++) {
          // A commit under way when the engine goes is not acknowledged; that is all.
          const written = await appendInTransaction(store, message.seed + writer * 7919 + turn).catch(() => undefined);
          if (written) say({ kind: 'acknowledged', ...written });
          await nextTurn();
        }
      }),
    );
    say({ kind: 'stopped' });
  }
});
try {
  const store = await opening;
  say({ kind: 'open', owns: store.ownsEngine() });
} catch (error) {
  process.send?.({ kind: 'failed', message: (error as Error).message }, () => process.exit(1));
}
