import { afterAll, expect, test } from 'vitest';
import { openRawClient, type RawClient } from '../support/network/raw-client.ts';
import { createTestApi } from '../support/rigs/api.ts';

/** None is closed for its idleness: a busy machine takes minutes to open them. */
const IDLE_MS = 600_000;
const api = createTestApi({
  limits: { headersTimeout: IDLE_MS, requestTimeout: IDLE_MS, keepAliveTimeout: IDLE_MS, stallTimeout: IDLE_MS },
});
const clients: RawClient[] = [];
afterAll(async () => {
  for (const client of clients) client.close();
  await api.close();
});

test('thousands of idle connections, from many networks and from one, cost nobody else an answer', async () => {
  const port = await api.port();
  const count = () =>
    new Promise<number>((resolve) => api.server.app.server.getConnections((_error, connections) => resolve(connections)));
  const open = async (from: string, connections: number) => {
    for (let n = 0; n < connections; n += 1) clients.push(await openRawClient({ port, from }));
  };
  for (let network = 2; network < 6; network += 1) await open(`127.0.0.${network}`, 500);
  await expect.poll(count).toBe(2_000);
  // One network holds a thousand, however many it opens.
  await open('127.0.0.9', 1_200);
  await expect.poll(count).toBe(3_000);
  const answer = await api.send('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect(answer.text).toContain('200 OK');
  for (const client of clients.slice(0, 2_000)) expect(client.ended()).toBe(false);
});
