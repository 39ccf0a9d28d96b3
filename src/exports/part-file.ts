/** One file of an export while it is written: buffered, counted and hashed. Everything is synchronous: a thread of its own does it. */

import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportFile } from './model.ts';

export interface PartFile {
  bytes(): number;
  /** Keeps a copy. */
  append(bytes: Uint8Array): void;
  /** Whole and on disk. `rows`: how many records are in it. */
  close(rows: number): ExportFile;
}

export function createPartFile(folder: string, name: string): PartFile {
  const file = openSync(join(folder, name), 'wx', 0o600);
  const hash = createHash('sha256');
  const waiting = Buffer.allocUnsafeSlow(FLUSH_BYTES);
  let bytes = 0;
  let waitingBytes = 0;

  function write(part: Uint8Array): void {
    hash.update(part);
    for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
  }

  function flush(): void {
    write(waiting.subarray(0, waitingBytes));
    waitingBytes = 0;
  }

  return {
    bytes: () => bytes,
    append(part) {
      bytes += part.length;
      if (waitingBytes + part.length > FLUSH_BYTES) flush();
      if (part.length > FLUSH_BYTES) return write(part);
      waiting.set(part, waitingBytes);
      waitingBytes += part.length;
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
