/** A client that says when it reads, from any address of this machine's loopback network. */

import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawClient {
  write(bytes: string): void;
  /** All that came so far. */
  text(): string;
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
  const chunks: Buffer[] = [];
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  socket.on('error', end).on('close', end).on('end', end);
  if (reads) socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  else socket.pause();
  await once(socket, 'connect');
  return {
    write: (bytes) => void socket.write(bytes),
    text: () => Buffer.concat(chunks).toString('latin1'),
    ended: () => hasEnded,
    close: () => socket.destroy(),
  };
}
