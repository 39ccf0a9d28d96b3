/**
 * Whether limits are shared. A call that Redis does not answer in time, or refuses, ends the sharing; from then on each process is
 * alone, until Redis has taken a write in time again and everybody has had time to bring their counts.
 *
 *   shared ──a call fails──► alone ──a probe succeeds──► returning ──300 ms──► shared
 *                              ▲                             │
 *                              └────────a call fails─────────┘
 */

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
  const began = Promise.withResolvers<void>();
  const returnWork: (() => Promise<void>)[] = [];
  let state: SharingState = 'alone';
  let generation = 0;
  let aloneAt = performance.now();
  let isBeginning = true;
  let isClosed = false;
  let missed = 0;
  let timer: NodeJS.Timeout | undefined;

  const later = (work: () => unknown, ms: number): void => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(work, ms).unref();
  };
  const stateNow = (): SharingState => state;

  function fail(fault: RedisFault): void {
    if (state === 'alone') return;
    const wasShared = state === 'shared';
    state = 'alone';
    later(look, PROBE_EVERY_MS);
    if (!wasShared) return;
    aloneAt = performance.now();
    onAlone(fault);
  }

  async function look(): Promise<void> {
    try {
      await probe();
      missed = 0;
    } catch {
      miss();
      return;
    }
    if (isBeginning) share();
    else await comeBack();
  }

  function miss(): void {
    missed += 1;
    if (missed % MAX_MISSED === 0) reconnect();
    if (isBeginning && performance.now() - aloneAt > BEGIN_MS) {
      isBeginning = false;
      began.resolve();
      onAlone(new RedisFault('unreachable'));
    }
    later(look, PROBE_EVERY_MS);
  }

  /** Counts are brought while all processes are still alone: the first who decides there again finds those of the others. */
  async function comeBack(): Promise<void> {
    state = 'returning';
    try {
      await Promise.all(returnWork.map((work) => work()));
    } catch {
      fail(new RedisFault('other'));
    }
    if (stateNow() === 'returning') later(() => probe().then(shareAgain, () => undefined), RETURN_MS);
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
    generation = isBeginning ? 1 : Math.max(1, generation) + 1;
    isBeginning = false;
    began.resolve();
  }

  return {
    state: stateNow,
    generation: () => generation,
    aloneSince: () => aloneAt,
    fail,
    onReturn: (work) => void returnWork.push(work),
    begin() {
      void look();
      return began.promise;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      state = 'alone';
    },
  };
}

const PROBE_EVERY_MS = 100;
const MAX_MISSED = 8;
/** Longer than another process needs to notice that Redis is back. */
const RETURN_MS = 300;
/** How long a start waits for Redis. */
const BEGIN_MS = 1_000;
