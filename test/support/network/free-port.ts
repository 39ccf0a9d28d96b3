import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Free at the time of asking, on loopback: for what must know its address before it listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    if (given.has(port)) continue;
    given.add(port);
    const probe = createServer();
    try {
      await once(probe.listen(port, '127.0.0.1'), 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      continue;
    }
    await once(probe.close(), 'close');
    return port;
  }
}

/** Two that ask at once must not get the same. */
const given = new Set<number>();

/**
 * Neither of those that the system gives to anybody, nor of those that services without a PORT choose, where a node of a Redis cluster
 * must not listen either: it takes its port plus 10,000, too. `fetch` refuses some ports up to 6697, and 10080.
 */
const PORTS = [7_000, 10_000] as const;
