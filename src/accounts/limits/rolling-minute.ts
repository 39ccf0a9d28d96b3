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
  #times = NO_TIMES;
  #oldest = 0;
  #count = 0;
  #newest = Number.NEGATIVE_INFINITY;

  /** How many admissions the window held at the last `advance`. */
  get count(): number {
    return this.#count;
  }

  /** Moves the window's end to `now` (µs) and returns it. A clock that steps back is held at the newest admission. */
  advance(now: number): number {
    if (now < this.#newest) return this.advance(this.#newest);
    if (now - this.#newest >= MINUTE_US) {
      this.#count = 0;
      return now;
    }
    const mask = this.#times.length - 1;
    while (this.#count > 0 && this.#age(0, now) >= MINUTE_US) {
      this.#oldest = (this.#oldest + 1) & mask;
      this.#count -= 1;
    }
    return now;
  }

  /** Microseconds from `now` until one more admission keeps within `limit`; 0 when it may be made now. */
  waitFor(limit: number, now: number): number {
    return this.#count < limit ? 0 : MINUTE_US - this.#age(this.#count - limit, now);
  }

  /** Microseconds from `now` until the oldest admission leaves; 0 when the window is empty. */
  freesIn(now: number): number {
    return this.#count === 0 ? 0 : MINUTE_US - this.#age(0, now);
  }

  /** Records an admission at `now`, the value that `advance` returned. */
  add(now: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[(this.#oldest + this.#count) & (this.#times.length - 1)] = now;
    this.#count += 1;
    this.#newest = now;
  }

  /** How long ago each admission was made, in microseconds from `now`, oldest first. */
  ages(now: number): number[] {
    return Array.from({ length: this.#count }, (_, index) => this.#age(index, now));
  }

  /** Takes back an admission made at `at`. False when it has left the window already. */
  remove(at: number): boolean {
    const mask = this.#times.length - 1;
    const low = at >>> 0;
    for (let index = this.#count - 1; index >= 0; index -= 1) {
      if (this.#times[(this.#oldest + index) & mask] !== low) continue;
      for (let later = index + 1; later < this.#count; later += 1) {
        this.#times[(this.#oldest + later - 1) & mask] = this.#times[(this.#oldest + later) & mask] as number;
      }
      this.#count -= 1;
      return true;
    }
    return false;
  }

  /** Frees the ring when nothing has been admitted for a minute. True when it is free. */
  release(now: number): boolean {
    if (now - this.#newest < MINUTE_US) return false;
    this.#times = NO_TIMES;
    this.#oldest = 0;
    this.#count = 0;
    return true;
  }

  #age(index: number, now: number): number {
    return (now - (this.#times[(this.#oldest + index) & (this.#times.length - 1)] as number)) >>> 0;
  }

  #grow(): void {
    const { length } = this.#times;
    const times = new Uint32Array(Math.max(SMALLEST_RING, length * 2));
    for (let index = 0; index < length; index += 1) times[index] = this.#times[(this.#oldest + index) & (length - 1)] as number;
    this.#times = times;
    this.#oldest = 0;
  }
}

export const MINUTE_US = 60_000_000;
/** Powers of two, so that a position wraps with a mask. */
const SMALLEST_RING = 8;
const NO_TIMES = new Uint32Array(0);
