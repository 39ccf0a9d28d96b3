import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openOutbound } from '../../src/outbound/index.ts';
import { FEED_MAPPING, listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
let inner: Server;
let asked = 0;

beforeAll(async () => {
  inner = createServer((_, response) => {
    asked++;
    response.end();
  });
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => inner.close(resolve)));

it('keeps the address of a picture and never asks for it, wherever it leads', async () => {
  const { port } = inner.address() as AddressInfo;
  const image = `http://127.0.0.1:${port}/picture.png`;
  const mapping = { ...FEED_MAPPING, fields: { ...FEED_MAPPING.fields, image: 'picture' } };
  await two.store.db
    .updateTable('source')
    .set({ mapping: JSON.stringify(mapping) })
    .where('name', '=', 'radio')
    .execute();
  two.radio.write([listing('1', { picture: image }), listing('2', { picture: 'file:///etc/passwd' })]);
  // Allowed on purpose: nothing but that nobody asks keeps it from being fetched.
  const outbound = openOutbound({ allowedHosts: ['127.0.0.1'] });
  await two.radio.run({ outbound });
  await two.radio.run({ outbound, version: 'next' });
  await outbound.close();
  const kept = await two.store.db.selectFrom('event').select('image_url').orderBy('title').execute();
  expect(kept.map(({ image_url }) => image_url)).toEqual([image, null]);
  expect(asked).toBe(0);
});
