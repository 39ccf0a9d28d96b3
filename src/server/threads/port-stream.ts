import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

type Message = Uint8Array | 'taken' | 'end';
type Done = (error?: Error | null) => void;

/**
 * A connection from one thread to another: what is written here is read there. One piece at a time is under way, and the next one leaves
 * when the reader wants more.
 */
export class PortStream extends Duplex {
  readonly #port: MessagePort;
  /** As of a socket: who is at the other end of the client's connection. */
  readonly remoteAddress: string;
  #onTaken: Done | null = null;
  #owesTaken = false;

  constructor(port: MessagePort, remoteAddress = '') {
    super();
    this.#port = port;
    this.remoteAddress = remoteAddress;
    port.on('message', (message: Message) => this.#receive(message));
    port.once('close', () => this.destroy());
  }

  /** Node's HTTP sets these of every socket. The client's own connection has the time limits. */
  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  #receive(message: Message): void {
    if (message === 'end') this.push(null);
    else if (message === 'taken') this.#concludeWrite(null);
    else if (this.push(Buffer.from(message.buffer, message.byteOffset, message.byteLength))) this.#post('taken');
    else this.#owesTaken = true;
  }

  override _read(): void {
    if (!this.#owesTaken) return;
    this.#owesTaken = false;
    this.#post('taken');
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this._writev([{ chunk }], done);
  }

  override _writev(chunks: readonly { chunk: Buffer }[], done: Done): void {
    this.#onTaken = done;
    const bytes = new Uint8Array(chunks.reduce((sum, { chunk }) => sum + chunk.length, 0));
    let at = 0;
    for (const { chunk } of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.#port.postMessage(bytes, [bytes.buffer]);
  }

  override _final(done: Done): void {
    this.#post('end');
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#port.close();
    this.#concludeWrite(error ?? new Error('the other thread has closed this connection'));
    done(error);
  }

  #concludeWrite(error: Error | null): void {
    const done = this.#onTaken;
    this.#onTaken = null;
    done?.(error);
  }

  #post(message: Message): void {
    this.#port.postMessage(message);
  }
}
