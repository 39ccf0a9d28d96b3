/** Where a service listens: chosen before the slow part of a start, so that a port in use is told at once. */

import { randomInt } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { baseUrl } from '../values/base-url.ts';
import { ExpectedError } from '../values/expected-error.ts';

export interface ListenAddress {
  host: string;
  port: number;
  url: string;
}

export interface ClaimedAddress extends ListenAddress {
  /** Just before something listens there, or when nothing will; what was released stays so. */
  release(): Promise<void>;
}

/**
 * The address to listen on, free at the time of asking. Port 0 becomes a free one, which no other service can claim until it is
 * released. Refuses before the slow part of a start.
 */
export async function claimAddress({ host, port }: Pick<ListenAddress, 'host' | 'port'>): Promise<ClaimedAddress> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Nobody knows a port that was chosen here before the service listens.
  const probe = createServer((socket) => socket.destroy());
  // Any port will do for 0, but not one that the system may give to an outgoing connection meanwhile.
  const wanted = () => port || randomInt(...FREE_PORTS);
  let triesLeft = port === 0 ? 20 : 0;
  probe.on('error', (error) => {
    if (triesLeft === 0) return reject(refusedPort(error, host, port, 'PORT'));
    triesLeft -= 1;
    probe.listen(wanted(), host);
  });
  probe.listen(wanted(), host, resolve);
  await promise;
  const { port: free } = probe.address() as AddressInfo;
  const release = async () => {
    if (probe.listening) await new Promise((closed) => probe.close(closed));
  };
  // A balancer that asks too early is to hear that nobody listens.
  if (port !== 0) await release();
  return { host, port: free, url: baseUrl(host, free), release };
}

/** `setting`: the one that names the port. */
export function refusedPort(error: unknown, host: string, port: number, setting: string): ExpectedError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const ofHost = Object.hasOwn(HOST_FAULTS, code) ? HOST_FAULTS[code] : undefined;
  const ofPort = Object.hasOwn(PORT_FAULTS, code) ? PORT_FAULTS[code] : undefined;
  const reason = ofHost ?? ofPort ?? message;
  const where = `${host}:${port} (${ofHost === undefined ? setting : 'HOST'})`;
  return new ExpectedError('refused', `Cannot listen on ${where}: ${reason}.`, { cause: error });
}

/** Below the ports of outgoing connections (RFC 6335 §6; Linux gives those from 32768 on). */
const FREE_PORTS = [20_000, 32_768] as const;
/** Why an address cannot be listened on, by the system's code. */
const HOST_FAULTS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'this machine does not have this address',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'cannot look up the host name',
};
const PORT_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is already in use',
  EACCES: 'this user may not use it',
};
