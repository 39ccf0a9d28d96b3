/** Times of single questions to the read model, without a server around it: `node bench/search.ts [events]`. Printed, not judged. */

import { CATEGORIES, VENUE_TYPES } from '../src/catalog/index.ts';
import { buildSnapshot, type EventQuery, type EventRow, type Snapshot, type VenueRow } from '../src/search/index.ts';

const ROUNDS = 400;
const BATCHES = 16;
const size = Number(process.argv[2] ?? 100_000);
const NOW = Date.UTC(2026, 5, 16, 20);
const DAY = 86_400_000;

let state = 1;
const random = (below: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
/** Zipf-like: the first words are in every other text. */
const word = (): string => `w${Math.floor(20_000 ** (random(1_000_000) / 1_000_000))}`;
const text = (length: number): string => Array.from({ length }, word).join(' ');
const uuid = (kind: number, number: number): string =>
  `${(random(2 ** 31) * 2).toString(16).padStart(8, '0')}-0000-7000-8000-${(kind * 2 ** 40 + number).toString(16).padStart(12, '0')}`;

const venues = Array.from(
  { length: Math.max(10, size / 50) },
  (_, number): VenueRow => ({
    id: uuid(1, number),
    slug: `venue-${number}`,
    name: text(2),
    type: VENUE_TYPES[number % VENUE_TYPES.length]!,
    address: `${number} Main Street`,
    latitude: 40 + random(1000) / 1000,
    longitude: -74 + random(1000) / 1000,
    capacityTier: null,
    isVerified: number % 10 !== 0,
    neighborhood: `n-${number % 100}`,
    website: null,
    parking: null,
    transitNearby: [],
    openingHours: null,
    state: 'published',
    mergedInto: null,
  }),
);

function* events(): Generator<EventRow> {
  for (let number = 0; number < size; number += 1) {
    const startsAt = NOW - 5 * DAY + random(185 * 96) * 900_000;
    yield {
      id: uuid(2, number),
      slug: `event-${number}`,
      title: text(4),
      category: CATEGORIES[random(CATEGORIES.length)]!,
      startsAt,
      precision: 'time',
      endsAt: random(2) === 0 ? null : startsAt + 7_200_000,
      description: text(45),
      imageUrl: `https://images.example/${number}.jpg`,
      isFree: random(4) === 0,
      priceMin: null,
      priceMax: null,
      venueId: venues[random(venues.length)]!.id,
      status: 'scheduled',
      performers: [text(2)],
      organizer: null,
      tags: ['live'],
      sources: ['city'],
      discoveryScore: random(101),
      state: 'published',
      mergedInto: null,
      updatedAt: NOW - random(1000) * 1000,
      scoredAt: NOW,
      signals: [],
      scores: [{ day: '2026-06-15', score: 40 }],
    };
  }
}

const neighborhoods = Array.from({ length: 100 }, (_, number) => ({
  id: uuid(3, number),
  slug: `n-${number}`,
  name: `Neighborhood ${number}`,
  description: null,
  latitude: 40,
  longitude: -74,
}));
const city = {
  slug: 'bench',
  name: 'Bench',
  timezone: 'America/New_York',
  currency: 'USD',
  locale: 'en',
  latitude: 40,
  longitude: -74,
};
const begun = performance.now();
const snapshot = buildSnapshot({ seq: 1, city, neighborhoods, venues, events: events() }, NOW, 'https://example.test');
console.log(
  `${size} events built in ${((performance.now() - begun) / 1000).toFixed(1)} s, ${Math.round(process.memoryUsage().rss / 1e6)} MB resident`,
);

const window = { from: NOW, to: NOW + 30 * DAY, limit: 20, offset: 0 };
const QUESTIONS: readonly (readonly [string, (round: number) => EventQuery])[] = [
  ['default list', () => window],
  ['default list, another window each time', (round) => ({ ...window, from: NOW + round * 900_000 })],
  ['one category', (round) => ({ ...window, categories: [CATEGORIES[round % 11]!] })],
  [
    'three filters, another window each time',
    (round) => ({
      ...window,
      from: NOW + round * 900_000,
      categories: ['concert'],
      free: true,
      neighborhood: `n-${round % 100}`,
    }),
  ],
  ['deep offset', (round) => ({ ...window, offset: 5000 + round })],
  ['one common word', (round) => ({ ...window, text: `w${1 + (round % 9)}` })],
  [
    'two words, another window each time',
    (round) => ({ ...window, from: NOW + round * 900_000, text: `w${1 + (round % 9)} w${10 + (round % 90)}` }),
  ],
  ['phrase of common words', (round) => ({ ...window, from: NOW + round * 900_000, text: `"w1 w${2 + (round % 500)}"` })],
  ['one typo', (round) => ({ ...window, text: `wxxxx${100 + round}` })],
  ['by start', (round) => ({ ...window, from: NOW + round * 900_000, sort: 'start' })],
  [
    'nearest within 5 km',
    (round) => ({ ...window, near: { latitude: 40.5, longitude: -73.5 + round / 1000, radius: 5000 }, sort: 'distance' }),
  ],
  ['ongoing, facets', (round) => ({ ...window, from: NOW + round * 900_000, ongoing: true, facets: ['category', 'day'] })],
];
for (const [name, question] of QUESTIONS)
  console.log(`${name.padEnd(42)} ${microseconds(snapshot, question).toFixed(1).padStart(8)} µs`);
/** Text that nobody has asked before, each round. */
const ASKED: readonly (readonly [string, (round: number) => string])[] = [
  ['ask: one word', (round) => `w${10 + round}`],
  ['ask: two words', (round) => `w${10 + (round % 90)} w${100 + round}`],
  ['ask: filters and a word', (round) => `free w${10 + round} tomorrow night in neighborhood ${round % 100}`],
  ['ask: a typo', (round) => `w${10 + (round % 90)} wxx${100 + round}`],
  ['ask: filters alone', (round) => `free concerts this weekend in neighborhood ${round % 100}`],
];
const asked = (name: string, text: (round: number) => string) =>
  console.log(
    `${name.padEnd(42)} ${time((round) => {
      const page = snapshot.ask({ text: text(round), now: NOW + round * 1000, given: {}, limit: 20, offset: 0 });
      snapshot.writeEvents(page.items, 'list', '{"data":[', JSON.stringify(page.asked));
    })
      .toFixed(1)
      .padStart(8)} µs`,
  );
for (const [name, text] of ASKED) asked(name, text);
/** The same words to `ask` and to `q`, each text for the first time and never without an answer: CPU of this thread, in turns. */
const COMPARED: readonly (readonly [string, (round: number) => string])[] = [
  ['one word', (round) => `w${10 + round}`],
  ['two words', (round) => `w${1 + (round % 9)} w${10 + Math.floor(round / 9)}`],
  ['three words', (round) => `w${1 + (round % 3)} w${4 + (round % 5)} w${10 + Math.floor(round / 5)}`],
];
for (const [name, text] of COMPARED) console.log(`ask against q, ${name}`.padEnd(42), compare(text));
console.log(
  `${'venues'.padEnd(42)} ${time(() => snapshot.venues({ limit: 20, offset: 0 }, NOW))
    .toFixed(1)
    .padStart(8)} µs`,
);
console.log(
  `${'venues, time moving'.padEnd(42)} ${time((round) => snapshot.venues({ limit: 20, offset: 0 }, NOW + round * 900_000))
    .toFixed(1)
    .padStart(8)} µs`,
);

function microseconds(asked: Snapshot, question: (round: number) => EventQuery): number {
  return time((round) => {
    const page = asked.events(question(round));
    asked.writeEvents(page.items, 'list', '{"data":[', ']}');
  });
}

function compare(text: (round: number) => string): string {
  const spent = { ask: 0, q: 0 };
  let empty = 0;
  const ask = (round: number) => {
    const { items, asked: understood } = snapshot.ask({
      text: text(round),
      now: NOW + round * 1000,
      given: {},
      limit: 20,
      offset: 0,
    });
    snapshot.writeEvents(items, 'list', '{"data":[', JSON.stringify(understood));
  };
  const q = (round: number) => {
    const { items, total } = snapshot.events({ ...window, from: NOW + round * 1000, text: text(round) });
    if (total === 0) empty += 1;
    snapshot.writeEvents(items, 'list', '{"data":[', ']}');
  };
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const rounds = Array.from({ length: ROUNDS / 4 }, (_, i) => (batch * ROUNDS) / 4 + i);
    for (const [name, work] of [
      ['ask', ask],
      ['q', q],
    ] as const) {
      const took = threadMicros(() => rounds.forEach(work));
      if (batch >= BATCHES / 4) spent[name] += took / rounds.length / (BATCHES - BATCHES / 4);
    }
  }
  const said = `${spent.ask.toFixed(0)} against ${spent.q.toFixed(0)} µs`;
  return `${(spent.ask / spent.q).toFixed(2)} × (${said}; ${empty} of ${(BATCHES * ROUNDS) / 4} without an answer of q)`;
}

/** The kernel counts in steps of milliseconds: many questions together. */
function threadMicros(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/** Median of rounds, after a warm-up. */
function time(work: (round: number) => unknown): number {
  const times = Array.from({ length: ROUNDS * 2 }, (_, round) => {
    const start = performance.now();
    work(round);
    return (performance.now() - start) * 1000;
  });
  return times.slice(ROUNDS).sort((a, b) => a - b)[ROUNDS / 2] ?? 0;
}
