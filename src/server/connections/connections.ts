/**
 * Every open connection.
 *
 * A network that opens too many connections loses its longest idle one; a full server loses the longest idle one of all. A network
 * that reads too slowly loses the connections that have kept their answers longest. Requests of one connection come in turn.
 */

import type { Socket } from 'node:net';
import { type ConnectionRegistryOptions, closeUnread, createConnectionRegistry, type OpenConnection } from './connection-registry.ts';
import { createRequestTurns, type InTurn } from './request-turns.ts';

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
