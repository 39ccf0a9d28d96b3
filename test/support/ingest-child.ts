/** A run in another process, to be killed: it is told a data folder and the name of a source, and says each step of writing. */

import { runSource } from '../../src/ingest/index.ts';
import { openStore } from '../../src/store/index.ts';
import { now } from './bundle.ts';
import { READING } from './sources.ts';

const [dataDir = '', name = ''] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
const store = await openStore({ dataDir });
await runSource({
  ...{ store, name, now, ...READING },
  onProgress: ({ step, done }) => process.send?.({ step, done }),
});
await store.close();
process.exit();
