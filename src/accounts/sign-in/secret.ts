/** The secret that signs sessions: the setting's, or one made once for the data folder. */

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { giveToOwner } from '../../store/index.ts';
import { ExpectedError } from '../../values/expected-error.ts';

/** A file in the place of the secret that cannot be one. The message is one sentence to print. */
export class SecretError extends ExpectedError {
  constructor(message: string) {
    super('bad_secret', message);
  }
}

/**
 * Processes that start together agree: whoever links its file first wins, and a file is whole before it has its name. Throws a
 * `SecretError` where the file holds less than a secret: with a new one every session and every pending sign-in would end unasked.
 */
export function readSecret(dataDir: string, setting: string | null): string {
  if (setting !== null) return setting;
  const file = join(dataDir, FILE);
  const found = readExisting(file);
  if (found !== null) return found;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = openSync(draft, 'wx', 0o600);
  writeSync(handle, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
  fsyncSync(handle);
  closeSync(handle);
  giveToOwner(draft);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readExisting(file) ?? readSecret(dataDir, setting);
}

/** As `readSecret`, but null where one would have to be made. */
export const findSecret = (dataDir: string, setting: string | null): string | null =>
  setting ?? readExisting(join(dataDir, FILE));

/** For messages: where the secret comes from. */
export const nameSecret = ({ dataDir, setting }: { dataDir: string; setting: string | null }): string =>
  setting === null ? `The file ${join(dataDir, FILE)}` : 'MARQUEE_SECRET';

/** Throws the `SecretError` that `readSecret` would throw; makes nothing. */
export function checkSecret(dataDir: string, setting: string | null): void {
  if (setting === null) readExisting(join(dataDir, FILE));
}

function readExisting(file: string): string | null {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    if (secret.length >= MIN_SECRET_CHARACTERS) return secret;
    throw new SecretError(
      `The file ${file} must hold a secret of ${MIN_SECRET_CHARACTERS} characters or more, but holds ${secret.length}: restore it from a backup, or remove it and run "marquee secret accept" to get a new one, which signs everybody out.`,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (error instanceof SecretError) throw error;
    throw new SecretError(`The file ${file} cannot be read (${code}): it holds the secret that signs sessions.`);
  }
}

const FILE = 'secret';
const SECRET_BYTES = 32;
/** As of `MARQUEE_SECRET`. */
const MIN_SECRET_CHARACTERS = 32;
