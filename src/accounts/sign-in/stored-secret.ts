/** The store knows its secret by a digest: with another one, a service could open nothing that was signed or sealed before. */

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Kysely } from 'kysely';
import type { Log } from '../../log.ts';
import type { Database } from '../../store/index.ts';
import { findSecret, nameSecret, readSecret, SecretError } from './secret.ts';

export interface StoredSecretOptions {
  db: Kysely<Database>;
  dataDir: string;
  /** `MARQUEE_SECRET`; null: the one of the data folder. */
  setting: string | null;
}

/**
 * A store without a digest takes that of the first secret. Throws a `SecretError` where it knows another one, or where the secret is
 * missing: a new one is not made for a store that knows one. `isReplica`: the store is a server, and this process may have a data folder of
 * its own; without a setting it goes on with the secret in there, and the log says what that breaks.
 */
export async function checkStoredSecret(options: StoredSecretOptions & { isReplica: boolean; log: Log }): Promise<void> {
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
export async function acceptSecret(options: StoredSecretOptions): Promise<boolean> {
  if ((await compareSecret(options)) === 'same') return false;
  await storeDigest(options, 'replace');
  return true;
}

async function compareSecret({ db, dataDir, setting }: StoredSecretOptions): Promise<'same' | 'other' | 'missing' | 'unknown'> {
  const stored = await db.selectFrom('secret_digest').select(['salt', 'digest']).executeTakeFirst();
  if (!stored) return 'unknown';
  const secret = findSecret(dataDir, setting);
  if (secret === null) return 'missing';
  return timingSafeEqual(await digestSecret(secret, stored.salt), stored.digest) ? 'same' : 'other';
}

async function storeDigest({ db, dataDir, setting }: StoredSecretOptions, onOther: 'keep' | 'replace' = 'keep'): Promise<void> {
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

const REFUSED =
  'so sessions, two-factor sign-in, webhooks and export links would fail. Start with the old secret, or run "marquee secret accept" to go on with another one, which says what it ends.';
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;
