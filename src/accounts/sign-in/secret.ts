/**
 * The secret that signs sessions: the setting's, or one made once for the data folder. The store knows its secret by a digest: with another
 * one, a service could open nothing that was signed or sealed before.
 */

import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Kysely } from 'kysely';
import type { Log } from '../../log.ts';
import { type Database, giveToOwner } from '../../store/index.ts';
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
const nameSecret = ({ dataDir, setting }: { dataDir: string; setting: string | null }): string =>
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

/** `setting`: `MARQUEE_SECRET`; null: the one of the data folder. */
interface SecretPlace {
  db: Kysely<Database>;
  dataDir: string;
  setting: string | null;
}

/**
 * A store without a digest takes that of the first secret. Throws a `SecretError` where it knows another one, or where the secret is
 * missing: a new one is not made for a store that knows one. `isReplica`: the store is a server, and this process may have a data folder of
 * its own; without a setting it goes on with the secret in there, and the log says what that breaks.
 */
export async function checkStoredSecret(options: SecretPlace & { isReplica: boolean; log: Log }): Promise<void> {
  const state = await compareSecret(options);
  // Its own secret must not become the one that the processes with the setting are measured by.
  if (state === 'unknown' && options.isReplica && options.setting === null) return;
  if (state === 'unknown') await storeDigest(options);
  // Another process may have been first.
  const found = state === 'unknown' ? await compareSecret(options) : state;
  if (found !== 'missing' && found !== 'other') return;
  const what = `${nameSecret(options)} is ${found === 'missing' ? 'missing' : 'not the secret of this database'}`;
  if (!options.isReplica || options.setting !== null) throw new SecretError(`${what}, ${REFUSED}`);
  options.log.error(
    `${what}: set the same MARQUEE_SECRET for all processes, or sessions, two-factor sign-in, webhooks and export links fail`,
  );
}

/** From now on the store knows this secret, made if there is none. False: it knows it already. */
export async function acceptSecret(options: SecretPlace): Promise<boolean> {
  if ((await compareSecret(options)) === 'same') return false;
  await storeDigest(options, 'replace');
  return true;
}

async function compareSecret({ db, dataDir, setting }: SecretPlace): Promise<'same' | 'other' | 'missing' | 'unknown'> {
  const stored = await db.selectFrom('secret_digest').select(['salt', 'digest']).executeTakeFirst();
  if (!stored) return 'unknown';
  const secret = findSecret(dataDir, setting);
  if (secret === null) return 'missing';
  return timingSafeEqual(await digestSecret(secret, stored.salt), stored.digest) ? 'same' : 'other';
}

async function storeDigest({ db, dataDir, setting }: SecretPlace, onOther: 'keep' | 'replace' = 'keep'): Promise<void> {
  const salt = randomBytes(SALT_BYTES);
  const digest = await digestSecret(readSecret(dataDir, setting), salt);
  await db
    .insertInto('secret_digest')
    .values({ salt, digest })
    .onConflict((conflict) => {
      const row = conflict.column('only_row');
      return onOther === 'replace' ? row.doUpdateSet({ salt, digest }) : row.doNothing();
    })
    .execute();
}

/** Slow on purpose (RFC 7914): a secret that somebody made up must not be found by trying. */
const digestSecret = (secret: string, salt: Buffer): Promise<Buffer> =>
  promisify(scrypt)(secret, salt, DIGEST_BYTES) as Promise<Buffer>;

/** Says that something is of `id` without naming it, and cannot be made without the secret. */
export function bindingOf(secret: string, purpose: string, id: string): string {
  return createHmac('sha256', secret).update(`${purpose}\0${id}`).digest('base64url');
}

const FILE = 'secret';
const SECRET_BYTES = 32;
/** As of `MARQUEE_SECRET`. */
const MIN_SECRET_CHARACTERS = 32;
const REFUSED =
  'so sessions, two-factor sign-in, webhooks and export links would fail. Start with the old secret, or run "marquee secret accept" to go on with another one, which says what it ends.';
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;
