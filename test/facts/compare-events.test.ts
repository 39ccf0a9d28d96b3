import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareEvents, type EventFacts, NO_CLOCKS, type ProviderClocks } from '../../src/facts/index.ts';
import { anyEvent } from './any-event.ts';
import { event, OLD_MILL } from './made-events.ts';

const outcome = (a: EventFacts, b: EventFacts, clocks: ProviderClocks = NO_CLOCKS) => compareEvents(a, b, { clocks }).outcome;
const north = (meters: number) => ({ latitude: OLD_MILL.latitude + meters / 111_320 });
const atlas = (said: Parameters<typeof event>[0] = {}) => event({ provider: 'Atlas', ...said });
const beacon = (said: Parameters<typeof event>[0] = {}) => event({ provider: 'Beacon', ...said });

describe('two listings of one place and hour', () => {
  it('are the same where two providers give them one name', () => {
    expect(outcome(atlas(), beacon())).toBe('same');
    expect(outcome(atlas(), beacon({ title: 'Harbour Choir with Salt Road' }))).toBe('same');
    expect(outcome(atlas({ title: 'Mariners v. Foxes' }), beacon({ title: 'Foxes at Mariners' }))).toBe('same');
  });

  it('are different where the names are', () => {
    const market = { category: 'food' } as const;
    expect(outcome(atlas(market), beacon({ title: 'Copper Kettle', ...market }))).toBe('different');
    expect(outcome(atlas({ title: 'Copper: The Musical' }), beacon({ title: 'Night Ferry: A New Musical' }))).toBe('different');
  });

  it('are a question where the names are half alike', () => {
    expect(outcome(atlas({ title: 'Drunk Macbeth' }), beacon({ title: 'Drunk Hamlet' }))).toBe('ask');
  });

  it('are the same for one provider only where it has listed one event twice', () => {
    expect(outcome(atlas({ id: '1' }), atlas({ id: '2' }))).toBe('same');
    expect(outcome(atlas({ id: '1', title: 'Copper' }), atlas({ id: '2', title: 'Copper – The Musical' }))).toBe('same');
    expect(outcome(atlas({ id: '1', title: 'Drunk Macbeth' }), atlas({ id: '2', title: 'Drunk Hamlet' }))).toBe('different');
    expect(outcome(atlas({ id: '1', title: 'Clay' }), atlas({ id: '2', title: 'Clay for Beginners' }))).toBe('ask');
  });

  it('are the same though only one names who presents', () => {
    const lesson = { category: 'community' } as const;
    const [short, long] = [{ title: 'Copper Kettle Training' }, { title: 'Salt Road Society Presents: Pine Kettle Training' }];
    expect(outcome(atlas({ ...short, ...lesson }), beacon({ ...long, ...lesson }))).toBe('same');
    const day = { start: '2031-05-02', category: 'theater' } as const;
    expect(outcome(atlas({ title: 'Ida Lark’s Marvel', category: 'theater' }), beacon({ title: 'MARVEL Magic', ...day }))).toBe(
      'same',
    );
  });

  it('are not the same by an occasion that two persons or groups have', () => {
    const titles = [
      ['Ida Lark’s Birthday Party', 'Tom Pine’s Birthday Party'],
      ['Old Mill Women’s Choir', 'Salt Road Men’s Choir'],
    ] as const;
    for (const [left, right] of titles)
      expect(outcome(atlas({ title: left, category: 'community' }), beacon({ title: right, category: 'community' }))).not.toBe(
        'same',
      );
  });

  it('are different where a mark says so, and a question where a number may', () => {
    expect(outcome(atlas({ title: 'Salt Road Part 1' }), beacon({ title: 'Salt Road Part 2' }))).toBe('different');
    expect(outcome(atlas({ title: 'Salt Road 7' }), beacon({ title: 'Salt Road 9' }))).toBe('ask');
  });

  it('are the same by a performer whom both name, if the titles share a word', () => {
    const [named, other] = [{ performers: ['Ida Lark'] }, { performers: ['IDA LARK '] }];
    const community = { category: 'community' } as const;
    const titles = [
      { title: 'Marrow Sessions Winter Garden Special', ...community },
      { title: 'Marrow presents Pine, Oak, Elm and Ash', ...community },
    ] as const;
    expect(outcome(atlas({ ...titles[0] }), beacon({ ...titles[1] }))).not.toBe('same');
    expect(outcome(atlas({ ...titles[0], ...named }), beacon({ ...titles[1], ...other }))).toBe('same');
  });
});

describe('two places far apart', () => {
  it('are one for two listings whose titles end with the name of one of them', () => {
    const title = 'It’s My Park at Marrow Field';
    const [field, yard] = [{ at: { name: 'Marrow Field' } }, { at: { name: 'Copper Playground', ...north(3_000) } }];
    const day = { category: 'community', title } as const;
    expect(outcome(atlas({ ...day, ...field }), beacon({ ...day, ...yard }))).toBe('same');
    expect(outcome(atlas({ ...day, ...field }), beacon({ ...day, ...yard, title: 'It’s My Park at Salt Field' }))).toBe(
      'different',
    );
    expect(outcome(atlas({ ...day, at: { name: 'Old Field' } }), beacon({ ...day, ...yard }))).not.toBe('same');
  });

  it('are a house and the same house as the branch of an institution, though a point is wrong', () => {
    const title = { category: 'community', title: 'Salt Road Kettle Fitness' } as const;
    const branch = { at: { name: 'Public Library - Copper Marrow', ...north(4_000) } };
    expect(outcome(atlas({ ...title, at: { name: 'Copper Marrow, Auditorium' } }), beacon({ ...title, ...branch }))).toBe('same');
    expect(outcome(atlas({ ...title, at: { name: 'Copper Salt, Auditorium' } }), beacon({ ...title, ...branch }))).not.toBe(
      'same',
    );
    const short = { category: 'community', title: 'Kettlers Fitness' } as const;
    expect(outcome(atlas({ ...short, at: { name: 'Copper Marrow, Auditorium' } }), beacon({ ...short, ...branch }))).toBe('same');
  });
});

describe('two starts', () => {
  it('on one evening are the same event when doors and show differ, and never from 90 minutes on', () => {
    expect(outcome(atlas(), beacon({ start: '2031-05-02T20:30' }))).toBe('same');
    expect(outcome(atlas(), beacon({ start: '2031-05-02T21:00' }))).toBe('same');
    expect(outcome(atlas(), beacon({ start: '2031-05-02T21:30' }))).toBe('different');
    expect(outcome(atlas({ start: '2031-05-02T14:00' }), beacon())).toBe('different');
  });

  it('of one provider are two events, however near: sessions, early and late shows', () => {
    expect(outcome(atlas(), atlas({ start: '2031-05-02T20:30' }))).toBe('different');
  });

  it('on two nights are two events; a night ends at five in the morning', () => {
    expect(outcome(atlas({ start: '2031-05-02T23:59' }), beacon({ start: '2031-05-03T00:01' }))).toBe('same');
    expect(outcome(atlas({ start: '2031-05-03T04:59' }), beacon({ start: '2031-05-03T05:01' }))).toBe('different');
    expect(outcome(atlas(), beacon({ start: '2031-05-03T20:00' }))).toBe('different');
  });

  it('of which one has no hour are the same by day, place and a name that agrees', () => {
    expect(outcome(atlas(), beacon({ start: '2031-05-02' }))).toBe('same');
    expect(outcome(atlas(), beacon({ start: '2031-05-03' }))).toBe('different');
    expect(outcome(atlas({ title: 'Drunk Macbeth' }), beacon({ title: 'Drunk Hamlet', start: '2031-05-02' }))).not.toBe('same');
    expect(outcome(atlas({ id: '1' }), atlas({ id: '2', start: '2031-05-02' }))).toBe('same');
  });

  it('of a provider whose clock is known to be off are read as they are meant', () => {
    const early = {
      provider: 'Beacon',
      kind: 'shifted',
      clock: null,
      hours: 4,
      support: 9,
      against: 0,
      sentence: 'Beacon runs early.',
    } as const;
    const holder = { ...early, kind: 'placeholder', clock: '19:30', hours: 0, sentence: 'Beacon prints 19:30.' } as const;
    expect(outcome(atlas(), beacon({ start: '2031-05-02T16:00' }))).toBe('different');
    expect(outcome(atlas(), beacon({ start: '2031-05-02T16:00' }), { findings: [early] })).toBe('same');
    expect(outcome(atlas({ start: '2031-05-02T14:00' }), beacon({ start: '2031-05-02T19:30' }), { findings: [holder] })).toBe(
      'same',
    );
    expect(outcome(atlas({ start: '2031-05-02T14:00' }), beacon({ start: '2031-05-02T19:45' }), { findings: [holder] })).toBe(
      'different',
    );
    const { evidence } = compareEvents(atlas(), beacon({ start: '2031-05-02T16:00' }), { clocks: { findings: [early] } });
    expect(evidence).toContainEqual({ kind: 'clock', speaksFor: 'neither', detail: 'Beacon runs early.' });
  });
});

describe('two places', () => {
  it('that are a room and its house hold one event', () => {
    expect(outcome(atlas({ at: { name: 'Old Mill – Rooftop' } }), beacon({ at: { name: 'Old Mill' } }))).toBe('same');
  });

  it('of two names are a question even next door, unless one is the short form of the other', () => {
    const nextDoor = { at: { name: 'Glass House', ...north(40) } };
    const zumba = { title: 'Zumba', category: 'sports' } as const;
    expect(outcome(atlas(zumba), beacon({ ...zumba, ...nextDoor }))).toBe('ask');
    expect(outcome(atlas({ title: 'Salt Road' }), beacon({ title: 'Harbour Choir', ...nextDoor }))).toBe('different');
    const [full, short] = [{ name: 'Bernard B. Lantern Theatre' }, { name: 'Lantern Theatre', ...north(220) }];
    expect(outcome(atlas({ at: full }), beacon({ at: short }))).toBe('same');
  });

  it('of one name may lie apart, for points are often wrong; branches of a house do not count', () => {
    expect(outcome(atlas(), beacon({ at: north(3_000) }))).toBe('same');
    const [east, west] = [{ name: 'Cellar Comedy Club (Eastside)' }, { name: 'Cellar Comedy Club (Westside)', ...north(3_000) }];
    expect(outcome(atlas({ at: east }), beacon({ at: west }))).not.toBe('same');
  });

  it('of which one is only a borough hold one event where its name says enough', () => {
    const borough = { at: { name: 'Brooklyn', latitude: 40.6781784, longitude: -73.9441579, isApproximate: true } };
    expect(
      outcome(atlas({ title: 'Planting Day at Lantern Park' }), beacon({ title: 'Planting Day at Lantern Park', ...borough })),
    ).toBe('same');
    expect(
      outcome(atlas({ title: 'Planting Day at Lantern Park' }), beacon({ title: 'Planting Day at Copper Park', ...borough })),
    ).not.toBe('same');
    expect(outcome(atlas({ title: 'Yoga' }), beacon({ title: 'Yoga', ...borough }))).not.toBe('same');
  });

  it('called like a far city are houses', () => {
    const [short, long] = [
      { name: 'Berlin', ...north(0) },
      { name: 'Berlin NYC', ...north(9) },
    ];
    const title = 'Harvest Choir Practice Session';
    expect(outcome(atlas({ title, at: short }), beacon({ title: 'Harvest Choir', at: long }))).toBe('same');
  });

  it('far from each other hold two, and a name that tells much is a question', () => {
    const far = { at: { name: 'Glass House', ...north(4_000) } };
    const family = { category: 'family' } as const;
    expect(outcome(atlas(family), beacon({ ...family, ...far }))).toBe('different');
    const title = "David Oak's Louisiana Eternity Band";
    expect(outcome(atlas({ title }), beacon({ title, ...far }))).toBe('ask');
  });
});

describe('a verdict', () => {
  it('says in plain sentences what speaks for it, the weightiest first', () => {
    const { outcome, score, evidence } = compareEvents(atlas({ id: '1' }), beacon({ id: '2', start: '2031-05-02T20:20' }), {
      clocks: NO_CLOCKS,
    });
    expect({ outcome, evidence: evidence.map(({ detail }) => detail) }).toEqual({
      outcome: 'same',
      evidence: [
        'Both are at “Old Mill”, 0 m apart: the same place.',
        '“Harbour Choir” and “Harbour Choir” are 100% alike.',
        'They start 20 minutes apart, 2031-05-02 20:00 and 20:20.',
      ],
    });
    expect(score).toBeGreaterThan(0.9);
  });

  it('is the same whichever listing comes first', () => {
    fc.assert(
      fc.property(anyEvent('a'), anyEvent('b'), (a, b) => {
        expect(compareEvents(a, b, { clocks: NO_CLOCKS })).toEqual(compareEvents(b, a, { clocks: NO_CLOCKS }));
      }),
    );
  });

  it('is “same” for a listing and its own copy from another address of the provider', () => {
    fc.assert(
      fc.property(anyEvent('a'), (fact) => {
        expect(outcome(fact, { ...fact, id: 'copy' })).toBe('same');
      }),
    );
  });
});
