/** Where a service is reached: it notes that in its data folder, for the commands that print links to it. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Of several services on one folder the last one to start is noted. It stays noted when it ends: it may come back. */
export function noteAddress(dataDir: string, url: string): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, FILE), `${url}\n`);
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
