/** Times in the order in which they were added. Where they are kept is a matter of their own: in this thread, or in memory that threads share. */
export interface Ring {
  readonly count: number;
  /** The time that was added last, whatever was removed since; −Infinity before the first. */
  readonly newest: number;
  /** Whether it holds no memory. */
  readonly isFree: boolean;
  /** The time at a place counted from the oldest, modulo 2³². */
  at(index: number): number;
  add(time: number): void;
  removeOldest(): void;
  remove(index: number): void;
  clear(): void;
  /** Lets go of the memory; the ring is empty then. */
  free(): void;
}

/** A ring of this thread alone. */
export class OwnRing implements Ring {
  #times = NO_TIMES;
  #oldest = 0;
  #count = 0;
  #newest = Number.NEGATIVE_INFINITY;

  get count(): number {
    return this.#count;
  }

  get newest(): number {
    return this.#newest;
  }

  get isFree(): boolean {
    return this.#times.length === 0;
  }

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

/** A power of two, as all sizes are, so that a position wraps with a mask. */
export const SMALLEST_RING = 8;
const NO_TIMES = new Uint32Array(0);
