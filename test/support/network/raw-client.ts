/** A client that says when it reads, from any address of this machine's loopback network. */

import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawClient {
  write(bytes: string): void;
  /** All that came so far. */
  text(): string;
  /** How many times this stands in what came so far. */
  count(text: string): number;
  /** Whether the other side has ended the connection. */
  ended(): boolean;
  close(): void;
}

export interface RawClientOptions {
  port: number;
  /** 127.0.0.1 unless told. */
  from?: string;
  /** False: takes nothing that is sent to it. */
  reads?: boolean;
}

export async function openRawClient({ port, from = '127.0.0.1', reads = true }: RawClientOptions): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  let text = '';
  const counts = new Map<string, { upTo: number; times: number }>();
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  socket.on('error', end).on('close', end).on('end', end);
  if (reads) socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  else socket.pause();
  await once(socket, 'connect');
  return {
    write: (bytes) => void socket.write(bytes),
    text: () => text,
    // Each part is looked at once: who waits for thousands of answers asks often.
    count(part) {
      const found = counts.get(part) ?? { upTo: 0, times: 0 };
      counts.set(part, found);
      for (let at = text.indexOf(part, found.upTo); at >= 0; at = text.indexOf(part, found.upTo)) {
        found.upTo = at + part.length;
        found.times += 1;
      }
      found.upTo = Math.max(found.upTo, text.length - part.length + 1);
      return found.times;
    },
    ended: () => hasEnded,
    close: () => socket.destroy(),
  };
}
