/**
 * Reads connections in turns while they send what no allowance pays for: unknown keys, keys over their limit, preflights. One such
 * connection is read in each round of the event loop, beside all others. A flood of refused requests so gets the time that is
 * left over, however many connections carry it, and a request with a good key waits for one chunk of it at most.
 */

import { Socket } from 'node:net';

export interface ReadTurns {
  /** From now on the connection waits for its turn, once, before it is read again. */
  wait(socket: object): void;
}

export function createReadTurns(): ReadTurns {
  /** Paused, in the order of their turns. */
  const waiting = new Set<Socket>();
  /** Read in this round: what came in one piece is answered before they pause. */
  let pausing = new Set<Socket>();
  let scheduled = false;

  function nextRound(): void {
    scheduled = false;
    for (const socket of pausing) {
      if (socket.destroyed) continue;
      socket.pause();
      waiting.add(socket);
    }
    pausing = new Set();
    for (const socket of waiting) {
      waiting.delete(socket);
      if (socket.destroyed) continue;
      socket.resume();
      break;
    }
    if (waiting.size > 0) schedule();
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(nextRound);
  }

  return {
    wait(socket) {
      // A request from within has no connection.
      if (!(socket instanceof Socket)) return;
      pausing.add(socket);
      schedule();
    },
  };
}
