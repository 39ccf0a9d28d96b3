/** The operator's list of hosts that may be reached though they are not public, or on another port. */

import { type Block, isWithin, parseAddress, parseBlock } from './public-address.ts';

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

export const USUAL_PORTS: readonly number[] = [80, 443];
const ENTRY = /^(?<host>\[[\da-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?::(?<digits>\d{1,5}))?$/;
const MAX_PORT = 65_535;
