import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Free at the time of asking, on loopback: for what must know its address before it listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    const probe = createServer();
    try {
      await once(probe.listen(port, '127.0.0.1'), 'listening');
    } catch {
      continue;
    }
    await once(probe.close(), 'close');
    return port;
  }
}

/** Neither of those that the system gives to anybody, nor of those that services without a PORT choose. */
const PORTS = [10_000, 20_000] as const;
