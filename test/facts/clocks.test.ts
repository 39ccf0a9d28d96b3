import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blockKeys,
  correctedStart,
  detectClocks,
  type EventFacts,
  NO_CLOCKS,
  nightOf,
  type ProviderClocks,
} from '../../src/facts/index.ts';
import { event } from './made-events.ts';

const TITLES = [
  'Harbour Choir',
  'Salt Road',
  'Marrow Pine',
  'Copper Kettle',
  'Tin Whistle',
  'Night Ferry',
  'Lantern Thieves',
  'Ida Lark',
];
const HOURS = ['18:00', '19:00', '20:00', '21:00', '22:00', '20:30', '19:45', '17:00'];

/** One event of each title, a day and a place apart, as one provider prints its start. */
const printed = (provider: string, clock: (hour: string, index: number) => string, most = TITLES.length): EventFacts[] =>
  TITLES.slice(0, most).map((title, index) =>
    event({
      id: `${provider}${index}`,
      provider,
      title,
      start: `2031-05-1${index}T${clock(HOURS[index] ?? '', index)}`,
      at: place(index),
    }),
  );
const place = (index: number) => ({
  name: `${['Old', 'New', 'High', 'Low'][index % 4]} Mill House ${TITLES[index]}`,
  latitude: 40.6 + index / 50,
});
const earlier = (hours: number) => (clock: string) =>
  `${String(Number(clock.slice(0, 2)) - hours).padStart(2, '0')}${clock.slice(2)}`;
const asTrue = (clock: string) => clock;

describe('the clocks of providers', () => {
  it('are right where they agree', () => {
    expect(detectClocks([...printed('Atlas', asTrue), ...printed('Beacon', asTrue)])).toEqual(NO_CLOCKS);
    expect(detectClocks([])).toEqual(NO_CLOCKS);
  });

  it('are found to run whole hours early, and are set right', () => {
    const facts = [...printed('Atlas', asTrue), ...printed('Beacon', asTrue), ...printed('Early', earlier(4))];
    const clocks = detectClocks(facts);
    expect(clocks.findings).toEqual([
      {
        provider: 'Early',
        kind: 'shifted',
        clock: null,
        hours: 4,
        support: 8,
        against: 0,
        sentence:
          'Early runs 4 hours early: so it is for 8 of the 8 events that others list too. Its starts are read 4 hours later.',
      },
    ]);
    const late = event({ provider: 'Early', start: '2031-05-02T21:30' });
    expect(correctedStart(late, clocks)).toEqual({
      startsAt: Date.parse('2031-05-03T01:30Z'),
      localStart: '2031-05-03T01:30',
      precision: 'time',
      finding: clocks.findings[0],
    });
  });

  it('are not judged where two differ and nobody confirms either', () => {
    expect(detectClocks([...printed('Atlas', asTrue), ...printed('Early', earlier(4))])).toEqual(NO_CLOCKS);
  });

  it('are not judged on few events, on one place, or where as many agree', () => {
    const others = [...printed('Atlas', asTrue), ...printed('Beacon', asTrue)];
    expect(detectClocks([...others, ...printed('Early', earlier(4), 4)])).toEqual(NO_CLOCKS);
    expect(detectClocks([...others, ...printed('Early', (clock, index) => (index % 2 ? earlier(4)(clock) : clock))])).toEqual(
      NO_CLOCKS,
    );
    const atOnePlace = (facts: EventFacts[]) => facts.map((fact) => ({ ...fact, place: { ...fact.place, ...place(0) } }));
    expect(detectClocks(atOnePlace([...others, ...printed('Early', earlier(4))]))).toEqual(NO_CLOCKS);
  });

  it('take a matinee for no proof: the nearest performance counts', () => {
    const matinees = printed('Beacon', () => '14:00').map((fact) => ({ ...fact, id: `${fact.id} matinee`, externalId: 'm' }));
    expect(
      detectClocks([...printed('Atlas', asTrue), ...printed('Beacon', asTrue), ...printed('Cairn', asTrue), ...matinees]),
    ).toEqual(NO_CLOCKS);
  });

  it('are found to print one hour for all, and that hour is read as none', () => {
    const other = Array.from({ length: 20 }, (_each, index) =>
      event({
        id: `own${index}`,
        provider: 'Holder',
        title: `Quiet Evening ${index}`,
        start: `2031-06-${10 + index}T19:30`,
        at: place(index % 8),
      }),
    );
    const clocks = detectClocks([...printed('Atlas', asTrue), ...printed('Holder', () => '19:30'), ...other]);
    expect(clocks.findings).toMatchObject([{ provider: 'Holder', kind: 'placeholder', clock: '19:30', hours: 0, support: 8 }]);
    expect(clocks.findings[0]?.sentence).toContain('prints 19:30 for 28 of 28 listings');
    expect(correctedStart(event({ provider: 'Holder', start: '2031-05-02T19:30' }), clocks)).toMatchObject({
      startsAt: Date.parse('2031-05-02T00:00Z'),
      localStart: '2031-05-02T00:00',
      precision: 'date',
    });
    expect(correctedStart(event({ provider: 'Holder', start: '2031-05-02T18:00' }), clocks).finding).toBeNull();
  });

  it('may be uniform without fault: a house that always opens at eight', () => {
    const house = Array.from({ length: 40 }, (_each, index) =>
      event({
        id: `h${index}`,
        provider: 'House',
        title: `Set ${TITLES[index % 8]}`,
        start: `2031-05-${10 + (index % 20)}T20:00`,
      }),
    );
    expect(detectClocks([...house, ...printed('Atlas', asTrue)])).toEqual(NO_CLOCKS);
  });

  it('do not depend on the order of the listings', () => {
    const facts = [...printed('Atlas', asTrue), ...printed('Beacon', asTrue), ...printed('Early', earlier(5))];
    const expected = detectClocks(facts);
    expect(expected.findings).toHaveLength(1);
    fc.assert(
      fc.property(fc.shuffledSubarray(facts, { minLength: facts.length }), (shuffled) => {
        expect(detectClocks(shuffled)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a night', () => {
  const night = (start: string, clocks: ProviderClocks = NO_CLOCKS) => nightOf(event({ start, provider: 'Early' }), clocks);

  it('ends at five in the morning, over months and years', () => {
    expect(night('2031-05-02T05:00')).toBe('2031-05-02');
    expect(night('2031-05-03T04:59')).toBe('2031-05-02');
    expect(night('2031-03-01T00:00')).toBe('2031-02-28');
    expect(night('2032-01-01T00:30')).toBe('2031-12-31');
  });

  it('is the printed day where no hour is known', () => {
    expect(night('2031-05-03')).toBe('2031-05-03');
  });

  it('follows the start as it is read', () => {
    const shifted = { provider: 'Early', kind: 'shifted', clock: null, hours: 4, support: 9, against: 0, sentence: '' } as const;
    const midnight = { ...shifted, kind: 'placeholder', clock: '00:00', hours: 0 } as const;
    expect(night('2031-05-03T02:00', { findings: [shifted] })).toBe('2031-05-03');
    expect(night('2031-05-03T00:00', { findings: [midnight] })).toBe('2031-05-03');
  });

  it('is in every key under which a listing is looked for', () => {
    expect(blockKeys(event({ id: 'x', start: '2031-05-03T01:00' }))).toEqual([
      '2031-05-02 Atlas:x',
      '2031-05-02 harbour',
      '2031-05-02 choir',
      '2031-05-02 harbourchoir',
      '2031-05-02 old 01:00',
      '2031-05-02 mill 01:00',
    ]);
  });
});
