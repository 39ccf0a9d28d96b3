/**
 * A lock in shared memory, for work of less than a microsecond that never waits for anything. A thread that is stopped by the system in
 * the middle of it makes others sleep, so nobody spins for long (Drepper, "Futexes Are Tricky", mutex 2).
 */

/** `at`: the word of the lock, which is `FREE` at first. */
export function lock(words: Int32Array, at: number): void {
  if (Atomics.compareExchange(words, at, FREE, HELD) === FREE) return;
  for (let turn = 0; turn < SPINS; turn += 1) {
    Atomics.pause();
    if (Atomics.compareExchange(words, at, FREE, HELD) === FREE) return;
  }
  let timeouts = 0;
  while (Atomics.exchange(words, at, AWAITED) !== FREE) {
    if (Atomics.wait(words, at, AWAITED, WAIT_MS) !== 'timed-out') continue;
    timeouts += 1;
    // After a process was stopped and continued, one wait has timed out without anybody's fault.
    if (timeouts === MAX_TIMEOUTS) throw new Error('a thread has ended while it counted a request');
  }
}

export function unlock(words: Int32Array, at: number): void {
  if (Atomics.exchange(words, at, FREE) === AWAITED) Atomics.notify(words, at, 1);
}

const FREE = 0;
const HELD = 1;
/** Held, and others may sleep until it is free. */
const AWAITED = 2;
const SPINS = 64;
const WAIT_MS = 1_000;
const MAX_TIMEOUTS = 5;
