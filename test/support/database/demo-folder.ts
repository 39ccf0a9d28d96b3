/** A data folder with the demo city in it: loaded once in a run for each clock, copied for each site. */

import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDemo } from '../../../src/commands/index.ts';
import { readConfig } from '../../../src/config.ts';
import { createContext } from '../../../src/context.ts';
import { createLog } from '../../../src/log.ts';
import { openStore } from '../../../src/store/index.ts';
import { copyDataFolder, readTree, runFolder, temporaryFolder, writeTree } from './store.ts';

/** `now`: the `MARQUEE_NOW` of what will run there; real time unless given. */
export async function copyDemoFolder(now = ''): Promise<{ folder: string; remove(): void }> {
  const demo = loaded.get(now) ?? readTree(await demoFolder(now));
  loaded.set(now, demo);
  const { folder, remove } = temporaryFolder();
  writeTree(demo, folder);
  return { folder, remove };
}

const loaded = new Map<string, ReadonlyMap<string, Buffer | undefined>>();

/** Two processes may make one at once: the first to finish gives the name. */
async function demoFolder(now: string): Promise<string> {
  const finished = join(runFolder(), `demo-city-${now}`);
  if (existsSync(finished)) return finished;
  const { options } = await copyDataFolder();
  const config = readConfig({ MARQUEE_DATA_DIR: options.dataDir, MARQUEE_NOW: now });
  const nobody = { write: () => true } as unknown as NodeJS.WriteStream;
  const store = await openStore(options);
  await ensureDemo(createContext(config, createLog('silent'), { out: nobody, err: nobody }), store);
  await store.close();
  try {
    renameSync(options.dataDir, finished);
  } catch {
    return existsSync(finished) ? finished : options.dataDir;
  }
  return finished;
}
