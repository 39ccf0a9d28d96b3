/** An extract of an invented town, as Overpass writes it: every form of an area, venues with sites, streets and house numbers. */

export const TOWN = 'Larkholt';
const SOUTH = 52.4;
const WEST = -1.3;

/** Degrees from the corner of the town in thousandths. */
const at = (east: number, north: number) => ({ lat: round(SOUTH + north / 1000), lon: round(WEST + east / 1000) });
const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
const square = (east: number, north: number, size: number) => [
  at(east, north),
  at(east + size, north),
  at(east + size, north + size),
  at(east, north + size),
  at(east, north),
];
const node = (id: number, east: number, north: number, tags?: object) => ({
  type: 'node',
  id,
  ...at(east, north),
  ...(tags && { tags }),
});

const venue = (id: number, east: number, north: number, name: string, kind: object, street: string, host: string | null) =>
  node(id, east, north, {
    ...kind,
    name,
    'addr:housenumber': String(id % 100),
    'addr:street': street,
    'addr:city': TOWN,
    'addr:country': 'GB',
    ...(host !== null && { website: `http://${host}/` }),
  });

/** `hosts`: the sites of the hall, the library and the mill; none without. */
export function townExtract(hosts: readonly [string, string, string] | null = null): { version: number; elements: object[] } {
  const [hall, library, mill] = hosts ?? ['hall.test', 'library.test', 'mill.test'];
  return {
    version: 0.6,
    elements: [
      node(1, 20, 20, { place: 'town', name: TOWN }),
      // A boundary of two ways with their shape.
      {
        type: 'relation',
        id: 2,
        tags: { boundary: 'administrative', admin_level: '10', name: 'Cooper Row' },
        members: [
          { type: 'way', ref: 21, role: 'outer', geometry: [at(0, 0), at(20, 0), at(20, 20)] },
          { type: 'way', ref: 22, role: 'outer', geometry: [at(0, 0), at(0, 20), at(20, 20)] },
          { type: 'node', ref: 1, role: 'label' },
        ],
      },
      // A boundary by its members, which follow.
      {
        type: 'relation',
        id: 3,
        tags: { boundary: 'administrative', admin_level: '10', name: 'Weirside' },
        members: [{ type: 'way', ref: 31, role: 'outer' }],
      },
      { type: 'way', id: 31, nodes: [311, 312, 313, 314, 311] },
      node(311, 20, 0),
      node(312, 40, 0),
      node(313, 40, 20),
      node(314, 20, 20),
      // An area of a place, and the district that both lie in.
      { type: 'way', id: 4, tags: { place: 'neighbourhood', name: 'Tanner Hill' }, geometry: square(0, 20, 20) },
      {
        type: 'relation',
        id: 5,
        tags: { boundary: 'administrative', admin_level: '9', name: 'Old Town' },
        members: [{ type: 'way', ref: 51, role: 'outer', geometry: [at(0, 0), at(40, 0), at(40, 20), at(0, 20), at(0, 0)] }],
      },
      // A place without an area, one that an area has, and one that the extract cuts off.
      node(6, 60, 30, { place: 'suburb', name: 'Gull Common' }),
      node(7, 10, 10, { place: 'neighbourhood', name: 'Cooper Row' }),
      {
        type: 'relation',
        id: 8,
        tags: { boundary: 'administrative', admin_level: '10', name: 'Farther Field' },
        members: [{ type: 'way', ref: 81, role: 'outer' }],
      },
      venue(101, 10, 5, 'Larkholt Town Hall', { amenity: 'townhall', capacity: '400' }, 'Bell Lane', hall),
      venue(102, 30, 5, 'Weirside Library', { amenity: 'library' }, 'Sluice Street', library),
      {
        type: 'way',
        id: 103,
        tags: {
          amenity: 'arts_centre',
          name: 'The Old Mill',
          'addr:housenumber': '3',
          'addr:street': 'Tanner Hill Road',
          'addr:city': TOWN,
          'contact:website': `http://${mill}/`,
        },
        nodes: [1031, 1032, 1033, 1031],
      },
      node(1031, 8, 28),
      node(1032, 9, 28),
      node(1033, 9, 29),
      venue(104, 12, 6, 'The Brass Otter', { amenity: 'pub' }, 'Bell Lane', null),
      { type: 'way', id: 201, tags: { highway: 'residential', name: 'Bell Lane' }, geometry: [at(2, 5), at(18, 5)] },
      ...[2, 4, 6, 8, 10, 12].map((number) =>
        node(300 + number, 2 + number, 5.2, {
          'addr:housenumber': String(number),
          'addr:street': 'Bell Lane',
          'addr:city': TOWN,
          'addr:country': 'GB',
        }),
      ),
    ],
  };
}
