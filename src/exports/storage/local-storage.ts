/** Files of exports in a folder of this machine. */

import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportStorage } from './storage.ts';

export function createLocalStorage(root: string): ExportStorage {
  const sizeOf = async (path: string): Promise<number | null> => {
    const found = await stat(path).catch(ignoreMissing);
    return found?.isFile() ? found.size : null;
  };
  return {
    isShared: false,
    sweepEveryMs: 0,
    async keep(folder, localFolder) {
      await mkdir(root, { recursive: true, mode: 0o700 });
      await rm(join(root, folder), { recursive: true, force: true });
      await rename(localFolder, join(root, folder));
    },
    async open(folder, name) {
      const path = join(root, folder, name);
      const bytes = await sizeOf(path);
      return bytes === null ? null : { bytes, read: async (range) => createReadStream(path, range) };
    },
    async fetch(folder, name) {
      const path = join(root, folder, name);
      return (await sizeOf(path)) === null ? null : { path, release: async () => {} };
    },
    async folders() {
      const entries = (await readdir(root, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    remove: (folder) => rm(join(root, folder), { recursive: true, force: true }),
  };
}

function ignoreMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return null;
}
