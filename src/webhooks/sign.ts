/** Signatures of Standard Webhooks: `v1` (HMAC-SHA256), and `v1a` (ed25519) on request. */

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signBytes,
} from 'node:crypto';
import { Webhook } from 'standardwebhooks';

export interface Signer {
  /** The value of `webhook-signature`: a signature for each secret, newest first. */
  sign(messageId: string, at: Date, body: string): string;
}

/** `secrets`: `whsec_…`, newest first. `keys`: private keys as `createKeyPair` gives them. */
export function createSigner(secrets: readonly string[], keys: readonly string[]): Signer {
  const hooks = secrets.map((secret) => new Webhook(secret));
  const privateKeys = keys.map(readPrivateKey);
  return {
    sign(messageId, at, body) {
      const signed = Buffer.from(`${messageId}.${Math.floor(at.getTime() / 1000)}.${body}`);
      return [
        ...hooks.map((hook) => hook.sign(messageId, at, body)),
        ...privateKeys.map((key) => `v1a,${signBytes(null, signed, key).toString('base64')}`),
      ].join(' ');
    },
  };
}

export const createSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** The private key, for `createSigner`. */
export function createKeyPair(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

/** `whpk_…`: the 32 bytes of the public key. */
export function publicKeyOf(privateKey: string): string {
  const spki = createPublicKey(readPrivateKey(privateKey)).export({ type: 'spki', format: 'der' });
  return `whpk_${spki.subarray(-PUBLIC_KEY_BYTES).toString('base64')}`;
}

function readPrivateKey(text: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(text, 'base64'), type: 'pkcs8', format: 'der' });
}

const SECRET_BYTES = 32;
const PUBLIC_KEY_BYTES = 32;
