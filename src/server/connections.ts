/**
 * Every open connection. Requests of one connection are handed on in turn: the next one when the answer before it has left.
 *
 *   requests read    ─► waiting ─► under way ─► answered          one answer of a connection is in memory, never more,
 *   (pipelining)                   (one)                          and nothing is written into another answer
 *
 * A connection whose last request was admitted by a key is handled at once. All others share the spare time of the event loop: new
 * ones, and those that send unknown keys or keys over their limit.
 *
 * A network that opens too many connections loses its longest idle one; a full server loses the longest idle one of all. A network
 * that reads too slowly loses the connections that have kept their answers longest.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hostNetwork } from '../values/ip-network.ts';
import type { ServerLimits } from './node-server.ts';
import { createSpareTime } from './spare-time.ts';

export interface Connections {
  /** Takes a new connection in, closes an idle one for it, or calls `refuse`. */
  accept(socket: Socket): void;
  /** Calls `handle` once every earlier request of the connection is answered; never where the connection ends before. */
  inTurn(req: IncomingMessage, res: ServerResponse, handle: () => void): void;
  /** Calls `end` once the requests that were read are answered. */
  afterAnswers(socket: Socket, end: () => void): void;
  /** Notes whether a key admitted the last request of the connection. */
  setAdmitted(socket: Socket, isAdmitted: boolean): void;
  /** How many requests the connection has carried, this one included. */
  countRequest(socket: Socket): number;
  /** Closes connections that never sent a byte. */
  closeUnused(): void;
  readonly size: number;
}

export interface ConnectionsOptions {
  limits: ServerLimits;
  /** Connections of a proxy carry requests of many clients: they are not counted as those of one network. */
  isTrustedProxy: (address: string) => boolean;
  /** Answers a connection that finds no room. */
  refuse(socket: Socket): void;
  /** A connection was closed to make room, or for what it did not read. */
  onClose(reason: 'limit' | 'unread'): void;
}

interface Connection {
  socket: Socket;
  network: Network | null;
  carried: number;
  isBusy: boolean;
  isAdmitted: boolean;
  waiting: { res: ServerResponse; handle: () => void }[];
  /** Whether reading stops until fewer requests wait. */
  isPaused: boolean;
  atEnd: (() => void) | null;
}

interface Network {
  name: string;
  connections: number;
  /** In the order in which they became idle. */
  idle: Set<Connection>;
  waiting: number;
}

export function createConnections({ limits, isTrustedProxy, refuse, onClose }: ConnectionsOptions): Connections {
  const connections = new Map<Socket, Connection>();
  const networks = new Map<string, Network>();
  /** Each in the order in which they became so. */
  const idle = new Set<Connection>();
  const busy = new Set<Connection>();
  const spareTime = createSpareTime();
  let waiting = 0;
  let sweeper: NodeJS.Timeout | null = null;

  function accept(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const name = isTrustedProxy(address) ? null : hostNetwork(address);
    if (!makeRoom(name === null ? undefined : networks.get(name))) {
      refuse(socket);
      return;
    }
    const network = name === null ? null : networkOf(name);
    const connection: Connection = {
      socket,
      network,
      carried: 0,
      isBusy: false,
      isAdmitted: false,
      waiting: [],
      isPaused: false,
      atEnd: null,
    };
    connections.set(socket, connection);
    if (network) network.connections += 1;
    markIdle(connection);
    socket.once('close', () => forget(connection));
    // Node stops listening for errors on a connection that asks for CONNECT; without a listener they would end the process.
    socket.on('error', () => {});
    // Node resumes a socket of its own accord, for instance to read past a body.
    socket.on('resume', () => {
      if (connection.isPaused) socket.pause();
    });
    sweeper ??= setInterval(closeUnread, limits.unreadCheckInterval).unref();
  }

  function makeRoom(network: Network | undefined): boolean {
    if (network && network.connections >= limits.maxConnectionsPerNetwork && !closeLongestIdle(network.idle)) return false;
    return connections.size < limits.maxConnections || closeLongestIdle(idle);
  }

  function networkOf(name: string): Network {
    let network = networks.get(name);
    if (!network) {
      network = { name, connections: 0, idle: new Set(), waiting: 0 };
      networks.set(name, network);
    }
    return network;
  }

  function forget(connection: Connection): void {
    const { socket, network } = connection;
    if (!connections.delete(socket)) return;
    idle.delete(connection);
    busy.delete(connection);
    countWaiting(connection, -connection.waiting.length);
    connection.waiting = [];
    if (network) {
      network.idle.delete(connection);
      network.connections -= 1;
      if (network.connections === 0) networks.delete(network.name);
    }
    if (connections.size > 0 || !sweeper) return;
    clearInterval(sweeper);
    sweeper = null;
  }

  function close(connection: Connection, reason: 'limit' | 'unread'): void {
    forget(connection);
    connection.socket.destroy();
    onClose(reason);
  }

  function closeLongestIdle(among: Set<Connection>): boolean {
    const [longest] = among;
    if (longest) close(longest, 'limit');
    return longest !== undefined;
  }

  function countWaiting({ network }: Connection, more: number): void {
    waiting += more;
    if (network) network.waiting += more;
  }

  function markIdle(connection: Connection): void {
    connection.isBusy = false;
    busy.delete(connection);
    idle.add(connection);
    connection.network?.idle.add(connection);
  }

  function inTurn(req: IncomingMessage, res: ServerResponse, handle: () => void): void {
    const connection = connections.get(req.socket);
    // Refused or closed already: what it still sends is not answered.
    if (!connection) return;
    if (!connection.isBusy) {
      connection.isBusy = true;
      idle.delete(connection);
      connection.network?.idle.delete(connection);
      busy.add(connection);
      if (connection.isAdmitted) begin(connection, res, handle);
      else spareTime.add(() => beginLater(connection, res, handle));
      return;
    }
    connection.waiting.push({ res, handle });
    countWaiting(connection, 1);
    const ofNetwork = connection.network?.waiting ?? 0;
    if (ofNetwork > limits.maxWaitingPerNetwork || waiting > limits.maxWaiting) close(connection, 'limit');
    else if (connection.waiting.length >= PAUSE_FROM) {
      connection.isPaused = true;
      connection.socket.pause();
    }
  }

  function beginLater(connection: Connection, res: ServerResponse, handle: () => void): void {
    const { socket } = connection;
    // The answer before it was the last of the connection: what came after it is neither answered nor metered.
    if (!socket.destroyed && !socket.writableEnded && connections.has(socket)) begin(connection, res, handle);
  }

  function begin(connection: Connection, res: ServerResponse, handle: () => void): void {
    res.once('finish', () => proceed(connection));
    handle();
  }

  /** The answer has left, or the kernel has it. */
  function proceed(connection: Connection): void {
    const { socket, atEnd } = connection;
    const next = connection.waiting.shift();
    if (!next) {
      if (!connections.has(socket)) return;
      markIdle(connection);
      if (!socket.writableEnded) atEnd?.();
      return;
    }
    countWaiting(connection, -1);
    if (connection.isPaused && connection.waiting.length <= RESUME_BELOW) {
      connection.isPaused = false;
      socket.resume();
    }
    // Other connections come first: a client gains nothing by sending many requests at once.
    const later = () => beginLater(connection, next.res, next.handle);
    if (connection.isAdmitted) setImmediate(later);
    else spareTime.add(later);
  }

  /** Closes the connections that have kept unread answers longest, until their network and the server keep within their limits. */
  function closeUnread(): void {
    const unread = [...busy].filter(({ socket }) => socket.writableLength > 0);
    const ofNetworks = new Map<Network | null, number>();
    let total = 0;
    for (const { socket, network } of unread) {
      ofNetworks.set(network, (ofNetworks.get(network) ?? 0) + socket.writableLength);
      total += socket.writableLength;
    }
    for (const connection of unread) {
      const { socket, network } = connection;
      const bytes = socket.writableLength;
      const ofNetwork = ofNetworks.get(network) ?? 0;
      const isTooMuch = network !== null && ofNetwork > limits.maxUnreadBytesPerNetwork;
      if (!isTooMuch && total <= limits.maxUnreadBytes) continue;
      ofNetworks.set(network, ofNetwork - bytes);
      total -= bytes;
      close(connection, 'unread');
    }
  }

  return {
    accept,
    inTurn,
    afterAnswers(socket, end) {
      const connection = connections.get(socket);
      if (connection?.isBusy) connection.atEnd ??= end;
      else end();
    },
    setAdmitted(socket, isAdmitted) {
      const connection = connections.get(socket);
      if (connection) connection.isAdmitted = isAdmitted;
    },
    countRequest(socket) {
      const connection = connections.get(socket);
      if (!connection) return 1;
      connection.carried += 1;
      return connection.carried;
    },
    closeUnused() {
      for (const { socket } of connections.values()) if (socket.bytesRead === 0) socket.destroy();
    },
    get size() {
      return connections.size;
    },
  };
}

/** Requests of one connection that wait before it is read no further, and from which on it is read again. */
const PAUSE_FROM = 64;
const RESUME_BELOW = 16;
