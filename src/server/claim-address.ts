/** Where a service listens: chosen before the slow part of a start, so that a port in use is told at once. */

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { baseUrl } from '../values/base-url.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { describeListenFault } from './listen-fault.ts';

export interface ListenAddress {
  host: string;
  port: number;
  url: string;
}

/** The address to listen on, free at the time of asking; port 0 becomes a free one. Refuses before the slow part of a start. */
export async function claimAddress({ host, port }: Pick<ListenAddress, 'host' | 'port'>): Promise<ListenAddress> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  // Any port will do for 0, but not one that the system may give to an outgoing connection meanwhile.
  const wanted = () => port || randomInt(...FREE_PORTS);
  let triesLeft = port === 0 ? 20 : 0;
  probe.on('error', (error) => {
    if (triesLeft === 0) return reject(refusedPort(error, host, port, 'PORT'));
    triesLeft -= 1;
    probe.listen(wanted(), host);
  });
  probe.listen(wanted(), host, () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : port));
  });
  const free = await promise;
  return { host, port: free, url: baseUrl(host, free) };
}

/** `setting`: the one that names the port. */
export function refusedPort(error: unknown, host: string, port: number, setting: string): ExpectedError {
  const { isOfHost, reason } = describeListenFault(error);
  const where = `${host}:${port} (${isOfHost ? 'HOST' : setting})`;
  return new ExpectedError('refused', `Cannot listen on ${where}: ${reason}.`, { cause: error });
}

/** Below the ports of outgoing connections (RFC 6335 §6; Linux gives those from 32768 on). */
const FREE_PORTS = [20_000, 32_768] as const;
