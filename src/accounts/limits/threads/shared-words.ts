/** Memory that all threads of the process see, and that any of them may make larger. */

/** The system gives pages when they are first written, so what is reserved costs address space alone. */
export const createWords = (maxBytes: number): SharedArrayBuffer =>
  new SharedArrayBuffer(FIRST_BYTES, { maxByteLength: maxBytes });

/** One thread's view of it. */
export class SharedWords {
  readonly #memory: SharedArrayBuffer;
  ints: Int32Array;
  doubles: Float64Array;

  constructor(memory: SharedArrayBuffer) {
    this.#memory = memory;
    this.ints = new Int32Array(memory);
    this.doubles = new Float64Array(memory);
  }

  /** Makes the view at least so long. Words up to there must exist. */
  reach(words: number): void {
    if (this.ints.length >= words) return;
    // Fixed lengths: views that follow the memory's length cost each access more.
    this.ints = new Int32Array(this.#memory, 0, this.#memory.byteLength / INT_BYTES);
    this.doubles = new Float64Array(this.#memory, 0, this.#memory.byteLength / DOUBLE_BYTES);
  }

  /** Makes the memory at least so long, under a lock of the caller. Throws a `RangeError` beyond its maximum. */
  grow(words: number): void {
    const wanted = words * INT_BYTES;
    if (this.#memory.byteLength < wanted) {
      const doubled = Math.min(this.#memory.maxByteLength, this.#memory.byteLength * 2);
      this.#memory.grow(Math.max(doubled, wanted));
    }
    this.reach(words);
  }
}

const FIRST_BYTES = 65_536;
const INT_BYTES = 4;
const DOUBLE_BYTES = 8;
