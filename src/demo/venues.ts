/** The 150 venues: hand-made names, placed and furnished by chance. Lines of `venues.ndjson`. */

import type { CapacityTier, OpeningHours, VenueFields, VenueSummary, VenueType, Weekday } from '../records/index.ts';
import type { PolygonGeometry } from '../values/polygon.ts';
import { createRandom, type SeededRandom } from '../values/random.ts';
import { fromPosition, pointWithin } from './geography.ts';
import { DISTRICTS, type District } from './neighborhoods.ts';
import { VENUE_NAMES } from './venue-names.ts';

/** One line of a bundle's `venues.ndjson`. */
export interface VenueLine extends Omit<VenueSummary, 'id' | 'slug' | 'upcomingEventCount' | 'url'> {
  externalId: string;
  address: string;
  capacityTier: CapacityTier;
  neighborhood: string;
  metadata: Pick<VenueFields, 'website' | 'parking' | 'transitNearby' | 'openingHours'>;
}

/** `today` is a local day (`YYYY-MM-DD`): closures are announced from there on. */
export function makeVenues(
  seed: string,
  outlines: ReadonlyMap<string, PolygonGeometry>,
  timezone: string,
  today: string,
): VenueLine[] {
  const names = Object.entries(VENUE_NAMES) as [VenueType, readonly string[]][];
  return names.flatMap(([type, list]) =>
    list.map((entry) => {
      const random = createRandom(seed, 'venue', entry);
      const { name, home } = readEntry(entry);
      const district = home ?? random.weighted(DISTRICTS.map((each) => [each, each.weight * affinity(type, each.slug)] as const));
      const outline = outlines.get(district.slug);
      if (!outline) throw new RangeError(`no outline of ${district.slug}`);
      const place = pointWithin(outline, random);
      const isVerified = !random.chance(UNVERIFIED);
      return {
        externalId: `pa-venue-${slugOf(name)}`,
        name,
        type,
        address: addressAt(place, district, random),
        ...place,
        capacityTier: random.weighted(CAPACITIES[type]),
        isVerified,
        neighborhood: district.slug,
        metadata: {
          website: isVerified || random.chance(0.5) ? `https://${slugOf(name)}.example/` : null,
          parking: random.chance(0.85) ? random.pick(PARKING[type] ?? STREET_PARKING) : null,
          transitNearby: random.sample(district.stops, random.whole(1, district.stops.length)),
          openingHours: openingHours(type, timezone, today, random),
        },
      };
    }),
  );
}

const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** `Name @ slug` pins a venue to its neighborhood. */
function readEntry(entry: string): { name: string; home: District | undefined } {
  const [name = entry, slug] = entry.split(' @ ');
  return { name, home: DISTRICTS.find((district) => district.slug === slug) };
}

const affinity = (type: VenueType, district: string): number => LEANINGS[type]?.[district] ?? 1;

/** House numbers count outwards from the courthouse, a hundred to the block, as in any American grid. */
function addressAt(place: { latitude: number; longitude: number }, district: District, random: SeededRandom): string {
  const [east, north] = fromPosition([place.longitude, place.latitude]);
  const index = random.whole(0, district.streets.length - 1);
  const blocks = Math.abs(index < 3 ? east : north) * BLOCKS_PER_KM;
  const number = Math.max(1, Math.round(blocks * 100)) + random.whole(0, 40);
  const compass = index < 3 ? (east < 0 ? 'W' : 'E') : north < 0 ? 'S' : 'N';
  return `${number} ${compass} ${district.streets[index]}, Port Alder`;
}

function openingHours(type: VenueType, timezone: string, today: string, random: SeededRandom): OpeningHours | null {
  const week = HOURS[type];
  if (!week || random.chance(0.1)) return null;
  const weekly = random.pick(week).map(([days, opens, closes]) => ({ days: [...days], opens, closes }));
  if (type === 'park' || !random.chance(0.25)) return { timezone, weekly, exceptions: [] };
  const from = Temporal.PlainDate.from(today).add({ days: random.whole(2, 60) });
  const closure = random.chance(0.6);
  const to = from.add({ days: closure ? random.whole(0, 4) : 0 });
  return {
    timezone,
    weekly,
    exceptions: [
      {
        from: from.toString(),
        to: to.toString(),
        closed: closure,
        opens: closure ? null : '12:00',
        closes: closure ? null : '18:00',
        reason: random.pick(closure ? CLOSURES : SHORT_DAYS),
      },
    ],
  };
}

const UNVERIFIED = 0.06;
const BLOCKS_PER_KM = 8;

const CAPACITIES: Record<VenueType, readonly (readonly [CapacityTier, number])[]> = {
  bar: [
    ['intimate', 3],
    ['small', 2],
  ],
  restaurant: [
    ['intimate', 3],
    ['small', 2],
  ],
  arena: [['large', 1]],
  park: [
    ['small', 1],
    ['medium', 3],
    ['large', 1],
  ],
  theater: [
    ['intimate', 1],
    ['small', 3],
    ['medium', 3],
    ['large', 1],
  ],
  gallery: [
    ['intimate', 3],
    ['small', 1],
  ],
  club: [
    ['intimate', 1],
    ['small', 3],
    ['medium', 2],
  ],
  stadium: [['large', 1]],
  brewery: [
    ['intimate', 1],
    ['small', 3],
    ['medium', 1],
  ],
  museum: [
    ['small', 2],
    ['medium', 2],
  ],
};

/** Where a type is at home beyond the neighborhood's own weight. */
const LEANINGS: Partial<Record<VenueType, Record<string, number>>> = {
  gallery: { 'tannery-row': 5, meridian: 1.5, fairgrounds: 0.1, 'kestrel-heights': 0.3 },
  club: { 'gaslight-quay': 3, meridian: 1.5, 'kestrel-heights': 0.1, saltmarsh: 0.2, 'orchard-park': 0.3 },
  brewery: { millrace: 5, 'tannery-row': 2, meridian: 0.5 },
  park: { meridian: 0.3, 'gaslight-quay': 0.3, 'kestrel-heights': 4, saltmarsh: 4, northlight: 3, 'orchard-park': 2.5 },
  theater: { meridian: 3, 'lantern-hill': 1.5 },
  museum: { 'lantern-hill': 2, meridian: 1.5 },
};

const STREET_PARKING = [
  'Metered street parking, free after 6 pm and on Sundays',
  'No lot of its own; the Exchange Street garage is four blocks away',
  'Street parking only, and little of it on weekends',
  'Small free lot behind the building (12 spaces)',
  'Valet on Fridays and Saturdays, otherwise street parking',
];
const PARKING: Partial<Record<VenueType, readonly string[]>> = {
  arena: [
    'Attached garage, $15 on event nights; opens two hours before doors',
    'Lots A–D, $12; the tram is quicker on the way home',
  ],
  stadium: ['Lots 1–9, $10, cash or card; bicycle valet at Gate C, free'],
  park: [
    'Free lot at the trailhead, full by 10 am on fine weekends',
    'Street parking along the edge of the park',
    'Two lots, $4 a day; free with a county sticker',
  ],
};

const ALL_WEEK: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
type Week = readonly (readonly [days: readonly Weekday[], opens: string, closes: string])[];
const HOURS: Partial<Record<VenueType, readonly Week[]>> = {
  bar: [
    [
      [['sun', 'mon', 'tue', 'wed', 'thu'], '16:00', '00:00'],
      [['fri', 'sat'], '15:00', '02:00'],
    ],
    [
      [['tue', 'wed', 'thu'], '17:00', '01:00'],
      [['fri', 'sat'], '17:00', '02:30'],
      [['sun'], '14:00', '22:00'],
    ],
  ],
  restaurant: [
    [
      [['tue', 'wed', 'thu', 'fri'], '11:30', '14:30'],
      [['tue', 'wed', 'thu', 'fri', 'sat', 'sun'], '17:00', '22:00'],
    ],
    [[['wed', 'thu', 'fri', 'sat', 'sun'], '17:30', '22:30']],
  ],
  park: [[[ALL_WEEK, '06:00', '22:00']], [[ALL_WEEK, '05:30', '21:00']]],
  gallery: [
    [[['wed', 'thu', 'fri', 'sat'], '12:00', '18:00']],
    [
      [['thu', 'fri'], '13:00', '19:00'],
      [['sat', 'sun'], '11:00', '17:00'],
    ],
  ],
  club: [
    [
      [['wed', 'thu', 'sun'], '19:00', '01:00'],
      [['fri', 'sat'], '20:00', '03:00'],
    ],
    [[['thu', 'fri', 'sat'], '21:00', '04:00']],
  ],
  brewery: [
    [
      [['mon', 'tue', 'wed', 'thu'], '15:00', '22:00'],
      [['fri', 'sat'], '12:00', '23:00'],
      [['sun'], '12:00', '20:00'],
    ],
  ],
  museum: [
    [
      [['tue', 'wed', 'fri', 'sat', 'sun'], '10:00', '17:00'],
      [['thu'], '10:00', '21:00'],
    ],
    [[['wed', 'thu', 'fri', 'sat', 'sun'], '11:00', '17:00']],
  ],
};
const CLOSURES = ['Floors being refinished', 'Staff holiday', 'Closed for a private wedding', 'Installation of the new show'];
const SHORT_DAYS = ['Inventory day', 'Early close for a staff party', 'Boiler inspection in the morning'];
