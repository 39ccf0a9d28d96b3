/** Files that can be made again, in a folder of bounded size: those that were used longest ago go first. */

import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { HOUR_MS } from '../values/duration.ts';

export interface DiskCache {
  /** Null where there is no such file. */
  read(name: string): Promise<Buffer | null>;
  /** A disk that takes nothing is logged: the bytes are served all the same. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** Nothing is read or made before the first call. Names are plain file names. */
export function createDiskCache(folder: string, maxBytes: number, log: Log): DiskCache {
  /** In the order of use, the oldest first. */
  const files = new Map<string, { bytes: number; touchedAt: number }>();
  let total = 0;
  let begun: Promise<void> | null = null;
  let written = 0;

  const begin = (): Promise<void> => {
    begun ??= list().catch((err: unknown) => log.error({ err }, 'cannot read the folder of pictures'));
    return begun;
  };

  async function list(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = await readdir(folder);
    const found = await Promise.all(names.map(async (name) => ({ name, ...(await sizeOf(join(folder, name))) })));
    for (const { name, bytes, usedAt } of found.sort((a, b) => a.usedAt - b.usedAt)) {
      // A write that was cut short.
      if (name.endsWith(UNFINISHED)) await rm(join(folder, name), { force: true });
      else note(name, bytes, usedAt);
    }
    await shrink();
  }

  function note(name: string, bytes: number, touchedAt: number): void {
    total += bytes - (files.get(name)?.bytes ?? 0);
    files.delete(name);
    files.set(name, { bytes, touchedAt });
  }

  function forget(name: string): void {
    total -= files.get(name)?.bytes ?? 0;
    files.delete(name);
  }

  async function shrink(): Promise<void> {
    while (total > maxBytes) {
      const [oldest] = files.keys();
      if (oldest === undefined) return;
      forget(oldest);
      await rm(join(folder, oldest), { force: true });
    }
  }

  return {
    async read(name) {
      await begin();
      const path = join(folder, name);
      const bytes = await readFile(path).catch(() => null);
      if (bytes === null) {
        forget(name);
        return null;
      }
      const now = Date.now();
      const touchedAt = files.get(name)?.touchedAt ?? 0;
      const isStale = now - touchedAt > HOUR_MS;
      note(name, bytes.length, isStale ? now : touchedAt);
      // So that the order of use outlives this process.
      if (isStale) await utimes(path, new Date(now), new Date(now)).catch(() => undefined);
      return bytes;
    },
    async write(name, bytes) {
      await begin();
      written += 1;
      const unfinished = join(folder, `${name}.${process.pid}-${written}${UNFINISHED}`);
      try {
        await writeFile(unfinished, bytes, { mode: 0o600 });
        await rename(unfinished, join(folder, name));
        note(name, bytes.length, Date.now());
        await shrink();
      } catch (err) {
        log.warn({ err }, 'cannot store a picture');
        await rm(unfinished, { force: true }).catch(() => undefined);
      }
    },
  };
}

async function sizeOf(path: string): Promise<{ bytes: number; usedAt: number }> {
  const { size = 0, mtimeMs = 0 } = (await stat(path).catch(() => null)) ?? {};
  return { bytes: size, usedAt: mtimeMs };
}

const UNFINISHED = '.part';
