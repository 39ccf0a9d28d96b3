/** SHA-256 sums as `sha256sum --check` reads them, and their Ed25519 signature as `openssl pkeyutl -verify` does. */

import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

export const formatChecksums = (files: readonly string[]): string =>
  files.map((file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`).join('');

/** Throws a sentence if the file is no private key for Ed25519. Its contents are never repeated. */
export function readSigningKey(path: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(readFileSync(path, 'utf8'));
  } catch {
    throw new Error(`${path} must be a private key (PEM); openssl genpkey -algorithm ed25519 makes one`);
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new Error(`${path} must be a key for ed25519, but is one for ${key.asymmetricKeyType}`);
}

export const signText = (text: string, key: KeyObject): Buffer => sign(null, Buffer.from(text), key);
