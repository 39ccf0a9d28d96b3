/** Extracts of a whole region: what lies far from the city is forgotten while the file is read. */

import { expect, it } from 'vitest';
import { createSink } from '../../src/addresses/formats/address-sink.ts';
import { MANY_WAYS, readOsm } from '../../src/addresses/formats/osm.ts';
import type { OsmElement } from '../../src/addresses/formats/osm-element.ts';

const TOWN = { latitude: 51.2, longitude: 6.4 };
const isInTown = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  Math.hypot(latitude - TOWN.latitude, longitude - TOWN.longitude) < 0.1;

it('keeps the buildings of the town, wherever its points stand in the file', async () => {
  for (const isNodesFirst of [true, false]) {
    const { read, passes } = regionOf({ far: MANY_WAYS + 10, near: 3, isNodesFirst });
    // It takes far houses too, so that those that it does not get were forgotten before.
    const sink = createSink();
    await readOsm(read, sink, isInTown);
    const { houses, streets } = sink.finish();
    expect({ houses, streets: streets.map(({ street }) => street) }).toEqual({ houses: 3, streets: ['Near Lane'] });
    expect(passes()).toBe(3);
  }
});

it('reads a small file twice, as before', async () => {
  const { read, passes } = regionOf({ far: 10, near: 3, isNodesFirst: true });
  const sink = createSink(isInTown);
  await readOsm(read, sink, isInTown);
  expect([sink.finish().houses, passes()]).toEqual([3, 2]);
});

/** Buildings of one corner each: those of the town come last. */
function regionOf({ far, near, isNodesFirst }: { far: number; near: number; isNodesFirst: boolean }) {
  const total = far + near;
  const isNear = (index: number) => index >= far;
  const node = (index: number): OsmElement => {
    const { latitude, longitude } = TOWN;
    return { type: 'node', id: index + 1, lat: latitude + (isNear(index) ? 0.001 * (index - far) : 2), lon: longitude };
  };
  const way = (index: number): OsmElement => ({
    type: 'way',
    id: index + 1,
    nodes: [index + 1],
    tags: { 'addr:housenumber': String(1 + index), 'addr:street': isNear(index) ? 'Near Lane' : 'Far Lane' },
  });
  let passes = 0;
  async function* read() {
    passes++;
    for (const make of isNodesFirst ? [node, way] : [way, node]) {
      for (let at = 0; at < total; at += BATCH)
        yield Array.from({ length: Math.min(BATCH, total - at) }, (_, index) => make(at + index));
    }
  }
  return { read, passes: () => passes };
}

const BATCH = 8000;
