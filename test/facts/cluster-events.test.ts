import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../src/facts/identity/compare-events.ts';
import { readEvent } from '../../src/facts/identity/compared-event.ts';
import { placeName } from '../../src/facts/identity/place-name.ts';
import { blockKeys, clusterEvents, compareEvents, type EventFacts, NO_CLOCKS, type PairDecision } from '../../src/facts/index.ts';
import { anyEvents } from './any-event.ts';
import { event } from './made-events.ts';

const cluster = (facts: readonly EventFacts[], decisions: readonly PairDecision[] = []) =>
  clusterEvents(facts, { clocks: NO_CLOCKS, decisions });
const atlas = (said: Parameters<typeof event>[0] = {}) => event({ provider: 'Atlas', ...said });
const beacon = (said: Parameters<typeof event>[0] = {}) => event({ provider: 'Beacon', ...said });
const cairn = (said: Parameters<typeof event>[0] = {}) => event({ provider: 'Cairn', ...said });

describe('a set of listings', () => {
  it('becomes one group for each event', () => {
    const matinee = { start: '2031-05-02T14:00' };
    const facts = [
      atlas({ id: 'a1' }),
      beacon({ id: 'b1' }),
      atlas({ id: 'a2', ...matinee }),
      beacon({ id: 'b2', ...matinee }),
      cairn({ id: 'c', title: 'Copper' }),
    ];
    expect(cluster(facts).groups).toEqual([['a1', 'b1'], ['a2', 'b2'], ['c']]);
    expect(cluster([])).toEqual({ groups: [], asks: [], coListings: [] });
  });

  it('gives a listing without an hour to the performance nearest to the evening, and never joins two performances', () => {
    const [matinee, evening] = [atlas({ id: 'a14', start: '2031-05-02T14:00' }), atlas({ id: 'a20' })];
    expect(cluster([matinee, evening, beacon({ id: 'b', start: '2031-05-02' })]).groups).toEqual([['a14'], ['a20', 'b']]);
    expect(cluster([matinee, beacon({ id: 'b', start: '2031-05-02' })]).groups).toEqual([['a14', 'b']]);
  });

  it('joins what is the same as a third, though the titles of the two are unlike', () => {
    const bill = beacon({ id: 'bill', title: 'Marrow, Copper Kettle' });
    const facts = [atlas({ id: 'a', title: 'Marrow' }), cairn({ id: 'c', title: 'Copper Kettle' })];
    expect(cluster(facts).groups).toEqual([['a'], ['c']]);
    expect(cluster([...facts, bill]).groups).toEqual([['a', 'bill', 'c']]);
  });

  it('asks once about two groups, with the likeliest pair, and not where a person has spoken', () => {
    const facts = [
      atlas({ id: 'a1', title: 'Drunk Macbeth' }),
      beacon({ id: 'b1', title: 'Drunk Macbeth' }),
      cairn({ id: 'c1', title: 'Drunk Hamlet' }),
    ];
    const { groups, asks } = cluster(facts);
    expect(groups).toEqual([['a1', 'b1'], ['c1']]);
    expect(asks).toMatchObject([{ left: 'a1', right: 'c1', verdict: { outcome: 'ask' } }]);
    expect(cluster(facts, [{ left: 'c1', right: 'a1', verdict: 'different' }]).asks).toEqual([]);
    expect(cluster(facts, [{ left: 'c1', right: 'b1', verdict: 'same' }])).toMatchObject({
      groups: [['a1', 'b1', 'c1']],
      asks: [],
    });
  });
});

describe('a person', () => {
  const [a, b, c] = [atlas({ id: 'a' }), beacon({ id: 'b' }), cairn({ id: 'c' })];

  it('joins what no rule would, even over nights', () => {
    const other = beacon({ id: 'b', title: 'Copper', start: '2031-06-09T12:00', at: 'Glass House' });
    expect(cluster([a, other]).groups).toEqual([['a'], ['b']]);
    expect(cluster([a, other], [{ left: 'b', right: 'a', verdict: 'same' }]).groups).toEqual([['a', 'b']]);
  });

  it('holds apart what would meet in a third', () => {
    expect(cluster([a, b, c]).groups).toEqual([['a', 'b', 'c']]);
    const { groups } = cluster([a, b, c], [{ left: 'a', right: 'c', verdict: 'different' }]);
    expect(groups.find((group) => group.includes('a'))).not.toContain('c');
    expect(groups).toHaveLength(2);
  });

  it('makes one listing of what they join: what is the same as one of it joins it', () => {
    const moved = beacon({ id: 'b', start: '2031-05-02T23:00' });
    expect(cluster([a, moved, c], [{ left: 'a', right: 'b', verdict: 'same' }]).groups).toEqual([['a', 'b', 'c']]);
  });
});

describe('groups', () => {
  it('do not depend on the order of listings and decisions', () => {
    fc.assert(
      fc.property(anySet(9), fc.nat(), ({ facts, decisions }, seed) => {
        expect(cluster(shuffled(facts, seed), shuffled(decisions, seed))).toEqual(cluster(facts, decisions));
      }),
      { numRuns: 150 },
    );
  });

  it('do not depend on the ids under which listings are stored', () => {
    fc.assert(
      fc.property(anyEvents(9), fc.nat(), (facts, seed) => {
        const numbers = shuffled(
          facts.map((_each, index) => index),
          seed,
        );
        const stored = facts.map((fact, index) => ({ ...fact, id: `r${numbers[index]}` }));
        const known = new Map(stored.map(({ id, externalId }) => [id, externalId]));
        const named = (some: readonly EventFacts[], name: (id: string) => string) =>
          cluster(some)
            .groups.map((group) => group.map(name).sort().join(' '))
            .sort();
        const byFact = new Map(facts.map(({ id, externalId }) => [id, externalId]));
        expect(named(stored, (id) => known.get(id) ?? id)).toEqual(named(facts, (id) => byFact.get(id) ?? id));
      }),
      { numRuns: 300 },
    );
  });

  it('of two pairs that score the same, join the one whose titles are more alike', () => {
    const boats = (ids: readonly [string, string, string]) => [
      atlas({ id: ids[0], externalId: 'x1', title: 'Tide Matters: Ida Lark Sunset Cruise', category: 'nightlife' }),
      atlas({ id: ids[1], externalId: 'x2', title: 'Tide Matters: Rico Boat Party', category: 'nightlife' }),
      atlas({ id: ids[2], externalId: 'x3', title: 'Boat Series: Ida Lark', category: 'nightlife' }),
    ];
    expect(cluster(boats(['a', 'b', 'c'])).groups).toEqual([['a', 'c'], ['b']]);
    expect(cluster(boats(['c', 'b', 'a'])).groups).toEqual([['a', 'c'], ['b']]);
    expect(cluster(boats(['a', 'c', 'b'])).groups).toEqual([['a', 'b'], ['c']]);
  });

  it('are those of the slow twin that looks at every pair', () => {
    fc.assert(
      fc.property(anySet(9), ({ facts, decisions }) => {
        expect(cluster(facts, decisions).groups).toEqual(slowGroups(facts, decisions));
      }),
      { numRuns: 150 },
    );
  });

  it('hold each listing once, none that a person held apart, and all that persons joined unless that contradicts it', () => {
    fc.assert(
      fc.property(anySet(9), ({ facts, decisions }) => {
        const { groups } = cluster(facts, decisions);
        expect(groups.flat().sort()).toEqual(facts.map(({ id }) => id).sort());
        const together = ({ left, right }: PairDecision) => groups.some((group) => group.includes(left) && group.includes(right));
        const apart = decisions.filter(({ left, right, verdict }) => verdict === 'different' && left !== right);
        expect(apart.filter(together)).toEqual([]);
        const joined = decisions.filter(
          ({ left, right, verdict }) => verdict === 'same' && left !== 'unknown' && right !== 'unknown',
        );
        if (apart.length === 0) expect(joined.every(together)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('hold no two that are different by a fact, unless persons joined', () => {
    fc.assert(
      fc.property(anyEvents(9), (facts) => {
        const byId = readNights(facts);
        for (const group of cluster(facts).groups)
          for (const left of group)
            for (const right of group) {
              if (left === right) continue;
              const { outcome, isFirm } = judge(byId.get(left)!, byId.get(right)!);
              expect(outcome === 'different' && isFirm).toBe(false);
            }
      }),
      { numRuns: 150 },
    );
  });

  it('never need a pair that shares no key', () => {
    fc.assert(
      fc.property(anyEvents(6), (facts) => {
        for (const [index, a] of facts.entries())
          for (const b of facts.slice(0, index)) {
            const keys = new Set(blockKeys(a));
            if (blockKeys(b).some((key) => keys.has(key))) continue;
            expect(compareEvents(a, b, { clocks: NO_CLOCKS }).outcome).toBe('different');
          }
      }),
      { numRuns: 150 },
    );
  });
});

const anySet = (most: number): fc.Arbitrary<{ facts: EventFacts[]; decisions: PairDecision[] }> =>
  anyEvents(most).chain((facts) => {
    const id = fc.constantFrom(...facts.map((fact) => fact.id), 'unknown');
    const decision = fc.record({ left: id, right: id, verdict: fc.constantFrom('same' as const, 'different' as const) });
    return fc.record({ facts: fc.constant(facts), decisions: fc.array(decision, { maxLength: 3 }) });
  });

function shuffled<T>(list: readonly T[], seed: number): T[] {
  return list
    .map((item, index) => ({ item, key: ((index + 1) * 7_919 * (seed + 13)) % 104_729 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** With the crowd of each: the most that one provider lists in its house on its night, in its room or in none, less than 90 minutes apart. */
function readNights(facts: readonly EventFacts[]): Map<string, ReturnType<typeof readEvent>> {
  const read = new Map(facts.map((fact) => [fact.id, readEvent(fact, NO_CLOCKS)]));
  const crowdOf = ({ night, fact }: ReturnType<typeof readEvent>): number => {
    const { house, room } = placeName(fact.place.name);
    const there = [...read.values()].filter((other) => {
      const name = placeName(other.fact.place.name);
      return other.night === night && name.house === house && (room === null || name.room === null || name.room === room);
    });
    const sizes = there.map((first) => {
      const own = there.filter((other) => other.fact.provider === first.fact.provider);
      const timed = own.filter(({ start }) => start.precision === 'time').map(({ start }) => start.startsAt);
      const at = timed.map((from) => timed.filter((start) => start >= from && start < from + 90 * 60_000).length);
      return own.length === 1 ? 1 : Math.max(0, ...at) + own.length - timed.length;
    });
    return Math.max(...sizes);
  };
  for (const [id, event] of [...read]) read.set(id, { ...event, crowd: crowdOf(event) });
  return read;
}

/** The rules as docs/identity.md gives them, with sets of ids and no keys: every pair is judged, and every join asks all pairs again. */
function slowGroups(facts: readonly EventFacts[], decisions: readonly PairDecision[]): string[][] {
  const ids = facts.map(({ id }) => id).sort();
  const byId = readNights(facts);
  const judged = (left: string, right: string) => judge(byId.get(left)!, byId.get(right)!);
  let groups = ids.map((id) => [id]);
  const groupOf = (id: string) => groups.find((group) => group.includes(id))!;
  const known = decisions
    .filter(({ left, right }) => left !== right && byId.has(left) && byId.has(right))
    .map(({ left, right, verdict }) => {
      const [first = '', second = ''] = [left, right].sort();
      return { left: first, right: second, verdict };
    })
    .sort((a, b) => (`${a.left}\n${a.right}` < `${b.left}\n${b.right}` ? -1 : 1));
  const apart = known.filter(({ verdict }) => verdict === 'different');
  const isApart = (a: string[], b: string[]) =>
    apart.some(({ left, right }) => (a.includes(left) && b.includes(right)) || (a.includes(right) && b.includes(left)));
  const merge = (a: string[], b: string[]) => {
    groups = [...groups.filter((group) => group !== a && group !== b), [...a, ...b]];
  };
  for (const { left, right, verdict } of known) {
    const [a, b] = [groupOf(left), groupOf(right)];
    if (verdict === 'same' && a !== b && !isApart(a, b)) merge(a, b);
  }
  const units = groups.map((group) => group.slice());
  const unitsOf = (group: string[]) => units.filter((unit) => group.includes(unit[0]!));
  const areDifferent = (a: string[], b: string[]) => {
    const between = a.flatMap((left) => b.map((right) => judged(left, right)));
    return (
      !between.some(({ outcome }) => outcome === 'same') &&
      between.some(({ outcome, isFirm }) => outcome === 'different' && isFirm)
    );
  };
  const listedAs = ({ left, right }: ReturnType<typeof judge>) =>
    [left, right]
      .map(({ fact }) => `${fact.provider}\n${fact.externalId}`)
      .sort()
      .join('\n');
  const pairs = ids
    .flatMap((left, index) => ids.slice(index + 1).map((right) => judged(left, right)))
    .filter(({ outcome }) => outcome === 'same')
    .sort(
      (a, b) =>
        b.score - a.score ||
        (b.titles?.likeness ?? 0) - (a.titles?.likeness ?? 0) ||
        (listedAs(a) === listedAs(b) ? 0 : listedAs(a) < listedAs(b) ? -1 : 1) ||
        (`${a.left.fact.id}\n${a.right.fact.id}` < `${b.left.fact.id}\n${b.right.fact.id}` ? -1 : 1),
    );
  for (const { left, right } of pairs) {
    const [a, b] = [groupOf(left.fact.id), groupOf(right.fact.id)];
    if (a === b || isApart(a, b)) continue;
    if (!unitsOf(a).some((one) => unitsOf(b).some((other) => areDifferent(one, other)))) merge(a, b);
  }
  return groups.map((group) => group.sort()).sort((a, b) => (a[0]! < b[0]! ? -1 : 1));
}
