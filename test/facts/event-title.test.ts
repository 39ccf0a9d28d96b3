import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTitles } from '../../src/facts/identity/compare-titles.ts';
import { readTitle } from '../../src/facts/identity/event-title.ts';
import { cpuMsOf } from '../support/processes/cpu-time.ts';

const DAY = '2031-05-02';
const read = (title: string) => readTitle(title, DAY);
const compare = (a: string, b: string, placeWords: string[] = []) => compareTitles(read(a), read(b), new Set(placeWords));
const likeness = (a: string, b: string) => compare(a, b).likeness;

describe('a title', () => {
  it('is the words that name the event, without its day, the age at the door and the city', () => {
    const words = [...read('The Lantern Thieves (21+) – Chicago, IL 5/2 2031').words.keys()];
    expect(words).toEqual(expect.arrayContaining(['lantern', 'thieve']));
    expect(words).not.toContain('2031');
    expect(words).not.toContain('21');
  });

  it('weighs a generic word, a supporting act and a bracket less than a name', () => {
    const { words } = read('Lantern Thieves Live with Salt Choir (seated)');
    expect(words.get('lantern')).toBe(1);
    expect(words.get('live')).toBe(0.25);
    expect(words.get('salt')).toBe(0.5);
    expect(words.get('seated')).toBe(0.25);
  });

  it('keeps a city that is all there is', () => {
    expect([...read('Chicago').words.keys()]).toEqual(['chicago']);
    expect(likeness('Chicago', 'Chicago – The Musical')).toBeGreaterThan(0.9);
  });

  it('loses the kind of ticket, for the event behind it is one', () => {
    expect(likeness('Mariners v. Foxes * Premium Seating *', 'Mariners vs. Foxes')).toBe(1);
    expect(likeness('Lottery – The Salt Road', 'The Salt Road')).toBe(1);
  });

  it('reads any text without fault', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 300 }), fc.string({ maxLength: 20 }), (title, day) => {
        const { words } = readTitle(title, day);
        expect([...words.values()].every((weight) => weight > 0 && weight <= 1)).toBe(true);
      }),
    );
  });

  it('is read in a time that grows with its length', () => {
    const parts = ['(', 'part 1 ', ' - ', 'with ', 'lottery ', 'a '.repeat(20), '1/1 '];
    const spent = cpuMsOf(() => parts.map((part) => read(part.repeat(20_000))));
    expect(spent).toBeLessThan(2_000);
  });
});

describe('two titles', () => {
  it('are alike where one adds a supporting act, a tour or a subtitle', () => {
    expect(likeness('Tin Whistle', 'Tin Whistle with Marrow and Pine')).toBeGreaterThan(0.8);
    expect(likeness('Tin Whistle – 25 Years of Copper', 'Tin Whistle with Marrow')).toBeGreaterThanOrEqual(0.85);
    expect(likeness('Night Ferry: A Ghost Story', 'Night Ferry')).toBeGreaterThan(0.7);
    expect(likeness('An Evening with Tin Whistle', 'Tin Whistle')).toBeGreaterThan(0.9);
  });

  it('are alike whoever of a game is named first', () => {
    expect(likeness('Foxes at Mariners', 'Mariners v. Foxes')).toBe(1);
  });

  it('forgive one wrong letter in a long word, and none in a short one', () => {
    expect(likeness('Girl Interruped', 'Girl, Interrupted')).toBeGreaterThan(0.95);
    expect(likeness('Red Fox', 'Red Fax')).toBeLessThan(0.6);
  });

  it('are unlike where they share a generic word only', () => {
    expect(likeness('Night Ferry: A New Musical', 'Copper! The Musical')).toBeLessThan(0.3);
    expect(likeness('Movie Night: Copper', 'Movie Night: Marrow')).toBeLessThan(0.6);
  });

  it('share nothing by the name of the place they are both at', () => {
    expect(compare('Yoga at Lantern Park', 'Lantern Park Bingo', ['lantern', 'park']).likeness).toBe(0);
    expect(compare('Lantern Park Greenmarket', 'Lantern Park Greenmarket', ['lantern', 'park', 'greenmarket']).likeness).toBe(1);
  });

  it('contradict each other by part, slot, level, audience or days', () => {
    const contradiction = (a: string, b: string) => compare(a, b).contradiction;
    expect(contradiction('Salt Road Part 1', 'Salt Road Part 2')).toMatch(/part/);
    expect(contradiction('Salt Road, Vol. III', 'Salt Road Vol. 4')).toMatch(/part/);
    expect(contradiction('Marrow – Early Show', 'Marrow – Late Show')).toMatch(/slot/);
    expect(contradiction('Clay for Beginners', 'Clay, Advanced')).toMatch(/level/);
    expect(contradiction('Clay (Ages: 5 to 7)', 'Clay (Ages: 8 to 12)')).toMatch(/audience/);
    expect(contradiction('Copperfest – 2 Day Pass', 'Copperfest')).toMatch(/several days/);
    expect(contradiction('Salt Road Part 2', 'Salt Road Pt. II')).toBeNull();
    expect(contradiction('Salt Road (No Children Under 4)', 'Salt Road for Adults')).toBeNull();
  });

  it('are in doubt where each has a number that the other lacks', () => {
    expect(compare('Salt Road 7', 'Salt Road 9').doubt).toMatch(/7 and 9/);
    expect(compare('Salt Road 7', 'Salt Road').doubt).toBeNull();
  });

  it('are compared the same in either order', () => {
    const title = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 7 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(title, title, fc.subarray(['salt', 'road']), (a, b, places) => {
        const [one, other] = [compare(a, b, places), compare(b, a, places)];
        expect(other.likeness).toBeCloseTo(one.likeness, 12);
        expect(other.told).toBeCloseTo(one.told, 12);
        expect([other.contradiction === null, other.doubt === null, other.onlyOne]).toEqual([
          one.contradiction === null,
          one.doubt === null,
          one.onlyOne,
        ]);
      }),
    );
  });
});

const WORDS = [
  'salt',
  'road',
  'marrow',
  'marow',
  'live',
  'with',
  'at',
  '-',
  ':',
  '(',
  ')',
  'part',
  '2',
  '3',
  'presents',
  'v.',
  'kids',
  'late',
  '&',
];
const SIGNS = [...'ab Z09éß猫𝄞()[]-–—|*•~/:.,&+#@’\n\t', 'with ', 'part ', '\u202e', '\ud800', '6/19', 'ﬁ', 'İ', '\u0301'];
