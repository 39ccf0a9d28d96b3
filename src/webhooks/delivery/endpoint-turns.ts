/**
 * The endpoints that this process works for. Those that fail have places of their own, so that no number of dead ones takes the place of
 * a healthy one. A request that takes long counts as of a failing endpoint while it does.
 */

import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Database } from '../../store/index.ts';
import { createBatches, type LeasedEndpoint, leaveAlone, releaseEndpoints } from './leases.ts';
import type { EndpointTurn, SendDue } from './send-due.ts';

export interface EndpointTurns {
  /** Works for an endpoint that was leased, and gives it back afterwards. */
  begin(endpoint: LeasedEndpoint, isFailing: boolean): void;
  /** How many more may begin. */
  free(): { healthy: number; failing: number };
  ids(): string[];
  /** No request begins any more; those under way go on. */
  stop(): void;
  /** Resolves when all have ended, or by `deadline`, milliseconds by the machine. */
  onIdle(deadline?: number): Promise<void>;
}

export interface EndpointTurnsOptions {
  db: Kysely<Database>;
  /** The holder of the leases. */
  owner: string;
  sendDue: SendDue;
  now: Clock;
  log: Log;
  /** A turn has ended, and its lease was given back. */
  onEnd(): void;
}

export function createEndpointTurns({ db, owner, sendDue, now, log, onEnd }: EndpointTurnsOptions): EndpointTurns {
  const turns = new Map<string, EndpointTurn>();

  const release = createBatches(async (ids: readonly string[]) => {
    await releaseEndpoints(db, owner, ids);
    return ids;
  });

  return {
    begin(endpoint, isFailing) {
      const turn: EndpointTurn = { endpoint, isFailing, underWay: new Set(), isOver: false };
      turns.set(endpoint.id, turn);
      sendDue(turn)
        .catch((err: unknown) => {
          log.error({ err, endpoint: endpoint.id }, 'cannot deliver to an endpoint; trying again');
          return leaveAlone(db, endpoint.id, now() + TROUBLE_MS);
        })
        .then(() => release(endpoint.id))
        .catch((err: unknown) => log.error({ err, endpoint: endpoint.id }, 'cannot release an endpoint; its lease will expire'))
        .finally(() => {
          turns.delete(endpoint.id);
          onEnd();
        });
    },

    free() {
      let [healthy, slow] = [MAX_HEALTHY, MAX_FAILING];
      const moment = performance.now();
      for (const { isFailing, underWay } of turns.values()) {
        const [oldest] = underWay;
        if (isFailing || (oldest && moment - oldest.since > SLOW_MS)) slow -= 1;
        else healthy -= 1;
      }
      return { healthy: Math.max(0, healthy), failing: Math.max(0, slow) };
    },

    ids: () => [...turns.keys()],

    stop() {
      for (const turn of turns.values()) turn.isOver = true;
    },

    async onIdle(deadline = Number.POSITIVE_INFINITY) {
      while (turns.size > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}

/** Endpoints that are worked for at one time, of those whose last attempt was a success, and of the others. */
const MAX_HEALTHY = 64;
const MAX_FAILING = 64;
/** A request under way for longer does not take the place of another healthy endpoint. */
const SLOW_MS = 500;
/** After an error of our own. */
const TROUBLE_MS = 30_000;
