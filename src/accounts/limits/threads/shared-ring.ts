import { type Ring, SMALLEST_RING } from '../ring.ts';
import type { SharedWords } from './shared-words.ts';

/** Gives a ring larger memory. Absent where rings have all they ever need. */
export interface RingSource {
  /** The first word of memory for `capacity` times. */
  allocate(capacity: number): number;
  free(start: number, capacity: number): void;
}

/**
 * A ring in shared memory, seen by one thread. It stands for one ring at a time: `point` says for which. The caller holds a lock of
 * that ring from then on until it is done.
 *
 *   state   [ start | capacity | oldest | count | newest (a double) ]        start: where the times are
 */
export class SharedRing implements Ring {
  readonly #states: SharedWords;
  readonly #times: SharedWords;
  readonly #source: RingSource | null;
  #at = 0;

  /** `states` and `times` may be the same memory. */
  constructor(states: SharedWords, times: SharedWords, source: RingSource | null) {
    this.#states = states;
    this.#times = times;
    this.#source = source;
  }

  /** `at`: the first word of its state, an even one. */
  point(at: number): void {
    this.#at = at;
    this.#times.reach(this.#read(START) + this.#read(CAPACITY));
  }

  get count(): number {
    return this.#read(COUNT);
  }

  get newest(): number {
    return this.#states.doubles[(this.#at + NEWEST) >> 1] as number;
  }

  get isFree(): boolean {
    return this.#read(CAPACITY) === 0;
  }

  at(index: number): number {
    return (this.#times.ints[this.#place(index)] as number) >>> 0;
  }

  add(time: number): void {
    const count = this.#read(COUNT);
    if (count === this.#read(CAPACITY)) this.#grow();
    this.#times.ints[this.#place(count)] = time;
    this.#write(COUNT, count + 1);
    this.#states.doubles[(this.#at + NEWEST) >> 1] = time;
  }

  removeOldest(): void {
    const next = this.#read(OLDEST) + 1;
    this.#write(OLDEST, next === this.#read(CAPACITY) ? 0 : next);
    this.#write(COUNT, this.#read(COUNT) - 1);
  }

  remove(index: number): void {
    const count = this.#read(COUNT);
    for (let later = index + 1; later < count; later += 1) this.#times.ints[this.#place(later - 1)] = this.at(later);
    this.#write(COUNT, count - 1);
  }

  clear(): void {
    this.#write(COUNT, 0);
  }

  free(): void {
    if (this.#source && !this.isFree) this.#source.free(this.#read(START), this.#read(CAPACITY));
    this.begin(0, 0, this.newest);
  }

  /** An empty ring whose times are at `start`. */
  begin(start: number, capacity: number, newest: number): void {
    this.#write(START, start);
    this.#write(CAPACITY, capacity);
    this.#write(OLDEST, 0);
    this.#write(COUNT, 0);
    this.#states.doubles[(this.#at + NEWEST) >> 1] = newest;
  }

  #grow(): void {
    if (!this.#source) throw new RangeError('this ring is full');
    const [start, capacity, count, newest] = [this.#read(START), this.#read(CAPACITY), this.#read(COUNT), this.newest];
    const larger = Math.max(SMALLEST_RING, capacity * 2);
    const place = this.#source.allocate(larger);
    this.#times.reach(place + larger);
    for (let index = 0; index < count; index += 1) this.#times.ints[place + index] = this.at(index);
    if (capacity > 0) this.#source.free(start, capacity);
    this.begin(place, larger, newest);
    this.#write(COUNT, count);
  }

  #place(index: number): number {
    const place = this.#read(OLDEST) + index;
    const capacity = this.#read(CAPACITY);
    return this.#read(START) + (place < capacity ? place : place - capacity);
  }

  #read(word: number): number {
    return this.#states.ints[this.#at + word] as number;
  }

  #write(word: number, value: number): void {
    this.#states.ints[this.#at + word] = value;
  }
}

const START = 0;
const CAPACITY = 1;
const OLDEST = 2;
const COUNT = 3;
/** At an even word of the state, so that a double can stand there. */
const NEWEST = 4;
/** Words of a state. */
export const RING_STATE = 6;
