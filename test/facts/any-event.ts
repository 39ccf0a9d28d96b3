/** Random events that are often nearly the same: few titles, places, providers and hours. */

import fc from 'fast-check';
import type { EventFacts } from '../../src/facts/index.ts';
import { event, OLD_MILL } from './made-events.ts';

export const anyEvent = (id: string): fc.Arbitrary<EventFacts> =>
  fc
    .record({
      title: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
      provider: fc.constantFrom('Atlas', 'Beacon', 'Cairn'),
      start: fc.constantFrom(...STARTS),
      at: fc.constantFrom(...PLACES),
      performers: fc.subarray(['Ida Lark', 'Tin Whistle'], { maxLength: 1 }),
    })
    .map((said) => event({ id, externalId: `x${id}`, ...said }));

/** A set with ids of its own. */
export const anyEvents = (most: number): fc.Arbitrary<EventFacts[]> =>
  fc
    .integer({ min: 0, max: most })
    .chain((count) =>
      fc.tuple(...Array.from({ length: count }, (_each, number) => anyEvent(`e${String(number).padStart(2, '0')}`))),
    );

const WORDS = ['Salt', 'Road', 'Marrow', 'Marow', 'Live', 'with', 'Part 1', 'Part 2', '–', 'Show'];
const STARTS = ['2031-05-02', '2031-05-02T14:00', '2031-05-02T20:00', '2031-05-02T20:30', '2031-05-02T21:15', '2031-05-03T00:30'];
const PLACES = [
  {},
  { latitude: OLD_MILL.latitude + 0.002 },
  { name: 'Old Mill – Rooftop' },
  { name: 'Glass House', latitude: 40.70201 },
  { name: 'Brooklyn', latitude: null, longitude: null },
];
