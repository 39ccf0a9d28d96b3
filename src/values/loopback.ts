/** Names in a `Host` header: those under which a machine reaches itself alone, and addresses. */

import { isIP } from 'node:net';

/** `hostname` as `URL` gives it: IPv6 in brackets. True for `localhost`, names below it (RFC 6761 §6.3), 127.0.0.0/8 and `[::1]`. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost') || name === '[::1]') return true;
  return isIP(name) === 4 && name.startsWith('127.');
}

/** Of a `Host` header, in lower case, without port and final dot; IPv6 in brackets. Empty for what is no host. */
export function hostnameOf(host: string): string {
  if (NOT_IN_A_HOST.test(host)) return '';
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '';
}

/** `hostname` as `hostnameOf` gives it. An IP address cannot be given to another machine, as a name can (DNS rebinding). */
export const isAddressHost = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

const NOT_IN_A_HOST = /[/?#@\\\s]/;
