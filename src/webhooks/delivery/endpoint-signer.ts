/** Signs what is sent to an endpoint: its messages and its challenge. */

import type { Seal } from '../seal.ts';
import { createSigner, type Signer } from '../sign.ts';

/** As the database has them. Those before a rotation sign until `previousUntil`, milliseconds, too. */
export interface SealedSecrets {
  secret: Buffer;
  signingKey: Buffer | null;
  previousSecret: Buffer | null;
  previousSigningKey: Buffer | null;
  previousUntil: number | null;
}

export interface SecretColumns {
  secret: Buffer;
  signing_key: Buffer | null;
  previous_secret: Buffer | null;
  previous_signing_key: Buffer | null;
  previous_until: Date | null;
}

export const toSealedSecrets = (row: SecretColumns): SealedSecrets => ({
  secret: row.secret,
  signingKey: row.signing_key,
  previousSecret: row.previous_secret,
  previousSigningKey: row.previous_signing_key,
  previousUntil: row.previous_until?.getTime() ?? null,
});

export function signerFor(endpoint: SealedSecrets & { id: string }, seal: Seal, now: number): Signer {
  const { id, secret, signingKey, previousSecret, previousSigningKey, previousUntil } = endpoint;
  const isDouble = previousUntil !== null && previousUntil > now;
  const opened = (values: readonly (Buffer | null)[]) => values.flatMap((value) => (value ? seal.open(value, id) : []));
  return createSigner(
    opened([secret, isDouble ? previousSecret : null]),
    opened([signingKey, isDouble ? previousSigningKey : null]),
  );
}
