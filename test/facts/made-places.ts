/** Places of an invented town, and random ones that are often nearly the same. */

import fc from 'fast-check';
import type { PlaceFacts, PlaceListing } from '../../src/facts/index.ts';

const TOWN = { latitude: 40.70123, longitude: -73.93456 };

/** A place of this name, so many meters north of the middle of the town; null: nobody knows where. */
export function place(name: string, north: number | null = 0, more: Partial<PlaceFacts> = {}): PlaceFacts {
  const latitude = north === null ? null : TOWN.latitude + north / METERS_PER_DEGREE;
  return { name, address: null, latitude, longitude: north === null ? null : TOWN.longitude, ...more };
}

export const listing = (id: string, name: string, north: number | null = 0, more: Partial<PlaceListing> = {}): PlaceListing => ({
  ...place(name, north, more),
  id,
  provider: 'Atlas',
  ...more,
});

const anyName: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom(...STEMS()), fc.constantFrom('', ...ENDS())).map(([stem, end]) => `${stem}${end}`),
  },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...LOOSE()), { minLength: 1, maxLength: 5 }).map((words) => words.join(' ')) },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
);

export const anyPlace: fc.Arbitrary<PlaceFacts> = fc
  .record({
    name: anyName,
    north: fc.option(
      fc.oneof(fc.constantFrom(0, 20, 150, 300, 700, 1_190, 1_210, 4_000), fc.integer({ min: -3_000, max: 3_000 })),
      {
        freq: 4,
      },
    ),
    address: fc.option(
      fc.constantFrom('12 Mill Street', 'Mill Street, 12', '18 Mill St', '12-16 Mill St', '40 Dock Road', 'Town, NY 10001'),
    ),
    isApproximate: fc.boolean(),
    quarter: fc.constantFrom(undefined, undefined, 'Copper Hill', 'Marrow Village'),
    decimals: fc.constantFrom(2, 3, 6, 6, 6, 6),
  })
  .map(({ name, north, address, isApproximate, quarter, decimals }) => {
    const made = place(quarter === undefined ? name : `${name} - ${quarter}`, north, {
      address,
      ...(quarter === undefined ? {} : { quarter }),
    });
    const rounded = (degrees: number | null) => (degrees === null ? null : Number(degrees.toFixed(decimals)));
    return {
      ...made,
      latitude: rounded(made.latitude),
      longitude: rounded(made.longitude),
      ...(isApproximate && decimals === 2 ? { isApproximate } : {}),
    };
  });

/** A set with ids of its own, of three providers. */
export const anyPlaces = (most: number): fc.Arbitrary<PlaceListing[]> =>
  fc
    .array(fc.tuple(anyPlace, fc.constantFrom('Atlas', 'Beacon', 'Cairn')), { maxLength: most })
    .map((made) => made.map(([facts, provider], number) => ({ ...facts, id: `p${String(number).padStart(2, '0')}`, provider })));

function STEMS(): string[] {
  return [
    'Old Mill',
    'Old Mil',
    'The Old-Mill',
    'Oldmill',
    'Glass House',
    'Marrow Park',
    'Marrow',
    'Tin Theatre',
    'Tin Theater-NY',
    'Harbor Arts Room',
  ];
}

function ENDS(): string[] {
  return [
    ' – Rooftop',
    ' (Rooftop)',
    ' Stage 1',
    ' - Stage 2',
    ' Lawn',
    ' Library',
    ', Meeting Room',
    ' Brooklyn',
    ': Great Lawn',
    ' at Marrow Park',
  ];
}

function LOOSE(): string[] {
  return [
    'Old',
    'Mill',
    'Park',
    'Marrow',
    'Theater',
    'north',
    'south',
    '3',
    '4',
    'HAR',
    'Harbor',
    'Arts',
    'Room',
    'Hall',
    'St.',
    'A',
    'the',
    '&',
  ];
}

const METERS_PER_DEGREE = 111_320;
