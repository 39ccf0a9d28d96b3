/** The secret in the URL of a feed or of an export: 256 random bits as 43 characters. It is shown once; the store has its digest. */

import { hash, randomBytes } from 'node:crypto';

export interface NewToken {
  token: string;
  digest: Buffer;
  last4: string;
}

export function createToken(random: (size: number) => Uint8Array = randomBytes): NewToken {
  const token = Buffer.from(random(TOKEN_BYTES)).toString('base64url');
  return { token, digest: digestOf(token), last4: token.slice(-4) };
}

export const isToken = (text: string): boolean => TOKEN.test(text);
export const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer');

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
