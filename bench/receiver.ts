/**
 * The customers of the webhook bench: one receiver for all endpoints, a process of its own, as customers have machines of their own.
 * It proves that it owns its address, accepts every message, and tells its parent when each one came.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Milliseconds on a clock that parent and child share. */
let arrivals: number[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { type, data } = JSON.parse(Buffer.concat(chunks).toString()) as { type: string; data: { challenge?: string } };
    if (type === 'endpoint.challenge') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ challenge: data.challenge }));
      return;
    }
    arrivals.push(performance.timeOrigin + performance.now());
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

setInterval(() => {
  if (arrivals.length === 0) return;
  process.send?.({ arrivals });
  arrivals = [];
}, 5);
process.on('disconnect', () => process.exit());
