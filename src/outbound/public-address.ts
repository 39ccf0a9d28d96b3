/** Which IP addresses are of the public internet. */

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Block = readonly [Address, number];

/** False for whatever IANA sets apart (special-purpose registries of IPv4 and IPv6), for every form that hides an IPv4 address, and for what is no address. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  // RFC 6052 §2.1: where there is only IPv6, the resolver writes public IPv4 addresses like this. The rest of those forms are never needed.
  if (isWithin(address, NAT64)) return isPublicAddress(address.toByteArray().slice(-4).join('.'));
  return (
    address.range() === 'unicast' && isWithin(address, GLOBAL_UNICAST) && !ALSO_SPECIAL.some((block) => isWithin(address, block))
  );
}

export function isWithin(address: Address, [network, bits]: Block): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

export function parseAddress(text: string): Address | null {
  // The library alone would also read `127.1` and `010.1.1.1`, as others read them differently.
  return isIP(text) === 0 ? null : ipaddr.parse(text);
}

/** `10.0.0.0/8`, `fd00::/8`; null for anything else. */
export function parseBlock(text: string): Block | null {
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null;
}

const NAT64: Block = ipaddr.parseCIDR('64:ff9b::/96');
/** RFC 4291 §2.4: all that was ever given out. */
const GLOBAL_UNICAST: Block = ipaddr.parseCIDR('2000::/3');
/** What the library takes for ordinary. */
const ALSO_SPECIAL: readonly Block[] = [
  '2001::/23', // IETF protocol assignments, RFC 2928
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4, RFC 3056
  '2620:4f:8000::/48', // AS112, RFC 7534
  '3fff::/20', // documentation, RFC 9637
].map((block) => ipaddr.parseCIDR(block));
