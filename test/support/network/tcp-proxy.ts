/** A forwarding TCP proxy on loopback for tests of networks that fail: between a service and its database, mail server or reader. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** The same address through the proxy. */
  through(url: string): string;
  /** How many connections are open. */
  open(): number;
  /** Connections that are open now carry nothing any more, either way, and are not closed. New ones work. */
  silence(): void;
  /** New connections are taken and carry nothing, until `restore`. */
  silenceNew(): void;
  /** Resets all connections and refuses new ones, until `restore`. */
  cut(): Promise<void>;
  /** New connections lead there. */
  retarget(target: Target): void;
  /** Everything sent by the server from now on arrives so much later. */
  delay(ms: number): void;
  /** New connections work again. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export interface Target {
  host: string;
  port: number;
}

export async function openTcpProxy(firstTarget: Target): Promise<TcpProxy> {
  let target = firstTarget;
  const links = new Set<Link>();
  let isSilentForNew = false;
  let delayMs = 0;
  // Without `noDelay` a small piece waits for the other side to acknowledge the one before, 40 ms on Linux.
  const server = createServer({ noDelay: true }, (client) => {
    const link = openLink(client, connect({ ...target, noDelay: true }), () => delayMs);
    links.add(link);
    client.once('close', () => links.delete(link));
    if (isSilentForNew) link.silence();
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const stopListening = async () => {
    const closed = server.listening ? once(server, 'close') : undefined;
    if (closed) server.close();
    for (const link of links) link.reset();
    await closed;
  };
  return {
    port,
    through(url) {
      const changed = new URL(url);
      changed.hostname = '127.0.0.1';
      changed.port = String(port);
      return changed.href;
    },
    open: () => links.size,
    silence() {
      for (const link of links) link.silence();
    },
    silenceNew() {
      isSilentForNew = true;
    },
    cut: stopListening,
    retarget(other) {
      target = other;
    },
    delay(ms) {
      delayMs = ms;
    },
    async restore() {
      isSilentForNew = false;
      if (!server.listening) await listen(port);
    },
    close: stopListening,
  };
}

interface Link {
  silence(): void;
  reset(): void;
}

function openLink(client: Socket, server: Socket, delayMs: () => number): Link {
  let isSilent = false;
  const forward = (from: Socket, to: Socket, lateBy: () => number) => {
    let arrival = 0;
    /** In the order in which it was sent, whatever the delay was then. */
    const later = (work: () => void) => {
      arrival = Math.max(arrival, performance.now() + lateBy());
      const wait = arrival - performance.now();
      if (wait > 0) setTimeout(() => isSilent || work(), wait);
      else if (!isSilent) work();
    };
    from.on('data', (chunk) => later(() => to.write(chunk)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => later(() => to.destroy()));
  };
  forward(client, server, () => 0);
  forward(server, client, delayMs);
  const reset = () => {
    client.resetAndDestroy();
    server.destroy();
  };
  // A client that leaves a silent link leaves it for good.
  client.once('close', () => server.destroy());
  return {
    silence() {
      isSilent = true;
    },
    reset,
  };
}
