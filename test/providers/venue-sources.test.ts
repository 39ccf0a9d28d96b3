import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { facts, fates, provider, readPage, venuesIn } from '../support/fakes/provider.ts';

const square = (west: number, south: number, side: number) => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
];
const feature = (geometry: unknown, properties: unknown = { name: 'Shed' }, said: object = {}) => ({
  type: 'Feature',
  ...said,
  properties,
  geometry,
});
const collection = (...features: unknown[]) => ({ type: 'FeatureCollection', features });
const point = { type: 'Point', coordinates: [-74.001, 40.719] };
const placesOf = async (geometry: unknown) =>
  venuesIn(await readPage('geojson', collection(feature(geometry)))).map(({ latitude, longitude }) => [latitude, longitude]);

describe('a venue of GeoJSON', () => {
  it('gives what its properties say, whatever their case', async () => {
    const said = { Name: 'Shed', TYPE: 'Club', address: '1 Pier', website: 'https://shed.example/', capacity: '350' };
    expect(venuesIn(await readPage('geojson', collection(feature(point, said, { id: 7 }))))).toMatchObject([
      {
        externalId: '7',
        name: 'Shed',
        type: 'club',
        address: '1 Pier',
        latitude: 40.719,
        longitude: -74.001,
        website: 'https://shed.example/',
        capacity: 350,
      },
    ]);
  });

  it('without an id is known by its name and its place', async () => {
    const [venue] = venuesIn(await readPage('geojson', feature(point)));
    expect(venue?.externalId).toBe('Shed@40.7190,-74.0010');
  });

  it('that is an area stands at a point inside it, not in its hole', async () => {
    // The middle of a square with a hole in the middle is no part of it.
    const ring = { type: 'Polygon', coordinates: [square(10, 50, 6), square(11, 51, 4)] };
    const [[latitude = 0, longitude = 0] = []] = (await placesOf(ring)) as [number, number][];
    const inside = (west: number, south: number, side: number) =>
      longitude > west && longitude < west + side && latitude > south && latitude < south + side;
    expect([inside(10, 50, 6), inside(11, 51, 4)]).toEqual([true, false]);
    // Of several areas the largest capacity counts.
    const [far] = await placesOf({ type: 'MultiPolygon', coordinates: [[square(0, 1, 1)], [square(20, 30, 5)]] });
    expect(Math.floor(far![1]! / 10)).toBe(2);
  });

  it.each([
    [
      {
        type: 'MultiPoint',
        coordinates: [
          [2, 1],
          [4, 3],
        ],
      },
      [[1, 2]],
    ],
    [
      {
        type: 'LineString',
        coordinates: [
          [2, 1],
          [4, 3],
        ],
      },
      [[1, 2]],
    ],
    [
      {
        type: 'MultiLineString',
        coordinates: [
          [
            [2, 1],
            [4, 3],
          ],
        ],
      },
      [[1, 2]],
    ],
    [
      {
        type: 'GeometryCollection',
        geometries: [
          { type: 'Point', coordinates: [] },
          { type: 'Point', coordinates: [2, 1] },
        ],
      },
      [[1, 2]],
    ],
    [{ type: 'Point', coordinates: [0, 0] }, []],
    [{ type: 'Point', coordinates: [200, 95] }, []],
    [{ type: 'Point', coordinates: ['x', null] }, []],
    [{ type: 'Polygon', coordinates: [[]] }, []],
    [
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 1],
            [2, 'x'],
            [3, 4],
            [0, 1],
          ],
        ],
      },
      [],
    ],
    [{ type: 'Circle', coordinates: [1, 2] }, []],
    [null, []],
  ])('of %j stands at %j', async (geometry, places) => {
    expect(await placesOf(geometry)).toEqual(places);
  });

  it('without a name is left out, without a place refused', async () => {
    const page = await readPage('geojson', collection(feature(point, {}), feature(null), 'x', feature(point)));
    expect(fates(page)).toEqual(['dropped', 'latitude', 'dropped', 'listed']);
  });

  it('may have other columns, which a mapping names', async () => {
    const mapping = {
      target: 'venues',
      drop: [{ path: 'KIND', equals: 'toilet' }],
      fields: { externalId: 'id', name: 'FACNAME', latitude: 'latitude', longitude: 'longitude' },
    };
    const shed = feature(point, { FACNAME: 'Shed', KIND: 'hall' }, { id: 'f.1' });
    const page = await readPage('geojson', collection(shed, feature(point, { KIND: 'toilet' })), { mapping });
    expect(venuesIn(page)).toMatchObject([{ externalId: 'f.1', name: 'Shed', latitude: 40.719, longitude: -74.001 }]);
    expect(fates(page)).toEqual(['listed', 'dropped']);
  });

  it('is not sought in anything else', async () => {
    for (const document of [point, { type: 'Topology' }, [], 'x']) {
      await expect(readPage('geojson', document)).rejects.toMatchObject({ code: 'not_of_the_kind' });
    }
  });

  const areas = new URL('../../../shared/data/neighborhoods/click_that_hood/new-york-areas-of-interest.geojson', import.meta.url);
  it.skipIf(!existsSync(areas))('is found in a published file', async () => {
    const venues = venuesIn(await readPage('geojson', readFileSync(areas)));
    expect(venues).toHaveLength(96);
    expect(venues).toContainEqual(expect.objectContaining({ name: 'Bronx Park', latitude: 40.855522, longitude: -73.876261 }));
  });
});

const element = (tags: object, said: object = {}) => ({ type: 'node', id: 11, lat: 40.719, lon: -74.001, tags, ...said });
const osmVenues = async (...elements: unknown[]) => venuesIn(await readPage('osm', { version: 0.6, elements }));

it('osm refuses an answer that Overpass could not finish', async () => {
  const remark = 'runtime error: Query timed out in "query" at line 3 after 25 seconds.';
  await expect(readPage('osm', { version: 0.6, elements: [], remark })).rejects.toThrow(
    /could not give everything: runtime error/,
  );
});

describe('osm is asked', () => {
  const { request } = provider('osm');

  it('at an address, or for the named venues of a box', () => {
    expect(request(facts({ location: 'file:///extract.json' })).url).toBe('file:///extract.json');
    const { url } = request(facts({ location: 'bbox=40.5,-74.3,40.95,-73.65' }));
    const data = new URL(url).searchParams.get('data') ?? '';
    expect(url).toMatch(/^https:\/\/overpass-api\.de\/api\/interpreter\?data=/);
    expect(data).toMatch(
      /^\[out:json\]\[timeout:60\];\(nwr\[name\]\["craft"~"\^\(brewery\)\$"\]\(40\.5,-74\.3,40\.95,-73\.65\);/,
    );
    expect(data).toMatch(/;\);out center tags;$/);
  });

  it.each(['bbox=1,2,3', 'bbox=1,2,3,4);out;', 'bbox=', 'New York'])('not for %j', (location) => {
    expect(() => request(facts({ location }))).toThrow('the location is neither a URL nor a bbox of four numbers');
  });
});

describe('a venue of OpenStreetMap', () => {
  it('gives what its tags say', async () => {
    const tags = {
      amenity: 'theatre',
      name: 'Canal Playhouse',
      'addr:housenumber': '12',
      'addr:street': 'Canal Street',
      'addr:city': 'New York',
      'addr:postcode': '10013',
      'contact:website': 'https://playhouse.example/',
      capacity: '499',
      opening_hours: 'Mo-Fr 10:00-18:00',
    };
    expect(await osmVenues(element(tags))).toMatchObject([
      {
        externalId: 'node/11',
        name: 'Canal Playhouse',
        type: 'theater',
        address: '12 Canal Street, New York, 10013',
        latitude: 40.719,
        longitude: -74.001,
        website: 'https://playhouse.example/',
        capacity: 499,
      },
    ]);
  });

  it('that is drawn as an area stands at its center', async () => {
    const way = element({ leisure: 'park', name: 'Pier Park' }, { type: 'way', id: 5, lat: undefined, lon: undefined });
    expect(await osmVenues({ ...way, center: { lat: 40.7, lon: -74 } })).toMatchObject([
      { externalId: 'way/5', type: 'park', latitude: 40.7, longitude: -74 },
    ]);
    expect(fates(await readPage('osm', { elements: [way] }))).toEqual(['latitude']);
  });

  it.each([
    [{ amenity: 'pub' }, 'bar'],
    [{ amenity: 'pub', microbrewery: 'yes' }, 'brewery'],
    [{ craft: 'brewery' }, 'brewery'],
    [{ amenity: 'nightclub' }, 'club'],
    [{ amenity: 'arts_centre' }, 'gallery'],
    [{ tourism: 'museum' }, 'museum'],
    [{ leisure: 'stadium' }, 'stadium'],
    [{ leisure: 'ice_rink' }, 'arena'],
    [{ amenity: 'cafe' }, 'restaurant'],
    [{ amenity: 'community_centre' }, null],
  ])('of the tags %j is of the type %s', async (tags, type) => {
    expect((await osmVenues(element({ ...tags, name: 'Shed' })))[0]?.type).toBe(type);
  });

  it('is nothing without a name, and nothing that is no venue', async () => {
    const page = await readPage('osm', {
      elements: [
        element({ amenity: 'bar' }),
        element({ amenity: 'bench', name: 'Bench' }),
        { type: 'node', id: 1, lat: 1, lon: 1 },
        7,
      ],
    });
    expect(fates(page)).toEqual(['dropped', 'dropped', 'dropped', 'dropped']);
  });

  it('is not sought in the page of a busy server', async () => {
    await expect(readPage('osm', Buffer.from('<html>Dispatcher_Client::timeout</html>'))).rejects.toMatchObject({
      code: 'not_of_the_kind',
    });
    await expect(readPage('osm', { remark: 'runtime error' })).rejects.toMatchObject({ code: 'not_of_the_kind' });
  });
});
