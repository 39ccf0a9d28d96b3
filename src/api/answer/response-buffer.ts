/**
 * A body with room in front of it, so that head and body leave in one write without being copied together.
 *
 *     ┌──── room ────┬──── body ────┐
 *     │       │ head │              │      the head is written against the body, and one view of both is sent
 *     └───────┴──────┴──────────────┘
 */
export class ResponseBuffer {
  #bytes: Buffer;

  constructor(body: Uint8Array) {
    // Memory of its own: it stays long, and would keep what it shared.
    this.#bytes = Buffer.allocUnsafeSlow(ROOM + body.length);
    this.#bytes.set(body, ROOM);
  }

  /** Without the room. Not to be written to. */
  get body(): Buffer {
    return this.#bytes.subarray(ROOM);
  }

  get length(): number {
    return this.#bytes.length - ROOM;
  }

  /** Octets of memory. */
  get size(): number {
    return this.#bytes.length;
  }

  /** Head and body as one, good until the next call; null when the head does not fit. `head`: Latin-1. */
  withHead(head: string): Buffer | null {
    if (head.length > ROOM) return null;
    const start = ROOM - head.length;
    this.#bytes.write(head, start, 'latin1');
    return this.#bytes.subarray(start);
  }

  /** What `withHead` gave last is still on its way: it keeps its bytes, and the next head goes before a copy of the body. */
  leave(): void {
    const { body } = this;
    this.#bytes = Buffer.allocUnsafeSlow(ROOM + body.length);
    this.#bytes.set(body, ROOM);
  }
}

/** Octets; twice the head of a usual list. */
const ROOM = 2_048;
