/** Where a request comes from, and which host it asks: what a trusted proxy says of both, or else the request itself. */

import type { IncomingMessage } from 'node:http';
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
