/** The one validator of addresses: used when one is saved, and again before each request and each redirect. */

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address that may be asked, as far as can be known without asking a name server. */
export interface Target {
  /** Without fragment, and without a dot behind the host's name. */
  url: URL;
  /** In lower case, an IPv6 address without brackets. */
  host: string;
  port: number;
  /** The host is an address itself: no name server will be asked. */
  isLiteral: boolean;
}

/** `allowed`: null where the operator's list does not count. */
export function checkAddress(
  text: string,
  allowed: AllowedHosts | null,
  mostChars: number,
): { ok: true; target: Target } | { ok: false; reason: string } {
  if (text.length > mostChars) return refused(`the URL is longer than ${mostChars} characters`);
  const url = URL.parse(text);
  if (!url) return refused('this is not a URL, or its host is not valid');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused('only http and https URLs are allowed');
  if (url.username !== '' || url.password !== '') return refused('the URL must not have a user name or a password');
  // A dot at the end means the same host, but not to certificates nor to lists.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (!url.hostname.startsWith('[')) url.hostname = host;
  url.hash = '';
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  const target = { url, host, port, isLiteral: isIP(host) !== 0 };
  if (allowed?.names(host, port)) return { ok: true, target };
  if (!USUAL_PORTS.includes(port)) return refused(`the port ${port} is not allowed, only ${USUAL_PORTS.join(' and ')}`);
  if (target.isLiteral) return isPublicAddress(host) ? { ok: true, target } : refused(`the host ${host} is not a public address`);
  const isInner = !host.includes('.') || INNER_NAMES.some((name) => host.endsWith(`.${name}`));
  return isInner ? refused(`the host ${host} is not a name of the public internet`) : { ok: true, target };
}

const refused = (reason: string): { ok: false; reason: string } => ({ ok: false, reason });

/* Which IP addresses are of the public internet. */

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = readonly [Address, number];

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

function isWithin(address: Address, [network, bits]: Block): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function parseAddress(text: string): Address | null {
  // The library alone would also read `127.1` and `010.1.1.1`, as others read them differently.
  return isIP(text) === 0 ? null : ipaddr.parse(text);
}

/** `10.0.0.0/8`, `fd00::/8`; null for anything else. */
function parseBlock(text: string): Block | null {
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null;
}

/* The operator's list of hosts that may be reached though they are not public, or on another port. */

/** Of `host` and `address` one is set. */
interface Permission {
  host: string | null;
  block: Block | null;
  /** Null: the usual ones. */
  port: number | null;
}

export interface AllowedHosts {
  /** Whether this host, a name or a literal address, is meant by itself. */
  names(host: string, port: number): boolean;
  /** Whether this host may be reached at this address. */
  permits(host: string, port: number, address: string): boolean;
}

/** Whether `openOutbound` understands an entry: a name, an address or a network, of which the first two may have a port. */
export function isAllowedHost(entry: string): boolean {
  return parse(entry) !== null;
}

/** Throws a `RangeError` for an entry that is none. */
export function createAllowedHosts(entries: readonly string[]): AllowedHosts {
  const permissions = entries.map((entry) => {
    const permission = parse(entry);
    if (!permission) throw new RangeError(`not a host, address or network: ${JSON.stringify(entry)}`);
    return permission;
  });
  const holds = (permission: Permission, host: string, port: number, address: string): boolean => {
    if (permission.port === null ? !USUAL_PORTS.includes(port) : permission.port !== port) return false;
    if (permission.block === null) return permission.host === host;
    const parsed = parseAddress(address);
    return parsed !== null && isWithin(parsed, permission.block);
  };
  return {
    names: (host, port) => permissions.some((permission) => holds(permission, host, port, host)),
    permits: (host, port, address) => permissions.some((permission) => holds(permission, host, port, address)),
  };
}

function parse(entry: string): Permission | null {
  const text = entry.trim().toLowerCase();
  const block = parseBlock(text);
  if (block) return { host: null, block, port: null };
  if (parseAddress(text)) return { host: null, block: single(text), port: null };
  const { host = '', digits } = ENTRY.exec(text)?.groups ?? {};
  const port = digits === undefined ? null : Number(digits);
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (bare === '' || port === 0 || (port ?? 0) > MAX_PORT) return null;
  if (parseAddress(bare)) return { host: null, block: single(bare), port };
  return host === bare ? { host, block: null, port } : null;
}

function single(address: string): Block | null {
  return parseBlock(`${address}/${address.includes(':') ? 128 : 32}`);
}

const USUAL_PORTS: readonly number[] = [80, 443];
const ENTRY = /^(?<host>\[[\da-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?::(?<digits>\d{1,5}))?$/;
const MAX_PORT = 65_535;
const DEFAULT_PORTS = { 'http:': 80, 'https:': 443 } as const;
/** Names that never belong to anybody in public: RFC 6761, 6762, 7686, 8375, and ICANN's reservation of `internal`. */
const INNER_NAMES = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa', 'lan', 'onion', 'invalid', 'test'];
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
