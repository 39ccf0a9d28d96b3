/**
 * The network behind an address, as a text to count by. One caller holds more than one IPv6 address, and can move between them at will.
 *
 *              IPv4              IPv6
 *   host       203.0.113.7       2001:db8:1:2::/64    one machine or household (RFC 4291 §2.5.1)
 *   site       203.0.113.0/24    2001:db8:1::/48      one customer of a provider (RFC 6177 §2)
 */

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The address itself for IPv4, its /64 for IPv6. A text that is no address is of the network `unknown`. */
export function hostNetwork(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed) return NO_NETWORK;
  return parsed.kind() === 'ipv4' ? parsed.toString() : ipv6Network(parsed, HOST_BITS);
}

/** The /24 of an IPv4 address, the /48 of an IPv6 one. A text that is no address is of the network `unknown`. */
export function siteNetwork(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed) return NO_NETWORK;
  return parsed.kind() === 'ipv4' ? ipv4Network(parsed, IPV4_SITE_BITS) : ipv6Network(parsed, SITE_BITS);
}

const ipv4Network = (address: Address, bits: number): string =>
  `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
const ipv6Network = (address: Address, bits: number): string =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;

/** Gives IPv4 wherever an IPv6 address carries one: mapped by a dual-stack socket, or translated (RFC 6052 §2.1). */
function parseAddress(text: string): Address | null {
  const bare = withoutPortAndZone(text);
  if (isIP(bare) === 0) return null;
  const address = ipaddr.process(bare);
  if (address.kind() === 'ipv4' || !address.match(NAT64)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

/** Some proxies write `203.0.113.7:52100` or `[2001:db8::7]:52100` into `X-Forwarded-For`; a local address may name its interface. */
function withoutPortAndZone(text: string): string {
  const { bracketed, dotted } = WITH_PORT.exec(text)?.groups ?? {};
  return (bracketed ?? dotted ?? text).replace(ZONE, '');
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const WITH_PORT = /^(?:\[(?<bracketed>[^\]]*)\]|(?<dotted>[\d.]+))(?::\d{1,5})?$/;
const ZONE = /%.*$/s;
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** One for all such texts: a caller must not get a fresh count by writing another nonsense. */
const NO_NETWORK = 'unknown';
const IPV4_SITE_BITS = 24;
const HOST_BITS = 64;
const SITE_BITS = 48;
