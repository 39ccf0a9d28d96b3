/** The 1 500 events: productions of a genre at a venue, on one date or several. Lines of `events.ndjson`. */

import { posterName } from '../pictures/index.ts';
import type { Category, EventDetail, EventStatus } from '../records/index.ts';
import type { CityTime } from '../values/city-time.ts';
import { createRandom, type SeededRandom } from '../values/random.ts';
import { CULTURE } from './genres/culture.ts';
import { type Genre, WEEKDAYS } from './genres/genre.ts';
import { MUSIC } from './genres/music.ts';
import { NEIGHBORS } from './genres/neighbors.ts';
import { OUTDOORS } from './genres/outdoors.ts';
import { STAGE } from './genres/stage.ts';
import { DISTRICTS } from './neighborhoods.ts';
import { makeCast, person } from './performers.ts';
import { fill } from './phrase.ts';
import { makeSignals, type SignalLine } from './signals.ts';
import type { VenueLine } from './venues.ts';

/** One line of a bundle's `events.ndjson`. */
export interface EventLine extends Omit<EventDetail, 'id' | 'slug' | 'discoveryScore' | 'url' | 'venue'> {
  externalId: string;
  venue: string;
  status: EventStatus;
  signals: SignalLine[];
}

interface Bill {
  title: string;
  description: string;
  performers: string[];
}

/** `today` is the local day that the dates are counted from; the same day and seed give the same lines. */
export function makeEvents(seed: string, venues: readonly VenueLine[], time: CityTime, today: string): EventLine[] {
  const events: EventLine[] = [];
  const booked = new Set<string>();
  const titles = new Set<string>();
  const decks = new Map<Genre, string[]>();
  const moments = observationMoments(time, today);

  for (let production = 0; events.length < EVENT_COUNT; production += 1) {
    const random = createRandom(seed, 'production', production);
    const category = random.weighted(CATEGORY_SHARES);
    const genre = random.weighted(
      GENRES.filter((each) => each.category === category).map((each) => [each, each.weight] as const),
    );
    const type = random.weighted(genre.venues);
    const venue = random.pick(venues.filter((each) => each.type === type));
    const topic = drawTopic(decks, genre, seed);
    // Days have chance of their own, so that a production keeps its name when the calendar moves on.
    const offsets = chooseDays(genre, venue, today, booked, createRandom(seed, 'days', production)).slice(
      0,
      EVENT_COUNT - events.length,
    );
    const [first] = offsets;
    if (first === undefined) continue;
    const bill = announce(genre, venue, weekdayOf(dayAfter(today, first)), topic, titles, random);
    const price = makePrice(genre, random);
    const sources = random.sample(PROVIDERS, random.weighted(SOURCE_COUNTS));
    const tags = random.sample(genre.tags, random.whole(2, 4));
    const imageUrl = random.chance(WITHOUT_IMAGE) ? null : `/posters/${posterName(category, `${seed}${bill.title}`)}.svg`;
    const length = Math.round((genre.minutes[0] + random.next() * (genre.minutes[1] - genre.minutes[0])) / 15) * 15;
    const hasEnd = !random.chance(WITHOUT_END);

    offsets.forEach((offset, performance) => {
      const day = dayAfter(today, offset);
      const start = time.resolve(`${day}T${chooseStart(genre, day, random)}`);
      const status = offset < 1 ? 'scheduled' : random.weighted(price.isFree ? FREE_STATUSES : STATUSES);
      const hasTickets = !price.isFree && price.priceMin !== null;
      const observed = moments.filter(({ at }) => at < start).map(({ text }) => text);
      events.push({
        externalId: `pa-event-${String(production).padStart(4, '0')}-${performance + 1}`,
        title: bill.title,
        category,
        startDatetime: time.format(start),
        endDatetime: hasEnd ? time.format(start + length * MS_PER_MINUTE) : null,
        description: random.chance(WITHOUT_DESCRIPTION) ? null : bill.description,
        imageUrl,
        ...price,
        venue: venue.externalId,
        performers: bill.performers,
        tags,
        sources,
        status,
        signals: makeSignals({ category, capacity: venue.capacityTier, status, hasTickets, moments: observed }, random),
      });
    });
  }
  return events;
}

/** Days from today on which it plays; none when the venue has no free day that suits. A room takes one booking a day. */
function chooseDays(genre: Genre, venue: VenueLine, today: string, booked: Set<string>, random: SeededRandom): number[] {
  const weights = WEEKDAYS[genre.days];
  const busiest = Math.max(...weights);
  const isFree = (offset: number) => !booked.has(`${venue.externalId} ${offset}`);
  for (let attempt = 0; attempt < DAY_ATTEMPTS; attempt += 1) {
    const [from, to] = random.weighted(WINDOWS);
    const first = random.whole(from, to);
    if (!isFree(first) || !random.chance((weights[weekdayIndex(dayAfter(today, first))] ?? 0) / busiest)) continue;
    const { run } = genre;
    const times = run && random.chance(run.chance) ? random.whole(run.times[0], run.times[1]) : 1;
    const days = Array.from({ length: times }, (_, index) => first + index * (run?.everyDays ?? 1));
    const playable = days.filter((offset) => offset < HORIZON_DAYS && isFree(offset));
    for (const offset of playable) booked.add(`${venue.externalId} ${offset}`);
    return playable;
  }
  return [];
}

/** Nobody goes to a matinee on a working day, unless the genre lives by daylight. */
function chooseStart(genre: Genre, day: string, random: SeededRandom): string {
  const isWorkday = weekdayIndex(day) < 5 && genre.days !== 'daytime';
  const suitable = genre.starts.filter((start) => !isWorkday || start >= '16:00');
  return random.pick(suitable.length > 0 ? suitable : genre.starts);
}

/** Each topic is used once before any is used again. */
function drawTopic(decks: Map<Genre, string[]>, genre: Genre, seed: string): string {
  const deck = decks.get(genre) ?? [];
  if (deck.length === 0) {
    const order = createRandom(seed, 'topics', GENRES.indexOf(genre), decks.size);
    deck.push(...order.sample(genre.topics, genre.topics.length));
  }
  decks.set(genre, deck);
  return deck.pop() ?? '';
}

/** Title, text and names that belong together. Tries for a title nobody has yet. */
function announce(
  genre: Genre,
  venue: VenueLine,
  weekday: string,
  drawn: string,
  titles: Set<string>,
  random: SeededRandom,
): Bill {
  const [topic = drawn, detail = ''] = drawn.split(' :: ');
  for (let attempt = 1; ; attempt += 1) {
    const pattern = random.pick(genre.titles);
    const cast = makeCast(genre.cast, random);
    const second = makeCast(genre.cast, random)[0] ?? person(random);
    const text = [random.pick(genre.opens), random.pick(genre.tells), ...(random.chance(0.7) ? [random.pick(genre.closes)] : [])];
    const names = [pattern, ...text].some((each) => each.includes('{other}')) && cast.length === 1 ? [...cast, second] : cast;
    const words = {
      performer: names[0] ?? person(random),
      other: names[1] ?? second,
      venue: venue.name,
      hood: DISTRICTS.find(({ slug }) => slug === venue.neighborhood)?.name ?? venue.neighborhood,
      guide: person(random),
      weekday,
      day: weekday,
      topic,
      detail,
    };
    const title = capitalize(fill(pattern, words, random));
    if (titles.has(title) && attempt < TITLE_ATTEMPTS) continue;
    titles.add(title);
    return { title, description: text.map((each) => capitalize(fill(each, words, random))).join(' '), performers: names };
  }
}

function makePrice(genre: Genre, random: SeededRandom): Pick<EventLine, 'isFree' | 'priceMin' | 'priceMax'> {
  if (random.chance(genre.price.free)) return { isFree: true, priceMin: 0, priceMax: 0 };
  if (random.chance(UNKNOWN_PRICE)) return { isFree: false, priceMin: null, priceMax: null };
  const { from, to } = genre.price;
  const low = from + (to - from) * random.next() ** 1.8;
  const priceMin = random.chance(0.2) ? Math.floor(low) + 0.5 : Math.round(low);
  if (random.chance(0.45)) return { isFree: false, priceMin, priceMax: priceMin };
  return { isFree: false, priceMin, priceMax: Math.ceil((priceMin * (1.2 + random.next())) / 5) * 5 };
}

/** Every other day, at the start of the day; the last one is today. */
function observationMoments(time: CityTime, today: string): { at: number; text: string }[] {
  return Array.from({ length: OBSERVATIONS }, (_, index) => {
    const at = time.dayBounds(dayAfter(today, (index - OBSERVATIONS + 1) * OBSERVED_EVERY_DAYS)).first;
    return { at, text: time.format(at) };
  });
}

const dayAfter = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();
/** 0 is Monday. */
const weekdayIndex = (day: string): number => Temporal.PlainDate.from(day).dayOfWeek - 1;
const weekdayOf = (day: string): string => WEEKDAY_NAMES[weekdayIndex(day)] ?? '';
/** The first letter, were it behind a quotation mark. */
const capitalize = (text: string): string => text.replace(/^[“‘]?\p{Ll}/u, (start) => start.toUpperCase());

const GENRES: readonly Genre[] = [...MUSIC, ...STAGE, ...OUTDOORS, ...CULTURE, ...NEIGHBORS];
const EVENT_COUNT = 1_500;
/** Days from today, both ends included, and how often an event falls in. */
const WINDOWS: readonly (readonly [readonly [from: number, to: number], weight: number])[] = [
  [[-3, -1], 4],
  [[0, 6], 20],
  [[7, 29], 46],
  [[30, 89], 22],
];
const HORIZON_DAYS = 90;
const DAY_ATTEMPTS = 40;
const TITLE_ATTEMPTS = 12;
const OBSERVATIONS = 9;
const OBSERVED_EVERY_DAYS = 2;
const MS_PER_MINUTE = 60_000;
const WEEKDAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

const CATEGORY_SHARES: readonly (readonly [Category, number])[] = [
  ['concert', 24],
  ['nightlife', 13],
  ['theater', 5],
  ['comedy', 11],
  ['food', 10],
  ['art', 10],
  ['community', 8],
  ['family', 6],
  ['outdoor', 6],
  ['sports', 5],
  ['festival', 3],
];
const STATUSES: readonly (readonly [EventStatus, number])[] = [
  ['scheduled', 918],
  ['sold_out', 40],
  ['rescheduled', 16],
  ['cancelled', 15],
  ['postponed', 11],
];
const FREE_STATUSES = STATUSES.filter(([status]) => status !== 'sold_out');
/** Who told us; all invented. */
const PROVIDERS = [
  'Alder Weekly',
  'Portside Tickets',
  'Stage Door Listings',
  'City of Port Alder Calendar',
  'Nightferry',
  'Lakeshore Arts Council',
] as const;
const SOURCE_COUNTS: readonly (readonly [number, number])[] = [
  [1, 50],
  [2, 35],
  [3, 15],
];
const WITHOUT_IMAGE = 0.04;
const WITHOUT_END = 0.05;
const WITHOUT_DESCRIPTION = 0.02;
const UNKNOWN_PRICE = 0.05;
