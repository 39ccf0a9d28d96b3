/** Where an answer redirects to, and where a request does not follow. */

import { isUtf8 } from 'node:buffer';
import type { Target } from './check-address.ts';
import type { RawAnswer } from './exchange.ts';
import { Failure } from './failure.ts';

/** Null: not a redirect. RFC 9110 §15.4; a `Location` in raw UTF-8 is common and meant. */
export function redirectOf({ status, headers: { location } }: RawAnswer): string | null {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return null;
  const bytes = Buffer.from(location, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : location;
}

export const redirected = ({ status }: RawAnswer, { host }: Target, how: string): Failure =>
  new Failure('redirects', `${host} redirects ${how}`, { status });

/** From http to https on the usual ports is the same host still. */
export function isSameHost(from: Target, to: Target): boolean {
  return from.host === to.host && (from.port === to.port || (from.port === 80 && to.port === 443));
}
