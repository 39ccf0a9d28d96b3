/** The secret that signs sessions: the setting's, or one made once for the data folder. */

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Processes that start together agree: whoever links its file first wins, and a file is whole before it has its name. */
export function readSecret(dataDir: string, setting: string | null): string {
  if (setting !== null) return setting;
  const file = join(dataDir, FILE);
  const found = readExisting(file);
  if (found) return found;
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = openSync(draft, 'wx', 0o600);
  writeSync(handle, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
  fsyncSync(handle);
  closeSync(handle);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(file, 'utf8').trim();
}

function readExisting(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const FILE = 'secret';
const SECRET_BYTES = 32;
