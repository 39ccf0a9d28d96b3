import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLocator } from '../../src/facts/index.ts';
import { covers, type PolygonGeometry, type Position, pointInside, polygons } from '../../src/values/polygon.ts';

type Ring = Position[];
const box = (west: number, south: number, size: number): Ring => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];
const polygon = (...rings: Ring[]): PolygonGeometry => ({ type: 'Polygon', coordinates: rings });

/** The slow twin: every polygon is asked, by the winding of the ring around the point. */
function slowPlace(ring: Ring, x: number, y: number): 'inside' | 'border' | 'outside' {
  let winding = 0;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1]!;
    const [bx, by] = ring[i]!;
    const turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    const within = x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);
    if (turn === 0 && within) return 'border';
    if (ay <= y && by > y && turn > 0) winding++;
    if (ay > y && by <= y && turn < 0) winding--;
  }
  return winding === 0 ? 'outside' : 'inside';
}
function slowLocate(areas: { slug: string; geometry: PolygonGeometry }[], x: number, y: number): string | null {
  const hits = areas.filter(({ geometry }) =>
    polygons(geometry).some(([outer, ...holes]) => {
      const side = slowPlace(outer as Ring, x, y);
      return side === 'border' || (side === 'inside' && holes.every((hole) => slowPlace(hole as Ring, x, y) !== 'inside'));
    }),
  );
  return hits.map(({ slug }) => slug).sort()[0] ?? null;
}

/** Star-shaped rings on a coarse grid, so that corners, borders and overlaps are hit often. */
const ring = fc
  .record({
    x: fc.integer({ min: -8, max: 8 }),
    y: fc.integer({ min: -8, max: 8 }),
    reach: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 4, maxLength: 8 }),
    backwards: fc.boolean(),
  })
  .map(({ x, y, reach, backwards }) => {
    const corners = reach.map((r, i): Position => {
      const angle = (2 * Math.PI * i) / reach.length;
      return [Math.round(x + r * Math.cos(angle)), Math.round(y + r * Math.sin(angle))];
    });
    const closed = [...corners, corners[0]!];
    return backwards ? closed.reverse() : closed;
  });
const geometry: fc.Arbitrary<PolygonGeometry> = fc.oneof(
  ring.map((outer) => polygon(outer)),
  fc
    .tuple(fc.integer({ min: -8, max: 2 }), fc.integer({ min: -8, max: 2 }), fc.integer({ min: 4, max: 8 }))
    .map(([x, y, size]) => polygon(box(x, y, size), box(x + 1, y + 1, size - 2).reverse())),
  fc
    .array(ring, { minLength: 1, maxLength: 3 })
    .map((rings): PolygonGeometry => ({ type: 'MultiPolygon', coordinates: rings.map((each) => [each]) })),
);
const areas = fc.uniqueArray(fc.record({ slug: fc.stringMatching(/^[a-z]{1,3}$/), geometry }), {
  selector: ({ slug }) => slug,
  maxLength: 8,
});

describe('locating a point', () => {
  it('agrees with asking every polygon, on borders and corners too', () => {
    fc.assert(
      fc.property(
        areas,
        fc.array(fc.tuple(fc.integer({ min: -30, max: 30 }), fc.integer({ min: -30, max: 30 })), { minLength: 5, maxLength: 20 }),
        (given, points) => {
          const locate = createLocator(given);
          for (const [x2, y2] of points) expect(locate(y2 / 2, x2 / 2)).toBe(slowLocate(given, x2 / 2, y2 / 2));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('depends neither on the order of the neighborhoods nor on the direction of their rings', () => {
    fc.assert(
      fc.property(areas, fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }), (given, x, y) => {
        const turned = given.toReversed().map(({ slug, geometry }) => ({
          slug,
          geometry: {
            type: 'MultiPolygon' as const,
            coordinates: polygons(geometry).map((rings) => rings.map((each) => each.toReversed())),
          },
        }));
        expect(createLocator(turned)(y, x)).toBe(createLocator(given)(y, x));
      }),
    );
  });

  it('gives a shared border to the slug that sorts first, and nothing outside or in a hole', () => {
    const locate = createLocator([
      { slug: 'west', geometry: polygon(box(0, 0, 2)) },
      { slug: 'east', geometry: polygon(box(2, 0, 2), box(2.5, 0.5, 1)) },
    ]);
    expect(locate(1, 2)).toBe('east');
    expect(locate(1, 1)).toBe('west');
    expect(locate(1, 3)).toBeNull();
    expect(locate(0.5, 3)).toBe('east');
    expect(locate(9, 9)).toBeNull();
    expect(createLocator([])(1, 1)).toBeNull();
  });

  it('finds what lies on a slanted border, where no number says so exactly', () => {
    const a: Position = [-73.9418, 40.75];
    const b: Position = [-73.933, 40.7516];
    const corner: Position = [-73.9341, 40.7514];
    const locate = createLocator([
      { slug: 'west', geometry: polygon([a, b, [-73.9423, 40.759], a]) },
      { slug: 'east', geometry: polygon([b, corner, a, [-73.9391, 40.7414], b]) },
    ]);
    // On the line from a to b, as far as four decimals can say it.
    expect(locate(40.7506, -73.9385)).toBe('east');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 99_999 }), fc.nat(1_000), (x, y, share) => {
        const far: Position = [x / 1_000, y / 1_000];
        const on: Position = [(far[0] * share) / 1_000, (far[1] * share) / 1_000];
        const wedge = createLocator([{ slug: 'wedge', geometry: polygon([[0, 0], far, [far[0] + 1, 0], [0, 0]]) }]);
        expect(wedge(on[1], on[0])).toBe('wedge');
      }),
    );
  });

  it('finds a label point inside, holes and horseshoes included', () => {
    const horseshoe: Ring = [
      [0, 0],
      [10, 0],
      [10, 10],
      [9, 10],
      [9, 1],
      [1, 1],
      [1, 10],
      [0, 10],
      [0, 0],
    ];
    for (const shape of [
      polygon(box(0, 0, 4)),
      polygon(box(0, 0, 10), box(1, 1, 8)),
      polygon(horseshoe),
      polygon(horseshoe.toReversed()),
    ]) {
      const [x, y] = pointInside(shape);
      expect(covers(polygons(shape)[0]!, x, y)).toBe(true);
    }
    const islands: PolygonGeometry = { type: 'MultiPolygon', coordinates: [[box(0, 0, 1)], [box(50, 50, 5)]] };
    expect(pointInside(islands)[0]).toBeGreaterThan(50);
  });
});
