/** Public hosts on loopback: names, addresses and ports of the outside, each led to a server of the test. */

import { connect, isIP, type TcpNetConnectOpts } from 'node:net';
import type { OutboundOptions } from '../../../src/outbound/index.ts';

/** `places`: `name:port` to the port of a server; each name stands at an address of its own. A name without a place is unknown. */
export function pretendInternet(places: Readonly<Record<string, number>>): Required<Pick<OutboundOptions, 'lookup' | 'connect'>> {
  const names = [...new Set(Object.keys(places).map((place) => place.replace(/:\d+$/, '')))];
  const addressOf = (name: string) => `93.184.215.${names.indexOf(name) + 1}`;
  return {
    async lookup(name) {
      if (!names.includes(name)) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
      return [{ address: addressOf(name), family: 4 }];
    },
    connect: ((options: TcpNetConnectOpts) => {
      const { host = '', lookup } = options;
      let address = host;
      const socket = connect({
        port: places[`${host}:${options.port}`] ?? 1,
        host: isIP(host) === 0 ? host : '127.0.0.1',
        autoSelectFamily: true,
        lookup: (name, settings, callback) =>
          lookup?.(name, settings, (error, found) => {
            if (error || !Array.isArray(found)) return callback(error, found);
            address = found[0]?.address ?? '';
            callback(null, [{ address: '127.0.0.1', family: 4 }]);
          }),
      });
      return Object.defineProperty(socket, 'remoteAddress', { get: () => address, configurable: true });
    }) as typeof connect,
  };
}
