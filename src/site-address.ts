/** Where a service is reached: it notes that in its data folder, for commands and people who need links to it. */

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Of several services on one folder the last one to start is noted. It stays noted when it ends: it may come back. */
export function noteAddress(dataDir: string, url: string): void {
  writeUrl(join(dataDir, FILE), url);
}

/** Writes a link that is a secret. */
export function writeUrl(file: string, url: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${url}\n`, { mode: 0o600 });
  // One of an earlier version may be read by others.
  chmodSync(file, 0o600);
}

/** Null where none has run. */
export function notedAddress(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, FILE), 'utf8').trim();
  } catch {
    return null;
  }
}

const FILE = 'address';
