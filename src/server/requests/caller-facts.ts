/** Where a request comes from, and which host it asks: what a trusted proxy says of both, or else the request itself. */

import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';

export interface CallerFacts {
  /** Of the caller: the last address that no trusted proxy has. Empty once the connection is gone. */
  addressOf(req: IncomingMessage): string;
  hostOf(req: IncomingMessage): string;
}

/** By Fastify's rules, so that all ways in agree. `isTrustedProxy`: null where no proxy is trusted. */
export function createCallerFacts(isTrustedProxy: ((address: string) => boolean) | null): CallerFacts {
  const ownAddress = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';
  const ownHost = ({ headers }: IncomingMessage): string => headers.host ?? '';
  if (!isTrustedProxy) return { addressOf: ownAddress, hostOf: ownHost };
  const trusts = (address: string | undefined): boolean => address !== undefined && isTrustedProxy(address);
  return {
    addressOf: (req) => (req.headers['x-forwarded-for'] === undefined ? ownAddress(req) : (proxyAddress(req, trusts) ?? '')),
    hostOf(req) {
      const said = req.headers['x-forwarded-host'];
      if (!said || !trusts(req.socket.remoteAddress)) return ownHost(req);
      // Several proxies may have added one each: the last is the nearest.
      return (String(said).split(',').at(-1) ?? '').trim();
    },
  };
}

/** Which addresses are those of proxies in front. `entries`: addresses, networks as `10.0.0.0/8` or `10.0.0.0/255.0.0.0`, or names of ranges, as the settings have checked them. */
export function createTrustedProxies(entries: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const entry of entries.flatMap((entry) => RANGES[entry] ?? [entry])) {
    const [address = '', size] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (size === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, isIPv4(size) ? countBits(size) : Number(size), family);
  }
  return (address) => {
    const mapped = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
    if (isIPv4(mapped)) return trusted.check(mapped, 'ipv4');
    return isIPv6(address) && trusted.check(address, 'ipv6');
  };
}

function countBits(mask: string): number {
  const bits = mask.split('.').map((byte) => Number(byte).toString(2));
  return bits.join('').replaceAll('0', '').length;
}

const RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
const MAPPED = '::ffff:';
