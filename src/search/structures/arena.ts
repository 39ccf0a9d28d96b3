/**
 * Append-only bytes in shared memory. What was appended never changes and never moves, so every thread that was given the
 * chunks reads it without a copy and without a lock.
 *
 *     chunks  [ 64 KB ][ 128 KB ][ … ][ 8 MB ][ 8 MB ]        a place = (chunk, offset)
 */

export interface ArenaPlace {
  chunk: number;
  offset: number;
}

export class Arena {
  readonly #chunkBytes: number;
  /** As they are shared with readers. */
  readonly chunks: SharedArrayBuffer[] = [];
  /** Bytes used of each chunk. */
  readonly used: number[] = [];
  #last: Buffer = Buffer.alloc(0);
  #words: Uint32Array = new Uint32Array(0);
  /** Bytes that nothing points at any more. */
  garbage = 0;

  /** Chunks start small and double up to `chunkBytes`; an entry that is larger than that gets a chunk of its own. */
  constructor(chunkBytes = CHUNK_BYTES) {
    this.#chunkBytes = chunkBytes;
  }

  /** Chunks that were filled before, such as those read from a file. */
  static of(chunks: readonly SharedArrayBuffer[], used: readonly number[], garbage: number): Arena {
    const arena = new Arena();
    for (const chunk of chunks) arena.#open(chunk);
    arena.used.splice(0, arena.used.length, ...used);
    arena.garbage = garbage;
    return arena;
  }

  get size(): number {
    return this.used.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Appends UTF-8. Returns the place of its first byte; `bytes` must be its exact length in UTF-8. */
  appendText(text: string, bytes: number): ArenaPlace {
    const place = this.#reserve(bytes);
    this.#last.write(text, place.offset, bytes, 'utf8');
    return place;
  }

  appendBytes(bytes: Uint8Array): ArenaPlace {
    const place = this.#reserve(bytes.byteLength);
    this.#last.set(bytes, place.offset);
    return place;
  }

  /** Appends 32-bit words, aligned. */
  appendWords(words: ArrayLike<number>, count: number): ArenaPlace {
    const place = this.#reserve(count * Uint32Array.BYTES_PER_ELEMENT);
    const start = place.offset / Uint32Array.BYTES_PER_ELEMENT;
    for (let i = 0; i < count; i += 1) this.#words[start + i] = words[i]!;
    return place;
  }

  /** Appends what stands at a place of another arena. */
  appendFrom(source: Arena, chunk: number, offset: number, bytes: number): ArenaPlace {
    return this.appendBytes(new Uint8Array(source.chunks[chunk]!, offset, bytes));
  }

  #reserve(bytes: number): ArenaPlace {
    const aligned = Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    const chunk = this.chunks.length - 1;
    const used = this.used[chunk] ?? 0;
    if (chunk >= 0 && used + aligned <= this.#last.byteLength) {
      this.used[chunk] = used + aligned;
      return { chunk, offset: used };
    }
    const doubled = Math.min(this.#chunkBytes, FIRST_CHUNK_BYTES * 2 ** this.chunks.length);
    this.#open(new SharedArrayBuffer(Math.max(doubled, aligned)));
    this.used[this.chunks.length - 1] = aligned;
    return { chunk: this.chunks.length - 1, offset: 0 };
  }

  #open(chunk: SharedArrayBuffer): void {
    this.chunks.push(chunk);
    this.used.push(0);
    this.#last = Buffer.from(chunk);
    this.#words = new Uint32Array(chunk, 0, Math.floor(chunk.byteLength / Uint32Array.BYTES_PER_ELEMENT));
  }
}

const FIRST_CHUNK_BYTES = 64 * 1024;
/** Large enough that a million events need about two hundred, small enough that the last one wastes little. */
const CHUNK_BYTES = 8 * 1024 * 1024;
const ALIGNMENT = 4;
