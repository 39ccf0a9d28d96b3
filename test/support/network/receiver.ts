/** A customer's endpoint on loopback: remembers what it got, and answers as the test says. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: Record<string, string>;
  /** As it came. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every type.
  body: any;
  at: number;
}

export interface Receiver {
  port: number;
  /** `127.0.0.1:port`, for the list of allowed hosts. */
  host: string;
  url: string;
  /** Without challenges. */
  received: Received[];
  challenges: Received[];
  /** How messages are answered; challenges are returned unless `proves` is false, and with all that came if it is `echo`. */
  answer: (response: ServerResponse, received: Received, request: IncomingMessage) => void;
  proves: boolean | 'echo';
  /** Requests under way at once, at most. */
  mostAtOnce: number;
  close(): Promise<void>;
}

export const accept = (response: ServerResponse): void => void response.writeHead(204).end();
export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = '') =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body);

export async function openReceiver(): Promise<Receiver> {
  let atOnce = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    atOnce += 1;
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, atOnce);
    response.on('close', () => {
      atOnce -= 1;
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const received = { headers: request.headers as Record<string, string>, text, body: JSON.parse(text), at: Date.now() };
      const challenge = received.body.type === 'verification' ? received.body.challenge : received.body.data?.challenge;
      if (received.body.type === 'endpoint.challenge' || received.body.type === 'verification') {
        receiver.challenges.push(received);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(receiver.proves === 'echo' ? text : receiver.proves ? JSON.stringify({ challenge }) : '{}');
        return;
      }
      receiver.received.push(received);
      receiver.answer(response, received, request);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    port,
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/hooks`,
    received: [],
    challenges: [],
    answer: accept,
    proves: true,
    mostAtOnce: 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
