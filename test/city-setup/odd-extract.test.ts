import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openExtract, readExtract } from '../../src/city-setup/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { TOWN } from '../support/records/extract.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

async function read(elements: readonly unknown[]) {
  const file = join(folder, 'extract.json');
  writeFileSync(file, JSON.stringify({ elements }));
  return await readExtract(await openExtract(file), TOWN);
}
const museum = { type: 'way', id: 1, tags: { tourism: 'museum', name: 'The Long Wall' } };

it('a shape of very many points has a middle', async () => {
  const points = 150_000;
  const geometry = Array.from({ length: points }, (_, index) => ({ lat: 52 + index / points, lon: -1 - index / points }));
  const [found] = (await read([{ ...museum, geometry: [...geometry, { lat: 53, lon: -2 }] }])).venues;
  expect(found?.center).toEqual({ lat: 52.5, lon: -1.5 });
});

it.each([
  { members: null },
  { type: 'relation', members: [null] },
  { type: 'relation', members: [{ type: 'way', ref: 'x', role: 'outer' }] },
  { type: 'relation', members: [{ type: 'way', ref: 2, role: 'outer', geometry: 'x' }] },
  { type: 'node', lat: 52, lon: 'x' },
  { center: { lat: 52, lon: 'x' } },
  { center: null },
  { geometry: [{ lat: 52, lon: -1 }, 7] },
  { geometry: 'x' },
  { nodes: 'abc' },
  { nodes: [null] },
  { tags: { tourism: ['museum'], name: ['x'] } },
  { tags: 'abc' },
])('an element that is none is passed over: %j', async (odd) => {
  const good = { type: 'node', id: 3, lat: 52.42, lon: -1.28, tags: { tourism: 'museum', name: 'The Short Wall' } };
  const { venues, center } = await read([{ ...museum, center: { lat: 10, lon: 10 }, ...odd }, good]);
  expect(venues.map(({ id }) => id)).toEqual([3]);
  expect(center).toEqual({ latitude: 52.42, longitude: -1.28 });
});
