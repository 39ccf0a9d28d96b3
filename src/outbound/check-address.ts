/** The one validator of addresses: used when one is saved, and again before each request and each redirect. */

import { isIP } from 'node:net';
import { type AllowedHosts, USUAL_PORTS } from './allowed-hosts.ts';
import { isPublicAddress } from './public-address.ts';

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

const DEFAULT_PORTS = { 'http:': 80, 'https:': 443 } as const;
/** Names that never belong to anybody in public: RFC 6761, 6762, 7686, 8375, and ICANN's reservation of `internal`. */
const INNER_NAMES = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa', 'lan', 'onion', 'invalid', 'test'];
