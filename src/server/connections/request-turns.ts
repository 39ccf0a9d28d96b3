/**
 * Requests of one connection are handed on in turn: the next one when the answer before it has left.
 *
 *   requests read    ─► waiting ─► under way ─► answered          one answer of a connection is in memory, never more,
 *   (pipelining)                   (one)                          and nothing is written into another answer
 *
 * A connection whose last request was admitted by a key, or by the secret URL of an unchanged feed, is handled at once. All others
 * share the spare time of the event loop: new ones, and those that send unknown keys or keys over their limit.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConnectionRegistry, OpenConnection } from './connection-registry.ts';
import type { ServerLimits } from './node-server.ts';
import { createSpareTime } from './spare-time.ts';

/** Calls `handle` once every earlier request of the connection is answered; never where the connection ends before. */
export type InTurn = (req: IncomingMessage, res: ServerResponse, handle: () => void) => void;

export function createRequestTurns(registry: ConnectionRegistry, limits: ServerLimits): InTurn {
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
