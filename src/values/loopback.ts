/** Names under which a machine reaches itself alone. */

import { isIP } from 'node:net';

/** `hostname` as `URL` gives it: IPv6 in brackets. True for `localhost`, names below it (RFC 6761 §6.3), 127.0.0.0/8 and `[::1]`. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost') || name === '[::1]') return true;
  return isIP(name) === 4 && name.startsWith('127.');
}
