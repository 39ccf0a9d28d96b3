/** One engine is enough: nothing here asks a database. */

import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { claimAddress } from '../../src/server/index.ts';
import { freePort } from '../support/network/free-port.ts';

const host = '127.0.0.1';

async function listenAt(port: number): Promise<void> {
  const server = createServer();
  await once(server.listen(port, host), 'listening');
  await once(server.close(), 'close');
}

it('a port that was chosen for a service belongs to nobody else until the service listens', async () => {
  const address = await claimAddress({ host, port: 0 });
  await expect(listenAt(address.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await address.release();
  await address.release();
  await listenAt(address.port);
});

it('at a port that was given nobody listens before the service does', async () => {
  const port = await freePort();
  const address = await claimAddress({ host, port });
  expect(address).toMatchObject({ host, port, url: `http://127.0.0.1:${port}` });
  await listenAt(port);
});
