/** The twelve neighborhoods of Port Alder, as their people would tell you. */

export interface District {
  slug: string;
  name: string;
  description: string;
  /** How much goes on there: the share of venues it gets. */
  weight: number;
  /** Running east–west, then north–south. */
  streets: readonly string[];
  /** Stops of the two tram lines, the harbor ferry and the buses. */
  stops: readonly string[];
}

export const DISTRICTS: readonly District[] = [
  {
    slug: 'meridian',
    name: 'Meridian',
    description:
      'The middle of town, named for the brass line set into the courthouse steps. Offices by day; by seven the opera house, the old picture palaces and every bar within four blocks are full.',
    weight: 17,
    streets: ['Meridian Street', 'Assize Street', 'Brassline Avenue', 'Exchange Street', 'Courthouse Row'],
    stops: ['Courthouse (Red and Green Line)', 'Exchange Street (Red Line)', 'Bus 2, 5, 14'],
  },
  {
    slug: 'gaslight-quay',
    name: 'Gaslight Quay',
    description:
      'Brick warehouses south of the river that kept their lamps and lost their cargo. Small clubs, late kitchens and more live music per door than anywhere else in the city.',
    weight: 16,
    streets: ['Lamplighter Street', 'Chandlery Row', 'Quay Street', 'Barrelmaker Lane', 'South Wharf Road'],
    stops: ['Chandlery (Green Line)', 'South Wharf (Ferry)', 'Bus 7, 11'],
  },
  {
    slug: 'tannery-row',
    name: 'Tannery Row',
    description:
      'Sawtooth roofs and loading docks turned studios. The galleries keep irregular hours on weekdays and open together on the first Friday of the month.',
    weight: 14,
    streets: ['Tannery Row', 'Oxbow Street', 'Saddler Street', 'Vat Lane', 'Kilnyard Street'],
    stops: ['Kilnyard (Green Line)', 'Bus 9, 11'],
  },
  {
    slug: 'harborfront',
    name: 'Harborfront',
    description:
      'The working harbor and its promenade: pilot boats, the arena, the fish hall and a long pier that locals insist is for walking, not for photographs.',
    weight: 11,
    streets: ['Pilot Street', 'Breakwater Road', 'Fishhall Street', 'Promenade', 'Anchor Street'],
    stops: ['Pilot Street (Red Line)', 'Harbor Pier (Ferry)', 'Bus 3'],
  },
  {
    slug: 'lantern-hill',
    name: 'Lantern Hill',
    description:
      'The college, the observatory and steep streets of porches. Readings, chamber music and very cheap dumplings; the stairs are the price of the view.',
    weight: 10,
    streets: ['Observatory Road', 'Lantern Street', 'Collegiate Street', 'Almanac Lane', 'Stair Street'],
    stops: ['Observatory (Red Line)', 'Collegiate (Red Line)', 'Bus 5, 8'],
  },
  {
    slug: 'sparrow-green',
    name: 'Sparrow Green',
    description:
      'Row houses around a common where somebody is always setting up a market stall. Families, allotments, a good bookshop and two rival bakeries.',
    weight: 9,
    streets: ['Commons Street', 'Sparrow Street', 'Larder Lane', 'Hawthorn Street', 'Chapel Green'],
    stops: ['Sparrow Green (Green Line)', 'Bus 2, 8, 16'],
  },
  {
    slug: 'millrace',
    name: 'Millrace',
    description:
      'Where the river was made to work. The mills pour beer now: taprooms along the old channel, a cycle path between them, and a farm shop at the end of it.',
    weight: 9,
    streets: ['Millrace Road', 'Sluice Street', 'Grist Street', 'Towpath', 'Wheelwright Street'],
    stops: ['Grist Street (Green Line)', 'Bus 9, 16'],
  },
  {
    slug: 'fairgrounds',
    name: 'Fairgrounds',
    description:
      'The county fair moved here in 1911 and never quite left. The stadium, the expo halls and wide lots; quiet between games, loud during them.',
    weight: 7,
    streets: ['Fairgrounds Drive', 'Grandstand Avenue', 'Carousel Street', 'Paddock Street', 'Blue Ribbon Road'],
    stops: ['Grandstand (Green Line)', 'Bus 14, 16'],
  },
  {
    slug: 'northlight',
    name: 'Northlight',
    description:
      'Beach, bandshell and the white lighthouse that gave the place its name. Empty in February, shoulder to shoulder in July, at its best in September.',
    weight: 8,
    streets: ['Lighthouse Road', 'Dune Street', 'Bandshell Drive', 'Beacon Street', 'Shoreline Avenue'],
    stops: ['Lighthouse (Red Line)', 'Northlight Pier (Ferry)', 'Bus 3'],
  },
  {
    slug: 'orchard-park',
    name: 'Orchard Park',
    description:
      'The last of the apple country inside the city limits: ballfields, the children’s museum and kitchens run by the families who came to pick the fruit and stayed.',
    weight: 7,
    streets: ['Orchard Avenue', 'Pippin Street', 'Ladder Lane', 'Cider Mill Road', 'Russet Street'],
    stops: ['Orchard Park (Green Line)', 'Bus 7, 12'],
  },
  {
    slug: 'kestrel-heights',
    name: 'Kestrel Heights',
    description:
      'Limestone bluffs, trailheads and an amphitheater cut into the old quarry. Bring a jacket: the wind is the reason the kestrels like it.',
    weight: 5,
    streets: ['Quarry Road', 'Kestrel Drive', 'Limestone Street', 'Ridge Road', 'Overlook Street'],
    stops: ['Quarry Road (Bus 8)', 'Bus 12X on weekends'],
  },
  {
    slug: 'saltmarsh',
    name: 'Saltmarsh',
    description:
      'Boardwalks, boatyards and the bird reserve, with Gull Island just offshore. The city ends here and does not mind.',
    weight: 5,
    streets: ['Boardwalk', 'Heron Street', 'Boatyard Road', 'Sedge Lane', 'Tideline Road'],
    stops: ['Boatyard (Bus 7)', 'Gull Island (Ferry, April to October)'],
  },
];
