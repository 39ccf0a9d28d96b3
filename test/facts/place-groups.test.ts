import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBlocks } from '../../src/facts/identity/place-blocks.ts';
import { type GroupCandidate, joinPlaces, type Pair } from '../../src/facts/identity/place-groups.ts';
import { compareRead, readPlace } from '../../src/facts/identity/place-relation.ts';
import { comparePlaces, groupPlaces, type PairDecision, type PlaceListing } from '../../src/facts/index.ts';
import { anyPlaces, listing } from './made-places.ts';

const group = (places: readonly PlaceListing[], decisions: readonly PairDecision[] = []) => groupPlaces(places, { decisions });
const groupsOf = (places: readonly PlaceListing[], decisions: readonly PairDecision[] = []) =>
  group(places, decisions).groups.map((ids) => ids.join(' '));

/** Blocking left out: every pair is compared. */
function withoutBlocking(places: readonly PlaceListing[], decisions: readonly PairDecision[]) {
  const candidates = places.map((each): GroupCandidate => ({ ...readPlace(each), id: each.id, provider: each.provider }));
  const pairs = candidates.flatMap((left, index) =>
    candidates.slice(index + 1).map((right): Pair => ({ left, right, found: compareRead(left, right) })),
  );
  const telling = pairs.filter(({ found }) => ['same', 'room_of', 'has_room'].includes(found.relation));
  return joinPlaces(candidates, decisions, createBlocks(candidates), telling);
}

const anyDecisions = (places: readonly PlaceListing[]): fc.Arbitrary<PairDecision[]> =>
  places.length < 2
    ? fc.constant([])
    : fc.array(
        fc.record({
          left: fc.constantFrom(...places.map(({ id }) => id)),
          right: fc.constantFrom(...places.map(({ id }) => id)),
          verdict: fc.constantFrom('same' as const, 'different' as const),
        }),
        { maxLength: 4 },
      );
const anySet = anyPlaces(14).chain((places) => fc.tuple(fc.constant(places), anyDecisions(places)));

describe('branches that are listed with the areas they are in', () => {
  it('are never one by a vote about their points', () => {
    const village = { quarter: 'Marrow Village' };
    const places = (hill: { quarter?: string }) => [
      listing('a', 'Copper Pear Club - Marrow Village', 0, { provider: 'Atlas', ...village }),
      listing('b', 'Copper Pear Club - Marrow Village', 10, { provider: 'Beacon', ...village }),
      listing('c', hill.quarter ? `Copper Pear Club - ${hill.quarter}` : 'Copper Pear Club', 3_000, {
        provider: 'Cairn',
        ...hill,
      }),
    ];
    expect(groupsOf(places({}))).toEqual(['a b c']);
    expect(groupsOf(places({ quarter: 'Salt Hill' }))).toEqual(['a b', 'c']);
  });
});

describe('places in groups', () => {
  it('are one for each place, whoever names it', () => {
    const places = [
      listing('a', 'Tin Theatre-NY', 0),
      listing('b', 'Tin Theater', 40, { provider: 'Beacon' }),
      listing('c', 'TIN THEATRE', 20, { provider: 'Cairn' }),
      listing('d', 'Glass House', 10),
    ];
    expect(groupsOf(places)).toEqual(['a b c', 'd']);
  });

  it('do not grow from one name to another by way of a third', () => {
    const places = [listing('a', 'Bowery Ballroom', 0), listing('b', 'Bowery', 10), listing('c', 'Bowery Hotel', 20)];
    expect(groupsOf(places)).toHaveLength(2);
  });

  it('take in a place without a point where only one place has its name', () => {
    const known = listing('a', 'Glass House', 0);
    const loose = listing('b', 'The Glass House', null, { provider: 'Beacon' });
    expect(groupsOf([known, loose])).toEqual(['a b']);
    expect(groupsOf([known, loose, listing('c', 'Glass House', 9_000)])).toEqual(['a', 'b', 'c']);
    expect(groupsOf([loose, { ...loose, id: 'c', provider: 'Cairn' }])).toEqual(['b c']);
    expect(groupsOf([listing('a', 'Brooklyn', null), listing('b', 'Brooklyn', null)])).toEqual(['a', 'b']);
  });

  it('correct a wrong point of a name that no third place has', () => {
    const [here, off] = [listing('a', 'Tin Theatre', 0), listing('b', 'Tin Theatre-NY', 800)];
    expect(groupsOf([here, off])).toEqual(['a b']);
    expect(groupsOf([here, off, listing('c', 'Tin Theatre', 9_000)])).toHaveLength(3);
  });

  it('ask where a point may be wrong and the name alone is too little', () => {
    const here = listing('a', 'Tin Theatre', 0);
    const asked = (b: PlaceListing) => group([here, b]).asks.map(({ left, right }) => left + right);
    expect(asked(listing('b', 'Tin Theatre', 3_000, { provider: 'Beacon' }))).toEqual(['ab']);
    expect(asked(listing('b', 'Tin Theatre', 800))).toEqual(['ab']);
    expect(asked(listing('b', 'Tin Theatre', 3_000))).toEqual([]);
    expect(asked(listing('b', 'Tin Theatre', 9_000, { provider: 'Beacon' }))).toEqual([]);
    const single = [listing('a', 'Masquerade', 0), listing('b', 'Masquerade NYC', 800, { provider: 'Beacon' })];
    expect(group(single).asks).toMatchObject([{ left: 'a', right: 'b', verdict: { outcome: 'ask' } }]);
  });
});

describe('rooms', () => {
  it('are places of their own, each in the nearest likely house', () => {
    const places = [
      listing('a', 'Old Mill', 0),
      listing('b', 'Old Mill – Rooftop', 10),
      listing('c', 'Rooftop at Old Mill', 20, { provider: 'Beacon' }),
      listing('d', 'Old Mill (Stage 2)', 30),
    ];
    const { groups, rooms } = group(places);
    expect(groups).toEqual([['a'], ['b', 'c'], ['d']]);
    expect(rooms).toEqual([
      { room: 'b', house: 'a' },
      { room: 'd', house: 'a' },
    ]);
  });

  it('find their house by its name where their own point is missing or wrong', () => {
    const house = listing('a', 'Rugby Library', 0);
    expect(group([house, listing('b', 'Rugby, Meeting Room', 7_000)]).rooms).toEqual([{ room: 'b', house: 'a' }]);
    expect(group([house, listing('b', 'Rugby, Meeting Room', null, { provider: 'Beacon' })]).rooms).toEqual([]);
    expect(group([house, listing('b', 'Rugby Library, Meeting Room', null, { provider: 'Beacon' })]).rooms).toHaveLength(1);
    const two = [house, listing('b', 'Rugby Library', 9_000), listing('c', 'Rugby Library, Room 3', null)];
    expect(group(two).rooms).toEqual([]);
  });
});

describe('decisions of persons', () => {
  const [a, b, c] = [listing('a', 'Tin Theatre'), listing('b', 'Tin Theater', 10), listing('c', 'Salt Cellar', 20)];

  it('hold apart what is the same', () => {
    expect(groupsOf([a, b], [{ left: 'b', right: 'a', verdict: 'different' }])).toEqual(['a', 'b']);
  });

  it('join what is different, and with it all that is the same as either', () => {
    expect(groupsOf([a, b, c], [{ left: 'c', right: 'a', verdict: 'same' }])).toEqual(['a b c']);
  });

  it('are not asked again', () => {
    const places = [listing('a', 'Masquerade', 0), listing('b', 'Masquerade', 800, { provider: 'Beacon' })];
    expect(group(places, [{ left: 'b', right: 'a', verdict: 'different' }]).asks).toEqual([]);
    expect(group(places, [{ left: 'a', right: 'b', verdict: 'same' }])).toMatchObject({ groups: [['a', 'b']], asks: [] });
  });

  it('are respected whatever else is said', () => {
    fc.assert(
      fc.property(anySet, ([places, decisions]) => {
        const known = decisions.filter(({ left, right }) => left !== right);
        const groups = group(places, decisions).groups;
        const together = ({ left, right }: PairDecision) => groups.some((ids) => ids.includes(left) && ids.includes(right));
        for (const decision of known) if (decision.verdict === 'different') expect(together(decision)).toBe(false);
        const isDisputed = known.some(({ verdict }) => verdict === 'different');
        for (const decision of known) if (decision.verdict === 'same' && !isDisputed) expect(together(decision)).toBe(true);
      }),
    );
  });
});

describe('the groups', () => {
  it('are a function of the set: the order of places and decisions does not matter', () => {
    fc.assert(
      fc.property(
        anySet.chain(([places, decisions]) =>
          fc.tuple(
            fc.constant({ places, decisions }),
            fc.shuffledSubarray(places, { minLength: places.length }),
            fc.shuffledSubarray(decisions, { minLength: decisions.length }),
          ),
        ),
        ([{ places, decisions }, shuffled, mixed]) => {
          expect(group(shuffled, mixed)).toEqual(group(places, decisions));
        },
      ),
    );
  });

  it('are those that comparing every pair gives', () => {
    fc.assert(
      fc.property(anySet, ([places, decisions]) => {
        expect(group(places, decisions)).toEqual(withoutBlocking(places, decisions));
      }),
      { numRuns: 400 },
    );
  });

  it('hold each id once, and rooms and questions are of different groups', () => {
    fc.assert(
      fc.property(anySet, ([places, decisions]) => {
        const { groups, rooms, asks } = group(places, decisions);
        expect(groups.flat().sort()).toEqual(places.map(({ id }) => id).sort());
        const first = new Map(groups.flatMap((ids) => ids.map((id) => [id, ids[0] ?? ''] as const)));
        for (const { room, house } of rooms)
          expect([first.get(room), first.get(house), room === house]).toEqual([room, house, false]);
        expect(new Set(rooms.map(({ room }) => room)).size).toBe(rooms.length);
        for (const { left, right } of asks) expect(first.get(left)).not.toBe(first.get(right));
      }),
    );
  });
});

describe('places of one name at several points', () => {
  const at = (id: string, provider: string, latitude: number, more: object = {}) => ({
    ...{ id, provider, name: 'Heron Square Park', address: null, latitude, longitude: -73.981691 },
    ...more,
  });
  const agreed = [at('a', 'city', 40.726438), at('b', 'parks', 40.726441)];
  const far = at('c', 'radio', 40.710187);
  const groupsOf = (...places: Parameters<typeof groupPlaces>[0]) => groupPlaces(places, { decisions: [] }).groups.length;

  it('are one where two providers outvote a third', () => {
    expect(groupsOf(...agreed, far)).toBe(1);
    expect(groupsOf(far, ...agreed.toReversed())).toBe(1);
  });

  it('stay two where one provider alone stands against another, or lists both, or knows other addresses', () => {
    expect(groupsOf(at('a', 'city', 40.726438), far)).toBe(2);
    expect(groupsOf(...agreed, { ...far, provider: 'parks' })).toBe(2);
    expect(groupsOf(...agreed.map((each) => ({ ...each, address: '5 Heron St' })), { ...far, address: '90 Gull Ave' })).toBe(2);
  });
});

it('a place that is called by its address is the house at this address', () => {
  const house = { name: 'Kestrel Tower', address: '1001 Marrow Ave, Port Alder', latitude: null, longitude: null };
  const nameless = { name: '1001 Marrow Avenue', address: null, latitude: null, longitude: null };
  expect(comparePlaces(house, nameless).relation).toBe('same');
  expect(comparePlaces(nameless, house).relation).toBe('same');
  expect(comparePlaces({ ...house, address: '1003 Marrow Ave' }, nameless).relation).not.toBe('same');
});
