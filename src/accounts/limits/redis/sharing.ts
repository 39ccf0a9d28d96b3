/**
 * Whether limits are shared. A call that Redis does not answer in time, or refuses, ends the sharing; from then on each process is
 * alone, until Redis has taken a write in time again and everybody has had time to bring their counts.
 *
 *   shared ──a call fails──► alone ──a probe succeeds──► returning ──300 ms──► shared
 *                              ▲                             │
 *                              └────────a call fails─────────┘
 */

import { createProbing } from './probing.ts';
import { RedisFault } from './redis-fault.ts';

export type SharingState = 'alone' | 'returning' | 'shared';

export interface Sharing {
  state(): SharingState;
  generation(): number;
  /** Monotonic ms. */
  aloneSince(): number;
  fail(fault: RedisFault): void;
  onReturn(work: () => Promise<void>): void;
  begin(): Promise<void>;
  close(): void;
}

export interface SharingOptions {
  /** Rejects unless Redis takes a write in time. */
  probe(): Promise<void>;
  /** For a connection that is open at both ends, and nothing passes. */
  reconnect(): void;
  onAlone(fault: RedisFault): void;
  onShared(alone: { ms: number }): void;
}

export function createSharing({ probe, reconnect, onAlone, onShared }: SharingOptions): Sharing {
  const returnWork: (() => Promise<void>)[] = [];
  let state: SharingState = 'alone';
  let generation = 0;
  let aloneAt = performance.now();
  const stateNow = (): SharingState => state;
  const beginning = createBeginning(() => onAlone(new RedisFault('unreachable')));
  const probing = createProbing({
    probe,
    reconnect,
    onAnswer: () => (beginning.isOver() ? void comeBack() : share()),
    onMiss: beginning.miss,
  });

  function fail(fault: RedisFault): void {
    if (state === 'alone') return;
    const wasShared = state === 'shared';
    state = 'alone';
    probing.goOn();
    if (!wasShared) return;
    aloneAt = performance.now();
    onAlone(fault);
  }

  /** Counts are brought while all processes are still alone: the first who decides there again finds those of the others. */
  async function comeBack(): Promise<void> {
    state = 'returning';
    try {
      await Promise.all(returnWork.map((work) => work()));
    } catch {
      fail(new RedisFault('other'));
    }
    if (stateNow() === 'returning') probing.later(() => probe().then(shareAgain, () => undefined), RETURN_MS);
  }

  function shareAgain(): void {
    if (state !== 'returning') return;
    share();
    onShared({ ms: performance.now() - aloneAt });
    for (const work of returnWork) work().catch(() => fail(new RedisFault('other')));
  }

  function share(): void {
    state = 'shared';
    // 1 says that this process never was alone.
    generation = beginning.isOver() ? Math.max(1, generation) + 1 : 1;
    beginning.end();
  }

  return {
    state: stateNow,
    generation: () => generation,
    aloneSince: () => aloneAt,
    fail,
    onReturn: (work) => void returnWork.push(work),
    begin() {
      void probing.look();
      return beginning.ended;
    },
    close() {
      probing.close();
      state = 'alone';
    },
  };
}

/** The start, which waits for Redis, but not for long. */
function createBeginning(onGivenUp: () => void) {
  const began = Promise.withResolvers<void>();
  const begunAt = performance.now();
  let isOver = false;
  const end = (): void => {
    isOver = true;
    began.resolve();
  };
  return {
    ended: began.promise,
    isOver: () => isOver,
    end,
    /** A probe has failed. */
    miss(): void {
      if (isOver || performance.now() - begunAt <= BEGIN_MS) return;
      end();
      onGivenUp();
    },
  };
}

/** Longer than another process needs to notice that Redis is back. */
const RETURN_MS = 300;
/** How long a start waits for Redis. */
const BEGIN_MS = 1_000;
