/**
 * The admissions of the last 60 seconds, exactly: a ring of their times that grows with what the window holds.
 *
 *      oldest                    newest
 *   ┌──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┐    the window is half-open, (now − 60 s, now]: an admission made at t
 *   │  │  │t₀│t₁│t₂│t₃│t₄│t₅│  │  │  │  │    counts until just before t + 60 s
 *   └──┴──┴──┴──┴──┴──┴──┴──┴──┴──┴──┴──┘
 *
 * It keeps every admission of the window whatever the tier, so a change of tier cannot make it forget. Times are whole
 * microseconds modulo 2³² (71 minutes): four bytes each, and unambiguous because entries never grow older than two windows.
 */

export class RollingMinute {
  readonly #ring = new Ring();

  /** How many admissions the window held at the last `advance`. */
  get count(): number {
    return this.#ring.count;
  }

  /** Moves the window's end to `now` (µs) and returns it. A clock that steps back is held at the newest admission. */
  advance(now: number): number {
    const ring = this.#ring;
    const { newest } = ring;
    if (now < newest) return this.advance(newest);
    if (now - newest >= MINUTE_US) {
      ring.clear();
      return now;
    }
    while (ring.count > 0 && this.#age(0, now) >= MINUTE_US) ring.removeOldest();
    return now;
  }

  /** Microseconds from `now` until one more admission keeps within `limit`; 0 when it may be made now. */
  waitFor(limit: number, now: number): number {
    const { count } = this.#ring;
    return count < limit ? 0 : MINUTE_US - this.#age(count - limit, now);
  }

  /** Microseconds from `now` until the oldest admission leaves; 0 when the window is empty. */
  freesIn(now: number): number {
    return this.#ring.count === 0 ? 0 : MINUTE_US - this.#age(0, now);
  }

  /** Records an admission at `now`, the value that `advance` returned. */
  add(now: number): void {
    this.#ring.add(now);
  }

  /** How long before its end each admission of the span was made, in microseconds, oldest first; unless told, of all before `now`. */
  ages(now: number, { from, until }: MinuteSpan = { from: Number.NEGATIVE_INFINITY, until: now + 1 }): number[] {
    const later = now - until;
    const ages: number[] = [];
    for (let index = this.#ring.count - 1; index >= 0; index -= 1) {
      const age = this.#age(index, now);
      if (age > now - from) break;
      if (age > later) ages.push(age - Math.max(0, later));
    }
    return ages.reverse();
  }

  /** Takes back an admission made at `at`. False when it has left the window already. */
  remove(at: number): boolean {
    const low = at >>> 0;
    for (let index = this.#ring.count - 1; index >= 0; index -= 1) {
      if (this.#ring.at(index) !== low) continue;
      this.#ring.remove(index);
      return true;
    }
    return false;
  }

  /** Frees the ring when nothing has been admitted for a minute. True when it is free. */
  release(now: number): boolean {
    if (now - this.#ring.newest < MINUTE_US) return false;
    this.#ring.free();
    return true;
  }

  #age(index: number, now: number): number {
    return (now - this.#ring.at(index)) >>> 0;
  }
}

/** Times in the order in which they were added. */
class Ring {
  #times = NO_TIMES;
  #oldest = 0;
  #count = 0;
  #newest = Number.NEGATIVE_INFINITY;

  get count(): number {
    return this.#count;
  }

  /** The time that was added last, whatever was removed since; −Infinity before the first. */
  get newest(): number {
    return this.#newest;
  }

  /** The time at a place counted from the oldest, modulo 2³². */
  at(index: number): number {
    return this.#times[(this.#oldest + index) & (this.#times.length - 1)] as number;
  }

  add(time: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[(this.#oldest + this.#count) & (this.#times.length - 1)] = time;
    this.#count += 1;
    this.#newest = time;
  }

  removeOldest(): void {
    this.#oldest = (this.#oldest + 1) & (this.#times.length - 1);
    this.#count -= 1;
  }

  remove(index: number): void {
    const mask = this.#times.length - 1;
    for (let later = index + 1; later < this.#count; later += 1) {
      this.#times[(this.#oldest + later - 1) & mask] = this.at(later);
    }
    this.#count -= 1;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Lets go of the memory; the ring is empty then. */
  free(): void {
    this.#times = NO_TIMES;
    this.#oldest = 0;
    this.#count = 0;
  }

  #grow(): void {
    const times = new Uint32Array(Math.max(SMALLEST_RING, this.#times.length * 2));
    for (let index = 0; index < this.#count; index += 1) times[index] = this.at(index);
    this.#times = times;
    this.#oldest = 0;
  }
}

/** Of the counters' own minute time, microseconds; without the moment of `until`, in which more may come. */
export interface MinuteSpan {
  from: number;
  until: number;
}

/* Rolling minutes of many things under one limit, such as networks or secret URLs. */

interface MinuteWindows {
  /** `at`: microseconds of a clock that never steps back. `cost`: as how many it counts; 1 unless told. */
  of(
    name: string,
    at: number,
    cost?: number,
  ): {
    /** Microseconds until it fits; 0: now. */
    wait: number;
    /** Adds all of it. */
    add(): void;
  };
  /** Forgets what had nothing in the last minute. */
  releaseIdle(now: number): void;
}

/** Beyond `maxWatched` what was used least recently is forgotten. */
export function createMinuteWindows({ perMinute, maxWatched }: { perMinute: number; maxWatched: number }): MinuteWindows {
  /** In the order of the last recorded use. */
  const windows = new Map<string, RollingMinute>();
  return {
    of(name, at, cost = 1) {
      const window = windows.get(name) ?? new RollingMinute();
      const now = window.advance(at);
      return {
        // What costs more than a minute has is let through alone.
        wait: window.waitFor(Math.max(1, perMinute - cost + 1), now),
        add() {
          for (let n = 0; n < cost; n += 1) window.add(now);
          windows.delete(name);
          windows.set(name, window);
          if (windows.size > maxWatched) windows.delete(windows.keys().next().value ?? '');
        },
      };
    },
    releaseIdle(now) {
      for (const [name, window] of windows) {
        if (!window.release(now)) return;
        windows.delete(name);
      }
    },
  };
}

export const MINUTE_US = 60_000_000;
/** A power of two, as all sizes are, so that a position wraps with a mask. */
const SMALLEST_RING = 8;
const NO_TIMES = new Uint32Array(0);
