import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePlaces, type PlaceFacts, readAddress } from '../../src/facts/index.ts';
import { anyPlace, place } from './made-places.ts';

const relation = (...[a, b]: Parameters<typeof comparePlaces>) => comparePlaces(a, b).relation;

describe('two places', () => {
  it('are the same where their names and points agree', () => {
    expect(relation(place('Tin Theatre-NY'), place('The Tin Theater', 60))).toBe('same');
    expect(relation(place('BABYS ALL RIGHT'), place('Baby’s All Right', 90))).toBe('same');
    expect(relation(place('Marrow'), place('Marrow Jazz Club', 20))).toBe('same');
    expect(relation(place('Metaltech'), place('Metal Tech', 40))).toBe('same');
    expect(relation(place('Externinator'), place('Exterminator', 20))).toBe('same');
    expect(relation(place('Harbor Arts Room'), place('HAR', 10))).toBe('same');
  });

  it('are different with nothing in common but the kind, however near', () => {
    expect(relation(place('Tin Theatre'), place('Salt Theatre', 5))).toBe('different');
    expect(relation(place('Rooftop at Arlo'), place('Rooftop at Vale', 5))).toBe('different');
  });

  it('are different by a number or a point of the compass', () => {
    expect(relation(place('97th Street Greenmarket'), place('79th Street Greenmarket', 5))).toBe('different');
    expect(relation(place('Marrow Playground North'), place('Marrow Playground South', 5))).toBe('different');
    expect(relation(place('57th St at 9th Ave'), place('57th St at 8th Ave', 5))).toBe('different');
    expect(relation(place('57th St at 9th Ave'), place('Ninth Avenue and 57th Street', 30))).toBe('same');
  });

  it('are not one by the area of the city that ends a name', () => {
    const pear = place('The Copper Pear - Marrow Village', 40, { quarter: 'Marrow Village' });
    expect(relation(pear, place('Marrow Village Center'))).toBe('different');
    expect(relation(pear, place('Copper Pear'))).toBe('same');
    expect(relation(pear, place('The Copper Pear (Salt Hill)', 40, { quarter: 'Salt Hill' }))).toBe('same');
    expect(relation(pear, place('The Copper Pear (Salt Hill)', 3_000, { quarter: 'Salt Hill' }))).toBe('different');
  });

  it('are not one by a part of a name, beyond one door', () => {
    expect(relation(place('Marrow - Copper Salt Mall'), place('Copper Salt Mall', 400))).toBe('different');
    expect(relation(place('Public Library - Copper Salt'), place('Copper Salt Library', 40))).toBe('same');
  });

  it('are not joined by a name that is nobody’s own', () => {
    expect(relation(place('Bowery Palace'), place('The Bowery Electric', 2))).toBe('unknown');
    expect(relation(place('Marrow Theater'), place('Marrow Jazz Club', 2))).toBe('unknown');
    expect(
      relation(place('Bowery Palace', 2, { address: '5 Mill St' }), place('Bowery Electric', 0, { address: '5 Mill St' })),
    ).toBe('same');
  });

  it('of one name prove nothing: a chain has it too', () => {
    expect(relation(place('Crazy Mocha', 0), place('Crazy Mocha', 2_000))).toBe('different');
    expect(relation(place('Crazy Mocha', null), place('Crazy Mocha', 0))).toBe('unknown');
    const address = '12 Mill Street';
    expect(relation(place('Crazy Mocha', null, { address }), place('Crazy Mocha', 0, { address }))).toBe('same');
    expect(
      relation(
        place('Crazy Mocha', null, { address: 'Town, 10001' }),
        place('Crazy Mocha', null, { address: 'Dock Road, 10001' }),
      ),
    ).toBe('same');
    expect(
      relation(place('Crazy Mocha', null, { address: 'Town, 10001' }), place('Crazy Mocha', null, { address: 'Town, 10002' })),
    ).toBe('unknown');
  });

  it('of one long name in one quarter may have a wrong point, and wide grounds have room for two', () => {
    expect(relation(place('Crazy Mocha', 0), place('Crazy Mocha', 900))).toBe('unknown');
    expect(relation(place('Mocha', 0), place('Mocha', 900))).toBe('different');
    expect(relation(place('Marrow Park', 0), place('Marrow Park', 900))).toBe('same');
  });

  it('are not told apart by points that stand for larger places', () => {
    expect(relation(place('Old Mill', 0), place('Old Mill', 4_000, { isApproximate: true }))).toBe('unknown');
    const rounded = { latitude: 40.7, longitude: -73.93 };
    expect(relation(place('Old Mill', 400), place('Old Mill', 0, rounded))).toBe('unknown');
    expect(relation(place('Old Mill', 20_000), place('Old Mill', 0, rounded))).toBe('different');
  });

  it('are unknown where one is a borough or not said', () => {
    expect(relation(place('Brooklyn'), place('Brooklyn'))).toBe('unknown');
    expect(relation(place('TBA'), place('Old Mill'))).toBe('unknown');
    expect(comparePlaces(place('Brooklyn'), place('Old Mill')).score).toBe(0.5);
  });
});

describe('a room', () => {
  it('belongs to its house, in either order', () => {
    for (const room of [
      'Old Mill – Rooftop',
      'Old Mill (Stage 2)',
      'Rooftop at the Old Mill',
      'Lawn (in Old Mill)',
      'Old Mill, Hall 3',
      'Old Mill Rooftop',
    ]) {
      expect(relation(place(room), place('Old Mill', 30)), room).toBe('room_of');
      expect(relation(place('Old Mill', 30), place(room)), room).toBe('has_room');
    }
  });

  it('is itself under another form of its name', () => {
    expect(relation(place('Old Mill – Rooftop'), place('Rooftop at Old Mill', 30))).toBe('same');
    expect(relation(place('Marrow Park: Great Lawn'), place('Great Lawn, Marrow Park', 200))).toBe('same');
    expect(relation(place('The Summer Club at Raven Hotel'), place('Summer Club', 20))).toBe('same');
  });

  it('is another than the next room, on one site', () => {
    const { relation, score } = comparePlaces(place('Old Mill – Rooftop'), place('Old Mill – Zone One'));
    expect(relation).toBe('different');
    expect(score).toBeGreaterThan(0.9);
    expect(comparePlaces(place('Kings Bay, Meeting Room'), place('Saratoga, Meeting Room')).score).toBeLessThan(0.2);
  });

  it('of wide grounds may be far from their point', () => {
    expect(relation(place('Sculpture (in Marrow Park)', 1_000), place('Marrow Park'))).toBe('room_of');
    expect(relation(place('Sculpture (in Old Mill)', 1_000), place('Old Mill'))).not.toBe('room_of');
  });

  it('needs no sign before it where the house is grounds or its word is one', () => {
    expect(relation(place('Marrow Park Tennis Courts', 200), place('Marrow Park'))).toBe('room_of');
    expect(relation(place('Marrow University Chapel', 100), place('Marrow University'))).toBe('room_of');
    expect(relation(place('Marrow Hall Gym', 10), place('Marrow Hall'))).toBe('room_of');
    // A kind alone names no house of which others could be parts.
    for (const [name, kind] of [
      ['Park Old', 'Park'],
      ['Hall Gym', 'Hall'],
      ['College Room', 'College'],
    ] as const)
      expect(relation(place(name), place(kind)), name).toBe('unknown');
    expect(relation(place('Marrow Square Park', 10), place('Marrow Square'))).toBe('same');
  });

  it('is not what is only called after a park', () => {
    expect(relation(place('Marrow Park Hotel', 30), place('Marrow Park'))).toBe('different');
    expect(relation(place('Reading Room (in Marrow Park)', 30), place('Marrow Park Hotel'))).not.toBe('room_of');
    expect(relation(place('Arsenal (in Marrow Park)', 30), place('Marrow Park SummerStage'))).not.toBe('room_of');
  });
});

describe('the answer', () => {
  it('is mirrored when the two are exchanged', () => {
    const mirror = {
      same: 'same',
      room_of: 'has_room',
      has_room: 'room_of',
      different: 'different',
      unknown: 'unknown',
    } as const;
    fc.assert(
      fc.property(anyPlace, anyPlace, (a, b) => {
        const [one, other] = [comparePlaces(a, b), comparePlaces(b, a)];
        expect(other.relation).toBe(mirror[one.relation]);
        expect(other.score).toBe(one.score);
        expect(other.evidence.length).toBe(one.evidence.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is a score from 0 to 1 with at least one plain sentence', () => {
    fc.assert(
      fc.property(anyPlace, anyPlace, (a, b) => {
        const { score, evidence } = comparePlaces(a, b);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(evidence.length).toBeGreaterThan(0);
        for (const { detail } of evidence) expect(detail).toMatch(/\.$/);
      }),
    );
  });

  it('never says another name, point or address of one place than the same', () => {
    fc.assert(
      fc.property(anyPlace, (a) => {
        expect(comparePlaces(a, { ...a }).relation).not.toBe('different');
      }),
    );
  });

  it('says why', () => {
    const { evidence } = comparePlaces(
      place('Old Mill', 0, { address: '12 Mill St' }),
      place('Old Mill', 30, { address: '12 Mill Street' }),
    );
    expect(evidence.map(({ kind, speaksFor }) => `${kind} ${speaksFor}`)).toEqual(['name same', 'distance same', 'address same']);
    expect(evidence[1]?.detail).toBe('30 meters apart.');
  });
});

describe('rules of another city', () => {
  const at = (name: string, more: Partial<PlaceFacts> = {}): PlaceFacts => ({
    name,
    address: null,
    latitude: 55.9533,
    longitude: -3.1883,
    ...more,
  });
  const near = { latitude: 55.9535, longitude: -3.1885 };
  const relation = (left: string, right: string, more: Partial<PlaceFacts> = near) =>
    comparePlaces(at(left), at(right, more)).relation;

  it('forgive two typos in a long word', () => {
    expect(relation('Marrowfield Hall', 'Marowfeild Hall')).toBe('same');
    expect(relation('Marrow Hall', 'Morraw Hall')).not.toBe('same');
  });

  it('read what follows a dash as a branch at the same door, and as a room elsewhere', () => {
    expect(relation('Velvet Kettle', 'Velvet Kettle - Leith')).toBe('same');
    expect(relation('Velvet Kettle', 'Velvet Kettle - Stage 3')).toBe('has_room');
  });

  it('hold that a short name alone is a chain at a distance', () => {
    const apart = { latitude: 55.9565, longitude: -3.1883 };
    expect(relation('Kettlebucks', 'Kettlebucks', apart)).not.toBe('same');
  });

  it('take a library or a garage of a house for a part of it', () => {
    expect(relation('Orla Elementary School', 'Orla Elementary School Library')).toBe('has_room');
    expect(relation('Gull Wing', 'Gull Wing Garage')).toBe('has_room');
  });

  it('read postcodes of other countries', () => {
    expect(readAddress('EH1 1RE')?.postcode).toBe('EH11RE');
    expect(readAddress('Toronto, m5v 2t6')?.postcode).toBe('M5V2T6');
    expect(readAddress('Singapore 238858')?.postcode).toBe('238858');
  });
});
