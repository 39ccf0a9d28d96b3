/** A TCP proxy of the loopback whose connections can fall silent: open at both ends, and nothing passes any more. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  port: number;
  /** How many connections are open. */
  open(): number;
  /** From now on nothing passes on the connections that are open; new ones work. */
  silence(): void;
  close(): Promise<void>;
}

export async function openProxy(target: { host: string; port: number }): Promise<Proxy> {
  const pairs = new Set<[Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect(target);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    near.pipe(far);
    far.pipe(near);
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on('error', () => {});
      one.on('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    open: () => pairs.size,
    silence() {
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        // What comes is taken and thrown away, as by a router that has forgotten the connection.
        near.resume();
        far.resume();
      }
    },
    async close() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await once(server, 'close');
    },
  };
}
