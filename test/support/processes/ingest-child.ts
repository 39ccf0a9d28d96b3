/**
 * A run in another process, to be killed or paused: it is told a data folder and the name of a source, and says each step of writing. With
 * `pause` it stops itself (SIGSTOP) after its first batch, between two transactions. It says why it failed.
 */

import { runSource } from '../../../src/ingest/index.ts';
import { openStore } from '../../../src/store/index.ts';
import { now } from '../records/bundle.ts';
import { READING } from '../rigs/sources.ts';

const [dataDir = '', name = '', pauses] = process.argv.slice(2);
let isPaused = false;
process.on('disconnect', () => process.exit());
const store = await openStore({ dataDir });
try {
  await runSource({
    store,
    name,
    now,
    ...READING,
    onProgress({ step, done }) {
      process.send?.({ step, done });
      if (pauses !== 'pause' || isPaused || step !== 'writing' || done === 0) return;
      isPaused = true;
      process.kill(process.pid, 'SIGSTOP');
    },
  });
} catch (error) {
  if (pauses !== 'pause') throw error;
  const { code, message } = error as { code?: string; message: string };
  await new Promise((resolve) => process.send?.({ failed: code ?? message }, resolve));
}
await store.close();
process.exit();
