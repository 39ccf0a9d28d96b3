/** What opens the files of an export without a key: an address that is signed for ten minutes, or the secret token of a link. */

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export interface UrlSigner {
  /** The address of a file, without host: `/exports/<access>/<id>/<name>`. */
  pathOf(id: string, name: string, now: number): string;
  /** What stands in place of `<access>`. */
  check(access: string, id: string, now: number): 'valid' | 'expired' | 'invalid';
}

/** `secret`: as `readSecret` gives it, so that all replicas agree. Times in milliseconds. */
export function createUrlSigner(secret: string): UrlSigner {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'marquee export address', 32));
  const signatureOf = (id: string, expires: string): Buffer => createHmac('sha256', key).update(`${id}\n${expires}`).digest();
  return {
    pathOf(id, name, now) {
      // To the minute, so that the same address is given for a while.
      const expires = (Math.floor((now + SIGNED_MS) / MINUTE_MS) * 60).toString(36);
      return `/exports/${expires}.${signatureOf(id, expires).toString('base64url')}/${id}/${name}`;
    },
    check(access, id, now) {
      const [, expires = '', signature = ''] = SIGNED.exec(access) ?? [];
      const given = Buffer.from(signature, 'base64url');
      const wanted = signatureOf(id, expires);
      if (expires === '' || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'invalid';
      return Number.parseInt(expires, 36) * 1000 > now ? 'valid' : 'expired';
    },
  };
}

/** Decisions: 10 minutes, at most. */
const SIGNED_MS = 600_000;
const MINUTE_MS = 60_000;
const SIGNED = /^([0-9a-z]{5,9})\.([\w-]{43})$/;
