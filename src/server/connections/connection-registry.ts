/** Who is connected, from which network, and who of them is idle: room for a new connection is made at the cost of idle ones. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hostNetwork } from '../../values/ip-network.ts';
import type { ServerLimits } from './node-server.ts';

export interface OpenConnection {
  socket: Socket;
  network: OpenNetwork | null;
  carried: number;
  isBusy: boolean;
  isAdmitted: boolean;
  waiting: { res: ServerResponse; handle: () => void }[];
  /** Whether reading stops until fewer requests wait. */
  isPaused: boolean;
  atEnd: (() => void) | null;
}

export interface OpenNetwork {
  name: string;
  connections: number;
  /** In the order in which they became idle. */
  idle: Set<OpenConnection>;
  waiting: number;
}

export interface ConnectionRegistryOptions {
  limits: ServerLimits;
  /** Connections of a proxy carry requests of many clients: they are not counted as those of one network. */
  isTrustedProxy: (address: string) => boolean;
  /** A connection was closed to make room, or for what it did not read. */
  onClose(reason: 'limit' | 'unread'): void;
}

export interface ConnectionRegistry {
  /** Null: there is no room, and nobody idle to make any. */
  add(socket: Socket): OpenConnection | null;
  get(socket: Socket): OpenConnection | undefined;
  /** For one that has closed. */
  forget(connection: OpenConnection): void;
  close(connection: OpenConnection, reason: 'limit' | 'unread'): void;
  markBusy(connection: OpenConnection): void;
  markIdle(connection: OpenConnection): void;
  /** Counts requests that begin to wait, or wait no more (negative). */
  countWaiting(connection: OpenConnection, more: number): void;
  /** Requests of all connections that wait. */
  waiting(): number;
  sockets(): Iterable<Socket>;
  /** In the order in which they became so. */
  readonly busy: ReadonlySet<OpenConnection>;
  readonly size: number;
}

export function createConnectionRegistry({ limits, isTrustedProxy, onClose }: ConnectionRegistryOptions): ConnectionRegistry {
  const connections = new Map<Socket, OpenConnection>();
  const networks = createNetworks();
  const idle = new Set<OpenConnection>();
  const busy = new Set<OpenConnection>();
  let waiting = 0;

  function forget(connection: OpenConnection): void {
    const { socket, network } = connection;
    if (!connections.delete(socket)) return;
    idle.delete(connection);
    busy.delete(connection);
    countWaiting(connection, -connection.waiting.length);
    connection.waiting = [];
    if (network) networks.leave(network, connection);
  }

  function close(connection: OpenConnection, reason: 'limit' | 'unread'): void {
    forget(connection);
    connection.socket.destroy();
    onClose(reason);
  }

  function closeLongestIdle(among: ReadonlySet<OpenConnection>): boolean {
    const [longest] = among;
    if (longest) close(longest, 'limit');
    return longest !== undefined;
  }

  function makeRoom(network: OpenNetwork | undefined): boolean {
    if (network && network.connections >= limits.maxConnectionsPerNetwork && !closeLongestIdle(network.idle)) return false;
    return connections.size < limits.maxConnections || closeLongestIdle(idle);
  }

  function countWaiting({ network }: OpenConnection, more: number): void {
    waiting += more;
    if (network) network.waiting += more;
  }

  function markIdle(connection: OpenConnection): void {
    connection.isBusy = false;
    busy.delete(connection);
    idle.add(connection);
    connection.network?.idle.add(connection);
  }

  return {
    add(socket) {
      const address = socket.remoteAddress ?? '';
      const name = isTrustedProxy(address) ? null : hostNetwork(address);
      if (!makeRoom(name === null ? undefined : networks.get(name))) return null;
      const connection = newConnection(socket, name === null ? null : networks.join(name));
      connections.set(socket, connection);
      markIdle(connection);
      return connection;
    },
    get: (socket) => connections.get(socket),
    forget,
    close,
    markBusy(connection) {
      connection.isBusy = true;
      idle.delete(connection);
      connection.network?.idle.delete(connection);
      busy.add(connection);
    },
    markIdle,
    countWaiting,
    waiting: () => waiting,
    sockets: () => connections.keys(),
    busy,
    get size() {
      return connections.size;
    },
  };
}

function newConnection(socket: Socket, network: OpenNetwork | null): OpenConnection {
  return { socket, network, carried: 0, isBusy: false, isAdmitted: false, waiting: [], isPaused: false, atEnd: null };
}

/** Networks that have connections, by name. */
function createNetworks() {
  const networks = new Map<string, OpenNetwork>();
  return {
    get: (name: string): OpenNetwork | undefined => networks.get(name),
    join(name: string): OpenNetwork {
      const network = networks.get(name) ?? { name, connections: 0, idle: new Set(), waiting: 0 };
      networks.set(name, network);
      network.connections += 1;
      return network;
    },
    leave(network: OpenNetwork, connection: OpenConnection): void {
      network.idle.delete(connection);
      network.connections -= 1;
      if (network.connections === 0) networks.delete(network.name);
    },
  };
}

/** Closes connections whose clients do not take their answers, until their network and the server keep within their limits. */
export function closeUnread(registry: ConnectionRegistry, limits: ServerLimits): void {
  const unread = [...registry.busy].filter(({ socket }) => socket.writableLength > 0);
  const ofNetworks = new Map<OpenNetwork | null, number>();
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
    registry.close(connection, 'unread');
  }
}
