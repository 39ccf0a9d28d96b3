/**
 * Every open connection.
 *
 * A network that opens too many connections loses its longest idle one; a full server loses the longest idle one of all. A network
 * that reads too slowly loses the connections that have kept their answers longest. Requests of one connection come in turn.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type ConnectionRegistry,
  type ConnectionRegistryOptions,
  closeUnread,
  createConnectionRegistry,
  type OpenConnection,
} from './connection-registry.ts';
import type { ServerLimits } from './node-server.ts';
import { createSpareTime } from './spare-time.ts';

export interface Connections {
  /** Takes a new connection in, closes an idle one for it, or calls `refuse`. */
  accept(socket: Socket): void;
  inTurn: InTurn;
  /** Calls `end` once the requests that were read are answered. */
  afterAnswers(socket: Socket, end: () => void): void;
  /** Notes whether a key, or a secret URL, admitted the last request of the connection. */
  setAdmitted(socket: Socket, isAdmitted: boolean): void;
  /** How many requests the connection has carried, this one included. */
  countRequest(socket: Socket): number;
  /** Closes connections that never sent a byte. */
  closeUnused(): void;
  readonly size: number;
}

export interface ConnectionsOptions extends ConnectionRegistryOptions {
  /** Answers a connection that finds no room. */
  refuse(socket: Socket): void;
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { limits, refuse } = options;
  const registry = createConnectionRegistry(options);
  let sweeper: NodeJS.Timeout | null = null;

  function watch(connection: OpenConnection): void {
    const { socket } = connection;
    socket.once('close', () => {
      registry.forget(connection);
      if (registry.size > 0 || !sweeper) return;
      clearInterval(sweeper);
      sweeper = null;
    });
    // Node stops listening for errors on a connection that asks for CONNECT; without a listener they would end the process.
    socket.on('error', () => {});
    // Node resumes a socket of its own accord, for instance to read past a body.
    socket.on('resume', () => {
      if (connection.isPaused) socket.pause();
    });
    sweeper ??= setInterval(() => closeUnread(registry, limits), limits.unreadCheckInterval).unref();
  }

  return {
    accept(socket) {
      const connection = registry.add(socket);
      if (connection) watch(connection);
      else refuse(socket);
    },
    inTurn: createRequestTurns(registry, limits),
    afterAnswers(socket, end) {
      const connection = registry.get(socket);
      if (connection?.isBusy) connection.atEnd ??= end;
      else end();
    },
    setAdmitted(socket, isAdmitted) {
      const connection = registry.get(socket);
      if (connection) connection.isAdmitted = isAdmitted;
    },
    countRequest(socket) {
      const connection = registry.get(socket);
      if (!connection) return 1;
      connection.carried += 1;
      return connection.carried;
    },
    closeUnused() {
      for (const socket of registry.sockets()) if (socket.bytesRead === 0) socket.destroy();
    },
    get size() {
      return registry.size;
    },
  };
}

/** Calls `handle` once every earlier request of the connection is answered; never where the connection ends before. */
type InTurn = (req: IncomingMessage, res: ServerResponse, handle: () => void) => void;

/**
 * Requests of one connection are handed on in turn: the next one when the answer before it has left.
 *
 *   requests read    ─► waiting ─► under way ─► answered          one answer of a connection is in memory, never more,
 *   (pipelining)                   (one)                          and nothing is written into another answer
 *
 * A connection whose last request was admitted by a key, or by the secret URL of an unchanged feed, is handled at once. All others
 * share the spare time of the event loop: new ones, and those that send unknown keys or keys over their limit.
 */
function createRequestTurns(registry: ConnectionRegistry, limits: ServerLimits): InTurn {
  const spareTime = createSpareTime();

  function wait(connection: OpenConnection, res: ServerResponse, handle: () => void): void {
    connection.waiting.push({ res, handle });
    registry.countWaiting(connection, 1);
    const ofNetwork = connection.network?.waiting ?? 0;
    if (ofNetwork > limits.maxWaitingPerNetwork || registry.waiting() > limits.maxWaiting) registry.close(connection, 'limit');
    else if (connection.waiting.length >= PAUSE_FROM) {
      connection.isPaused = true;
      connection.socket.pause();
    }
  }

  function beginLater(connection: OpenConnection, res: ServerResponse, handle: () => void): void {
    const { socket } = connection;
    // The answer before it was the last of the connection: what came after it is neither answered nor metered.
    if (!socket.destroyed && !socket.writableEnded && registry.get(socket)) begin(connection, res, handle);
  }

  function begin(connection: OpenConnection, res: ServerResponse, handle: () => void): void {
    res.once('finish', () => proceed(connection));
    handle();
  }

  /** The answer has left, or the kernel has it. */
  function proceed(connection: OpenConnection): void {
    const { socket, atEnd } = connection;
    const next = connection.waiting.shift();
    if (!next) {
      if (!registry.get(socket)) return;
      registry.markIdle(connection);
      if (!socket.writableEnded) atEnd?.();
      return;
    }
    registry.countWaiting(connection, -1);
    if (connection.isPaused && connection.waiting.length <= RESUME_BELOW) {
      connection.isPaused = false;
      socket.resume();
    }
    // Other connections come first: a client gains nothing by sending many requests at once.
    const later = () => beginLater(connection, next.res, next.handle);
    if (connection.isAdmitted) setImmediate(later);
    else spareTime.add(later);
  }

  return (req, res, handle) => {
    const connection = registry.get(req.socket);
    // Refused or closed already: what it still sends is not answered.
    if (!connection) return;
    if (connection.isBusy) {
      wait(connection, res, handle);
      return;
    }
    registry.markBusy(connection);
    if (connection.isAdmitted) begin(connection, res, handle);
    else spareTime.add(() => beginLater(connection, res, handle));
  };
}

/** Requests of one connection that wait before it is read no further, and from which on it is read again. */
const PAUSE_FROM = 64;
const RESUME_BELOW = 16;
