/** A directory of its own on the embedded engine, for measuring: sources are run by the code that serves, and all of it is removed. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addSource, importBundle, runSource, type SourceReport } from '../src/ingest/index.ts';
import { openReader } from '../src/providers/index.ts';
import { openStore, type Store } from '../src/store/index.ts';

export interface TemporaryDirectory {
  store: Store;
  /** Beside the data, for what sources read. */
  folder: string;
  /** Registers a source of a file with a mapping file. */
  add(name: string, source: { kind: string; file: string; mapping: string }): Promise<void>;
  /** `now` is in milliseconds. */
  run(name: string, now: number): Promise<SourceReport>;
  dispose(): Promise<void>;
}

/** With the city that `writeBundle` writes into a folder. Nothing is asked of the net. */
export async function openTemporaryDirectory(writeBundle: (folder: string) => void, now: number): Promise<TemporaryDirectory> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-quality-'));
  // How quick a machine is does not change what is read.
  const reader = openReader({ limits: { timeMs: PATIENCE_MS, mostTimeMs: PATIENCE_MS, startMs: PATIENCE_MS } });
  const store = await openStore({ dataDir: join(folder, 'data') });
  const dispose = async () => {
    await reader.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const bundle = join(folder, 'bundle');
  writeBundle(bundle);
  const { rejectedCount } = await importBundle({ store, folder: bundle, now: () => now });
  if (rejectedCount > 0) throw new Error(`the city was not taken whole: ${rejectedCount} rejects`);
  return {
    store,
    folder,
    async add(name, { kind, file, mapping }) {
      const added = await addSource({
        store,
        name,
        kind,
        location: file,
        mapping: JSON.parse(readFileSync(mapping, 'utf8')),
        now: () => now,
      });
      if (!added.ok) throw new Error(added.reason);
    },
    run: (name, at) =>
      runSource({
        store,
        name,
        now: () => at,
        read: reader.read,
        outbound: { fetch: () => Promise.reject(new Error('nothing is asked of the net')) },
      }),
    dispose,
  };
}

const PATIENCE_MS = 180_000;
