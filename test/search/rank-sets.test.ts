import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAxis, entriesBefore, entriesUpTo, stretch } from '../../src/search/structures/axis.ts';
import { groupByValue, groupOf, groupsOf } from '../../src/search/structures/grouped-ranks.ts';
import { createOrdering, pickInOrder } from '../../src/search/structures/ordering.ts';
import { amountOf, priceOf } from '../../src/search/structures/prices.ts';
import { createSorter } from '../../src/search/structures/radix.ts';
import { contains, forEachRank, intersect, members, pick, rankSetOf, union } from '../../src/search/structures/rank-set.ts';
import { type Wholes, whole } from '../../src/search/structures/whole.ts';

/** Sizes around the borders of words, and large enough for lists. */
const lengths = fc.oneof(fc.constantFrom(0, 1, 31, 32, 33, 64), fc.integer({ min: 0, max: 3000 }));
/** A set of ranks below `n`, dense or sparse. */
const ranksBelow = (n: number): fc.Arbitrary<number[]> =>
  fc
    .tuple(fc.integer(), fc.constantFrom(0, 0.01, 0.3, 1))
    .map(([seed, density]) =>
      Array.from({ length: n }, (_, rank) => rank).filter((rank) => (Math.imul(rank + 1, seed | 1) >>> 8) / 2 ** 24 < density),
    );
const someSets = lengths.chain((n) => fc.tuple(fc.constant(n), fc.array(ranksBelow(n), { minLength: 1, maxLength: 4 })));
const make = (list: readonly number[], n: number) => rankSetOf(Uint32Array.from(list), n);

test('sets meet, join, count and page like sets', () => {
  fc.assert(
    fc.property(someSets, fc.nat(60), fc.nat(60), ([n, lists], offset, limit) => {
      const sets = lists.map((list) => make(list, n));
      const meet = lists.reduce((left, right) => left.filter((rank) => right.includes(rank)));
      const join = [...new Set(lists.flat())].sort((a, b) => a - b);
      for (const [set, expected] of [
        [intersect(sets, n), meet],
        [union(sets, n), join],
      ] as const) {
        const visited: number[] = [];
        forEachRank(set, (rank) => visited.push(rank));
        expect({ size: set.size, members: [...members(set)], visited, page: pick(set, offset, limit) }).toEqual({
          size: expected.length,
          members: expected,
          visited: expected,
          page: expected.slice(offset, offset + limit),
        });
        const mistaken = [...Array(n).keys()].filter((rank) => rank % 7 === 0 && contains(set, rank) !== expected.includes(rank));
        expect(mistaken).toEqual([]);
      }
      expect([...members(intersect([], n))]).toEqual(Array.from({ length: n }, (_, rank) => rank));
    }),
    { numRuns: 200 },
  );
});

test('any stretch of an axis holds what a filter would', () => {
  const cases = lengths.chain((n) =>
    fc.tuple(fc.array(fc.nat(40), { minLength: n, maxLength: n }), fc.array(fc.tuple(fc.nat(42), fc.nat(42)), { maxLength: 12 })),
  );
  fc.assert(
    fc.property(cases, ([times, windows]) => {
      const order = Uint32Array.from(times.map((_, rank) => rank).sort((a, b) => times[a]! - times[b]!));
      const axis = createAxis(order, wholesOf(times), times.length);
      const found = windows.map(([from, to]) => {
        const set = stretch(axis, entriesBefore(axis, from), entriesUpTo(axis, to));
        return { size: set.size, members: [...members(set)] };
      });
      const expected = windows.map(([from, to]) =>
        [...times.keys()].filter((rank) => times[rank]! >= from && times[rank]! <= to),
      );
      expect(found).toEqual(expected.map((ranks) => ({ size: ranks.length, members: ranks })));
    }),
    { numRuns: 60 },
  );
});

test('groups hold what has their value, one or several at once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 600 }), fc.uniqueArray(fc.nat(7), { maxLength: 5 }), (values, wanted) => {
      const grouped = groupByValue(values, values.length, 5);
      const having = (groups: readonly number[]) =>
        [...values.keys()].filter((rank) => values[rank]! < 5 && groups.includes(values[rank]!));
      const groups = [-1, 0, 1, 2, 3, 4, 5, 6];
      expect(groups.map((group) => [...members(groupOf(grouped, group))])).toEqual(groups.map((group) => having([group])));
      expect([...members(groupsOf(grouped, wanted))]).toEqual(having(wanted));
    }),
    { numRuns: 100 },
  );
});

test('pages in another order are those of the sorted set', () => {
  fc.assert(
    fc.property(lengths, fc.integer(), fc.constantFrom(0.01, 0.3), fc.nat(30), fc.nat(30), (n, seed, density, offset, limit) => {
      const key = (rank: number) => Math.imul(rank + 3, seed | 1) >>> 0;
      const order = Uint32Array.from({ length: n }, (_, rank) => rank).sort((a, b) => key(a) - key(b));
      const list = Array.from({ length: n }, (_, rank) => rank).filter(
        (rank) => (Math.imul(rank + 1, 2654435761) >>> 0) / 2 ** 32 < density,
      );
      const sorted = list.toSorted((a, b) => key(a) - key(b));
      expect(pickInOrder(make(list, n), createOrdering(order), offset, limit)).toEqual(sorted.slice(offset, offset + limit));
    }),
    { numRuns: 100 },
  );
});

test('numbers are sorted as a stable sort does it, negative and large ones too', () => {
  const key = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.maxSafeInteger().map((n) => Math.trunc(n / 2)),
  );
  fc.assert(
    // Few and many are sorted in different ways.
    fc.property(fc.oneof(fc.array(key, { maxLength: 20 }), fc.array(key, { minLength: 120, maxLength: 300 })), (keys) => {
      const sorter = createSorter(Uint32Array.from(keys.keys()));
      sorter.byColumn(wholesOf(keys));
      expect([...sorter.items]).toEqual([...keys.keys()].sort((a, b) => keys[a]! - keys[b]!));
      sorter.byColumn(wholesOf(keys), 'descending');
      const upwards = [...keys.keys()].sort((a, b) => keys[a]! - keys[b]!);
      expect([...sorter.items]).toEqual(upwards.toSorted((a, b) => keys[b]! - keys[a]!));
    }),
  );
});

test('a number with a fraction, or one too large to be exact, is no whole one', () => {
  expect([0, -3, Number.MAX_SAFE_INTEGER].map(whole)).toEqual([0, -3, Number.MAX_SAFE_INTEGER]);
  for (const value of [15.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => whole(value)).toThrow(RangeError);
});

test('an amount of four places is a whole price, and the same amount again', () => {
  // The column of the database holds ten digits before the point.
  const amounts = fc.tuple(fc.nat({ max: 9_999_999_999 }), fc.nat({ max: 9_999 }));
  fc.assert(
    fc.property(amounts, ([units, parts]) => {
      const amount = Number(`${units}.${String(parts).padStart(4, '0')}`);
      expect([priceOf(amount), amountOf(priceOf(amount))]).toEqual([units * 10_000 + parts, amount]);
    }),
  );
});

const wholesOf = (numbers: readonly number[]): Wholes => Float64Array.from(numbers, whole) as Wholes;
