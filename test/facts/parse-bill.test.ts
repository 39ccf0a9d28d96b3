import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineupOf, parseBill } from '../../src/facts/index.ts';

const certain = (title: string, venue = '') =>
  parseBill(title, venue)
    .acts.filter(({ isCertain }) => isCertain)
    .map(({ name }) => name);
const possible = (title: string, venue = '') => parseBill(title, venue).acts.map(({ name }) => name);

describe('a title that is a line-up', () => {
  it.each([
    ['Marrow / Copper Kettle / Salt', ['Marrow', 'Copper Kettle', 'Salt']],
    ['Marrow/CopperKettle/Ida-E', ['Marrow', 'CopperKettle', 'Ida-E']],
    ['Marrow | Copper Kettle | Salt!', ['Marrow', 'Copper Kettle', 'Salt!']],
    ['Marrow, Copper Kettle, and Salt', ['Marrow', 'Copper Kettle', 'Salt']],
    ['Marrow + Copper Kettle', ['Marrow', 'Copper Kettle']],
    ['Marrow • Salt', ['Marrow', 'Salt']],
    ['Marrow w/ Copper Kettle', ['Marrow', 'Copper Kettle']],
    ['Marrow with very special guests Copper Kettle + Salt', ['Marrow', 'Copper Kettle', 'Salt']],
    ['Marrow feat. Ida Lark', ['Marrow', 'Ida Lark']],
    ['Salt Week: Marrow b2b Ida Lark + Pine & more', ['Marrow', 'Ida Lark', 'Pine']],
    ['Here + There: Marrow, Salt, Pine', ['Marrow', 'Salt', 'Pine']],
    ['Marrow: The Long Road Tour / Salt / Pine', ['Marrow', 'Salt', 'Pine']],
    ['The Long Road Tour: Marrow / Salt', ['Marrow', 'Salt']],
    ['Marrow - The Long Road Tour with Salt', ['Marrow', 'Salt']],
    ['An Evening with Ida Lark', ['Ida Lark']],
    ['Marrow & Friends', ['Marrow']],
    ['Alder Jazz Orchestra', ['Alder Jazz Orchestra']],
    ['Midnight Solo Piano with Ida Lark', ['Ida Lark']],
    ['Marrow (DJ set), Salt [Live], Pine', ['Marrow', 'Salt', 'Pine']],
  ])('has certain acts: %s', (title, names) => expect(certain(title)).toEqual(names));

  it('tells the main act, who comes along, the presenter, the night and the tour', () => {
    const { acts, parties, presenter, tour } = parseBill(
      'Copper Records presents Marrow: Long Road Tour w/ Salt [Planet Harvest]',
    );
    expect(acts.map(({ name, role }) => [name, role])).toEqual([
      ['Copper Records', 'presenter'],
      ['Marrow', 'headliner'],
      ['Salt', 'support'],
    ]);
    expect([parties, presenter, tour]).toEqual([['Planet Harvest', 'Long Road Tour'], 'Copper Records', 'Long Road Tour']);
  });

  it('ends before the place where it names it', () => {
    expect(certain('Loud Harbor @ Old Mill [Planet Harvest]', 'Old Mill')).toEqual(['Loud Harbor']);
    expect(possible('Loud Harbor live at Old Mill', 'Old Mill NYC')).toEqual(['Loud Harbor']);
  });
});

describe('a title that may be read in two ways', () => {
  it.each([
    ['Black Harbor, New Mill', ['Black Harbor, New Mill', 'Black Harbor', 'New Mill']],
    ['Copper Hall: Ida Lark', ['Copper Hall', 'Ida Lark']],
    ['Ida Lark - Friends in High Places', ['Ida Lark', 'Friends in High Places']],
    ['Salt Festival', ['Salt Festival']],
    ['Soul, Funk & Disco Night', ['Soul', 'Funk & Disco Night']],
  ])('has all readings, and none that is certain: %s', (title, names) => {
    expect(possible(title)).toEqual(expect.arrayContaining(names));
    expect(certain(title)).toEqual([]);
  });

  it('has a name with a sign in it as a whole', () => {
    expect(certain('Ida & the Larks')).toEqual(['Ida & the Larks']);
    expect(certain('AC/DC')).toEqual(['AC/DC']);
  });
});

describe('a description', () => {
  it('names who performs after a word that says so', () => {
    expect(lineupOf('A long night.\nLine-up:\n- Marrow\n- Ida Lark (live)\n\nDoors at 8')).toEqual(['Marrow', 'Ida Lark (live)']);
    expect(lineupOf('With music by: Marrow, Salt and Pine. Bring friends, food.')).toEqual(['Marrow', 'Salt', 'Pine']);
    expect(lineupOf('We are featuring a new menu.')).toEqual([]);
    expect(lineupOf('Featuring: a new menu')).toEqual([]);
  });
});

it('never throws, and finds no empty names', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 400 }),
    fc
      .array(fc.constantFrom('Marrow', ' / ', ': ', ' with ', ' - ', '[', ']', '(', ')', ', ', ' & ', ' presents ', '@ '), {
        maxLength: 40,
      })
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, text, (title, venue) => {
      const { acts } = parseBill(title, venue);
      expect(acts.every(({ name }) => name.trim() !== '')).toBe(true);
      expect(new Set(acts.map(({ name }) => name.toLowerCase())).size).toBe(acts.length);
      lineupOf(title);
    }),
    { numRuns: 300 },
  );
});
