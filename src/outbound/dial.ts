/** A connection to a host, if it is where it says. */

import type { connect, LookupFunction, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Target } from './check-address.ts';
import { Failure, tlsFailure } from './failure.ts';

export type AddressLookup = (host: string) => Promise<readonly { address: string; family: number }[]>;
export type Connect = typeof connect;

export interface Dial {
  target: Target;
  lookup: AddressLookup;
  connect: Connect;
  /** Asked for every address of the host, and again for the one that answered. */
  mayReach(address: string): boolean;
  mostAddresses: number;
  /** Told of every socket at once, so that it can be closed from outside. */
  onSocket(socket: Socket): void;
}

/** Resolves when bytes may be written: connected, seen to be an address that may be reached and, for https, proven to be this host. */
export async function dial(options: Dial): Promise<{ socket: Socket; address: string }> {
  const { target, onSocket } = options;
  const { host, port, isLiteral } = target;
  if (isLiteral && !options.mayReach(host)) throw refusedAddress(host);
  // The check is part of the socket's own lookup: what was checked is what is connected to, with no second question in between.
  const plain = options.connect({ host, port, lookup: checkedLookup(options), autoSelectFamily: true });
  onSocket(plain);
  await ready(plain, 'connect');
  const address = plain.remoteAddress ?? '';
  if (!options.mayReach(address)) throw refusedAddress(host);
  if (target.url.protocol === 'http:') return { socket: plain, address };
  const socket = connectTls({
    socket: plain,
    host,
    ...(isLiteral ? {} : { servername: host }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Said aloud, as NODE_TLS_REJECT_UNAUTHORIZED changes the default.
    rejectUnauthorized: true,
  });
  onSocket(socket);
  await ready(socket, 'secureConnect').catch((error: Error) => {
    throw tlsFailure(error, host);
  });
  return { socket, address };
}

function checkedLookup({ lookup, mayReach, mostAddresses }: Dial): LookupFunction {
  return (host, _options, callback) => {
    lookup(host).then(
      (found) => {
        if (found.length === 0) return callback(new Failure('unresolvable', `${host} has no address`), []);
        // One inner address among public ones is no accident: which one is dialled would be the resolver's choice.
        if (!found.every(({ address }) => mayReach(address))) return callback(refusedAddress(host), []);
        callback(null, found.slice(0, mostAddresses));
      },
      (error) => callback(error, []),
    );
  };
}

function ready(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    // Stays, as an error may still come after all is over.
    socket.on('error', reject);
  });
}

const refusedAddress = (host: string): Failure => new Failure('refused_address', `${host} is not at a public address`);
