/** The key pair that signs manifests. It follows from the secret of the service, so that all replicas and a restored backup sign alike. */

import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';
import type { ManifestSignature } from './model.ts';

export interface SigningKey {
  /** For `/.well-known/marquee-export-key`. */
  published: { algorithm: 'ed25519'; keyId: string /** 32 bytes in Base64. */; publicKey: string; pem: string };
  sign(text: string): ManifestSignature;
}

/** `secret`: as `readSecret` gives it. */
export function createSigningKey(secret: string): SigningKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'marquee export manifest', 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const keyId = createHash('sha256').update(raw).digest('hex').slice(0, 16);
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  return {
    published: { algorithm: 'ed25519', keyId, publicKey: raw.toString('base64'), pem },
    sign: (text) => ({ algorithm: 'ed25519', keyId, value: sign(null, Buffer.from(text), privateKey).toString('base64') }),
  };
}

/** RFC 8410 §7: what stands before the 32 bytes of an Ed25519 key. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
