/** One file of an export while it is written: buffered, counted and hashed. Everything is synchronous: a thread of its own does it. */

import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportFile } from './model.ts';

export interface PartFile {
  bytes(): number;
  append(bytes: Uint8Array): void;
  /** Whole and on disk. `rows`: how many records are in it. */
  close(rows: number): ExportFile;
}

export function createPartFile(folder: string, name: string): PartFile {
  const file = openSync(join(folder, name), 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;

  function flush(): void {
    const all = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    hash.update(all);
    for (let at = 0; at < all.length; ) at += writeSync(file, all, at);
  }

  return {
    bytes: () => bytes,
    append(part) {
      bytes += part.length;
      waitingBytes += part.length;
      waiting.push(part);
      if (waitingBytes >= FLUSH_BYTES) flush();
    },
    close(rows) {
      flush();
      fsyncSync(file);
      closeSync(file);
      return { name, bytes, sha256: hash.digest('hex'), rows };
    },
  };
}

const FLUSH_BYTES = 1_048_576;
