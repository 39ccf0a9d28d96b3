import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExtract } from '../../src/city-setup/index.ts';
import { covers, polygons } from '../../src/values/polygon.ts';
import { TOWN, townExtract } from '../support/records/extract.ts';

type Batch = Parameters<typeof readExtract>[0] extends () => AsyncIterable<infer B> ? B : never;

const read = (elements: readonly object[], name = TOWN, center: Parameters<typeof readExtract>[2] = null) =>
  readExtract(
    async function* () {
      yield elements as Batch;
    },
    name,
    center,
  );

const slugsOf = ({ neighborhoods }: Awaited<ReturnType<typeof read>>) =>
  neighborhoods.map(({ properties }) => properties.slug).sort();
const ring = (points: readonly (readonly [number, number])[]) => points.map(([lon, lat]) => ({ lat, lon }));
const area = (id: number, name: string, west: number, south: number, size: number) => ({
  type: 'way',
  id,
  tags: { place: 'suburb', name },
  geometry: ring([
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ]),
});

describe('an extract of a town', () => {
  it('gives its center, its country, its neighborhoods and its venues', async () => {
    const extract = await read(townExtract().elements);
    expect(extract.center).toEqual({ latitude: 52.42, longitude: -1.28 });
    expect(extract.country).toBe('GB');
    expect(slugsOf(extract)).toEqual(['cooper-row', 'gull-common', 'tanner-hill', 'weirside']);
    expect(extract.cutAreas).toEqual(['Farther Field']);
    expect(extract.venues.map(({ tags }) => tags?.name)).toEqual([
      'Larkholt Town Hall',
      'Weirside Library',
      'The Old Mill',
      'The Brass Otter',
    ]);
    expect(extract.venues[2]).toMatchObject({ type: 'way', center: { lat: 52.4285, lon: -1.2915 } });
    expect(extract.houseNumbers).toBe(10);
  });

  it('describes the parts of a district by its name', async () => {
    const { neighborhoods } = await read(townExtract().elements);
    const described = new Map(neighborhoods.map(({ properties }) => [properties.slug, properties.description]));
    expect(described.get('weirside')).toBe('Old Town');
    expect(described.get('tanner-hill')).toBeNull();
  });

  it('has its middle as center if it does not name the city, and neighborhoods of the city alone if it has its border', async () => {
    const other = await read(townExtract().elements, 'Elsewhere');
    expect(other.center?.latitude).toBeCloseTo(52.405, 2);
    const border = { ...area(900, TOWN, -1.3, 52.4, 0.02), tags: { boundary: 'administrative', admin_level: '8', name: TOWN } };
    expect(slugsOf(await read([...townExtract().elements, border]))).toEqual(['cooper-row']);
  });

  it('reaches as far as its border and 20 km, else 60 km', async () => {
    expect(await read(townExtract().elements)).toMatchObject({ hasBorder: false, radiusKm: 60 });
    const border = { ...area(900, TOWN, -1.3, 52.4, 0.04), tags: { boundary: 'administrative', admin_level: '8', name: TOWN } };
    expect(await read([...townExtract().elements, border])).toMatchObject({ hasBorder: true, radiusKm: 23 });
  });

  it('of a whole region gives the city alone', async () => {
    const named = (name: string) => ({ boundary: 'administrative', admin_level: '8', name });
    const far = [
      { type: 'node', id: 901, lat: 52.9, lon: -1.28, tags: { amenity: 'theatre', name: 'Far Theatre' } },
      { type: 'node', id: 902, lat: 52.9, lon: -1.28, tags: { place: 'hamlet', name: TOWN } },
      { ...area(903, TOWN, -1.3, 52.88, 0.02), tags: named(TOWN) },
      // A county with the name of its town.
      { ...area(904, TOWN, -2, 52, 1), tags: { ...named(TOWN), admin_level: '6' } },
      { ...area(905, TOWN, -1.3, 52.4, 0.06), tags: named(TOWN) },
    ];
    const found = await read([...far, ...townExtract().elements]);
    expect(found).toMatchObject({ center: { latitude: 52.42 }, namesakes: 1, radiusKm: 26 });
    expect(found.venues).toHaveLength(4);
    const other = await read([...far, ...townExtract().elements], TOWN, { latitude: 52.89, longitude: -1.29 });
    expect(other).toMatchObject({ center: { latitude: 52.89 }, namesakes: 0, hasBorder: true });
    expect(other.venues.map(({ tags }) => tags?.name)).toEqual(['Far Theatre']);
  });

  it('has the middle of its addresses as center if no place has its name', async () => {
    const house = (id: number, lat: number, city: string) => ({
      ...{ type: 'node', id, lat, lon: -1.2 },
      tags: { 'addr:housenumber': String(id), 'addr:street': 'Reed Lane', 'addr:city': city },
    });
    const houses = Array.from({ length: 60 }, (_, id) =>
      house(id, id < 21 ? 52.5 + id / 10_000 : 53, id < 21 ? 'Reedham' : 'Sloe'),
    );
    expect(await read(houses, 'Reedham')).toMatchObject({ center: { latitude: 52.501, longitude: -1.2 }, isCenterGuessed: true });
  });

  it('has the venues nearest to the center where it has more than a source may list', async () => {
    const bars = Array.from({ length: 50_010 }, (_, index) => ({
      ...{ type: 'node', id: index, lat: 52.42 + (50_010 - index) / 1e6, lon: -1.28 },
      tags: { amenity: 'bar', name: `Bar ${index}` },
    }));
    const { venues, venuesLeftOut } = await read(bars, TOWN, { latitude: 52.42, longitude: -1.28 });
    expect([venues.length, venuesLeftOut, venues[0]?.tags?.name]).toEqual([50_000, 10, 'Bar 50009']);
  });

  it('says that its center is the middle of a file that does not name it', async () => {
    expect(await read(townExtract().elements, 'Elsewhere')).toMatchObject({ isCenterGuessed: true, hasBorder: false });
    expect(await read(townExtract().elements)).toMatchObject({ isCenterGuessed: false });
  });

  it('keeps a district whose parts do not fill half of it', async () => {
    const areas = [area(1, 'Great Field', 1, 50, 0.04), area(2, 'Corner', 1, 50, 0.01)];
    expect(slugsOf(await read(areas))).toEqual(['great-field']);
  });

  it('holds nothing where nothing is named', async () => {
    expect(await read([])).toEqual({
      ...{ center: null, isCenterGuessed: false, namesakes: 0, hasBorder: false, radiusKm: 60, country: null },
      ...{ neighborhoods: [], cutAreas: [], venues: [], venuesLeftOut: 0, houseNumbers: 0 },
    });
  });
});

const corners = fc
  .integer({ min: 3, max: 12 })
  .map((count) =>
    Array.from({ length: count }, (_, index): [number, number] => [
      1 + Math.round(Math.cos((2 * Math.PI * index) / count) * 1e4) / 1e6,
      50 + Math.round(Math.sin((2 * Math.PI * index) / count) * 1e4) / 1e6,
    ]),
  );

it('a border is whole however its ways are cut, turned and ordered', async () => {
  const cuts = fc.record({
    corners,
    cut: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    turn: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    seed: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(cuts, async ({ corners, cut, turn, seed }) => {
      const closed = [...corners, corners[0] as [number, number]];
      const lines: [number, number][][] = [[closed[0] as [number, number]]];
      for (const [index, corner] of closed.slice(1).entries()) {
        lines.at(-1)?.push(corner);
        if (cut[index] && index < closed.length - 2) lines.push([corner]);
      }
      const turned = lines.map((line, index) => (turn[index] ? line.toReversed() : line));
      const ordered = turned.map((line, index) => ({ line, rank: (index * 7919 + seed) % 13 })).sort((a, b) => a.rank - b.rank);
      const members = ordered.map(({ line }, ref) => ({ type: 'way', ref, role: 'outer', geometry: ring(line) }));
      const relation = {
        type: 'relation',
        id: 1,
        tags: { boundary: 'administrative', admin_level: '10', name: 'Whole' },
        members,
      };
      const [found] = (await read([relation])).neighborhoods;
      const [outer] = found ? (polygons(found.geometry)[0] ?? []) : [];
      expect(new Set(outer?.map(String))).toEqual(new Set(corners.map(String)));
      expect(outer).toHaveLength(closed.length);
    }),
  );
});

it('no point lies in two neighborhoods, and a place without an area lies in its own', async () => {
  const degrees = (most: number) => fc.integer({ min: 0, max: most }).map((thousandths) => thousandths / 1000);
  const places = fc.uniqueArray(fc.record({ east: degrees(60), north: degrees(60) }), {
    minLength: 1,
    maxLength: 8,
    selector: ({ east, north }) => `${east} ${north}`,
  });
  await fc.assert(
    fc.asyncProperty(places, places, async (places, probes) => {
      const nodes = places.map(({ east, north }, id) => ({
        type: 'node',
        id,
        lat: 50 + north,
        lon: 1 + east,
        tags: { place: 'suburb', name: `Place ${id}` },
      }));
      const { neighborhoods } = await read([area(99, 'Square', 1.01, 50.01, 0.02), ...nodes]);
      const holding = (lat: number, lon: number, inset = 0) =>
        neighborhoods.filter(({ geometry }) => polygons(geometry).some((polygon) => covers(polygon, lon + inset, lat + inset)));
      // Off the borders, which belong to both sides.
      for (const { east, north } of probes) expect(holding(50 + north, 1 + east, 0.000317).length).toBeLessThanOrEqual(1);
      for (const { properties, geometry } of neighborhoods) {
        const node = nodes.find(({ tags }) => tags.name === properties.name);
        if (node) expect(polygons(geometry).some((polygon) => (covers(polygon, node.lon, node.lat) ? polygon : null))).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});
