import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ContextEvent, discoveryScore, type RatedVenue, scoreContexts, scoreFacts } from '../../src/ranking/index.ts';
import { CATEGORIES, type Category, VENUE_TYPES } from '../../src/records/index.ts';

const NOW = Date.parse('2026-06-16T20:00:00Z');
const DAY = 86_400_000;
const VENUES = ['a', 'b', 'c', 'd'];
const FACTS = new Map<string, RatedVenue>(
  VENUES.map((id, index) => [id, { type: VENUE_TYPES[index]!, capacityTier: null, isVerified: true }]),
);

const listed = (more: Partial<ContextEvent> & { id: string }): ContextEvent => {
  const { title = `Show ${more.id}`, startsAt = NOW + DAY } = more;
  return {
    title,
    run: title.toLowerCase(),
    venueId: 'a',
    sources: ['feed'],
    startsAt,
    isComing: startsAt >= NOW,
    category: 'concert',
    isFree: false,
    price: null,
    imageUrl: null,
    performers: [],
    day: new Date(startsAt).toISOString().slice(0, 10),
    isLeisure: true,
    ...more,
  };
};
const events: fc.Arbitrary<ContextEvent[]> = fc.uniqueArray(
  fc
    .record({
      id: fc.uuid(),
      title: fc.constantFrom('Hamlet', 'Jazz', 'Film Nights: Jaws', 'Film Nights: Alien', 'Open Mic'),
      venueId: fc.constantFrom(...VENUES),
      sources: fc.uniqueArray(fc.constantFrom('one', 'two', 'three'), { minLength: 1, maxLength: 2 }),
      startsAt: fc.integer({ min: -20, max: 60 }).map((days) => NOW + days * DAY + 3_600_000),
      category: fc.constantFrom(...CATEGORIES),
      isFree: fc.boolean(),
      price: fc.option(fc.nat(200)),
      imageUrl: fc.option(fc.constantFrom('x', 'y', 'placeholder')),
      performers: fc.uniqueArray(fc.constantFrom('Ann', 'Bo', 'Cy'), { maxLength: 2 }),
      isLeisure: fc.boolean(),
    })
    .map(listed),
  { selector: ({ id }) => id, maxLength: 40 },
);
const contextsOf = (all: readonly ContextEvent[]) => scoreContexts(all, FACTS, NOW);
const scoreOf = (event: ContextEvent, all: readonly ContextEvent[]) => {
  const context = contextsOf(all).get(event.id)!;
  const fields = {
    description: null,
    imageUrl: event.imageUrl,
    endsAt: null,
    performers: [...event.performers],
    priceMin: event.price,
    priceMax: event.price,
  };
  return discoveryScore(scoreFacts({ ...event, ...fields, precision: 'time', status: 'scheduled' }, context, []), NOW);
};
const many = (count: number, make: (index: number) => Partial<ContextEvent>) =>
  Array.from({ length: count }, (_, index) => listed({ id: `${1000 + index}`, ...make(index) }));

describe('what the directory says of an event', () => {
  it('does not depend on the order in which the events are given', () => {
    fc.assert(
      fc.property(events, fc.nat(), (all, seed) => {
        const shuffled = all.toSorted((a, b) => (a.startsAt % (7 + seed)) - (b.startsAt % (7 + seed)) || (a.id < b.id ? 1 : -1));
        expect([...contextsOf(shuffled)].sort()).toEqual([...contextsOf(all)].sort());
        expect(contextsOf(all).size).toBe(all.filter(({ isComing }) => isComing).length);
      }),
    );
  });

  it('is not raised by further providers, in score or appeal', () => {
    fc.assert(
      fc.property(events, (all) => {
        for (const event of all.filter(({ isComing }) => isComing).slice(0, 3)) {
          const more = all.map((each) =>
            each.id === event.id ? { ...each, sources: [...each.sources, 'new 1', 'new 2'] } : each,
          );
          expect(scoreOf(event, more)).toEqual(scoreOf(event, all));
        }
      }),
    );
  });

  it('knows a great venue by those who play there: pictures of their own, nights in a row, announced long before', () => {
    const arena = many(8, (index) => ({
      venueId: 'c',
      title: `Star ${'abcdefgh'[index]}`,
      imageUrl: `star ${index}`,
      startsAt: NOW + (index + 5) * 9 * DAY,
    }));
    const bar = many(8, (index) => ({
      id: `bar ${index}`,
      venueId: 'd',
      title: `Band ${'abcdefgh'[index]}`,
      imageUrl: 'no picture',
      startsAt: NOW + index * DAY,
    }));
    const contexts = contextsOf([...arena, ...bar]);
    expect(contexts.get(arena[0]!.id)).toMatchObject({ picture: 'own', series: 8, headliners: 8 });
    expect(contexts.get(bar[0]!.id)).toMatchObject({ picture: 'placeholder', headliners: 0 });
    expect(contexts.get(arena[0]!.id)!.venue).toBeGreaterThan(contexts.get(bar[0]!.id)!.venue + 30);
  });

  it('carries the fame of performers to the small venues that they play', () => {
    const arena = many(6, (index) => ({
      venueId: 'c',
      title: `Star ${'abcdef'[index]}`,
      imageUrl: `star ${index}`,
      performers: ['Ann'],
      startsAt: NOW + (40 + index) * DAY,
    }));
    const small = listed({ id: 'small', venueId: 'd', title: 'Ann and friends', performers: ['ANN'] });
    const other = listed({ id: 'other', venueId: 'd', title: 'Bo and friends', performers: ['Bo'] });
    const contexts = contextsOf([...arena, small, other]);
    expect(contexts.get('small')!.bestVenue).toBeGreaterThan(contexts.get('other')!.bestVenue);
    expect(contexts.get('small')!.venue).toBe(contexts.get('other')!.venue);
  });

  it('puts a musical that fills its theater above a playground hour, though both come every day', () => {
    const musical = many(14, (day) => ({
      id: `m${day}`,
      venueId: 'c',
      title: 'The Musical',
      category: 'theater',
      startsAt: NOW + day * DAY,
    }));
    const hours = many(14, (day) => ({
      id: `h${day}`,
      venueId: 'd',
      title: 'Kids Hour',
      category: 'family',
      isFree: true,
      startsAt: NOW + day * DAY,
    }));
    const all = [...musical, ...hours];
    expect(scoreOf(musical[0]!, all).total).toBeGreaterThan(scoreOf(hours[0]!, all).total + 10);
    expect(scoreOf(musical[0]!, all).total).toBeGreaterThan(scoreOf(musical[1]!, all).total);
    expect([...contextsOf(all).values()].some(({ isPick }) => isPick)).toBe(false);
  });

  it('numbers a program over all its parks, whatever stands behind the colon', () => {
    const films = ['Jaws', 'Alien', 'Heat'].map((film, index) =>
      listed({ id: film, title: `Movies under the Stars: ${film}`, venueId: VENUES[index]!, startsAt: NOW + (index + 1) * DAY }),
    );
    const contexts = contextsOf(films);
    expect(films.map(({ id }) => contexts.get(id)!.showing)).toEqual([1, 2, 3]);
    const tours = ['Ann: The Long Tour', 'Ann: Another Tour'].map((title, index) =>
      listed({ id: title, title, startsAt: NOW + index * DAY }),
    );
    expect(tours.map(({ id }) => contextsOf(tours).get(id)!.showing)).toEqual([1, 1]);
  });

  it('picks small events of each day, of different categories and venues, a free one among them', () => {
    const stars = many(6, (index) => ({
      venueId: 'c',
      title: `Star ${'abcdef'[index]}`,
      imageUrl: `star ${index}`,
      startsAt: NOW + 3_600_000,
    }));
    const categories: Category[] = ['community', 'outdoor', 'comedy', 'comedy', 'art', 'art'];
    const small = many(24, (index) => ({
      id: `s${index}`,
      title: `Small ${'abcdefghijklmnopqrstuvwxyz'[index]}`,
      venueId: `small ${index % 5}`,
      category: categories[index % 6]!,
      isFree: index % 2 === 0,
      startsAt: NOW + Math.floor(index / 12) * DAY + 3_600_000,
    }));
    const all = [...stars, ...small];
    const contexts = contextsOf(all);
    const picked = all.filter(({ id }) => contexts.get(id)!.isPick);
    for (const day of Map.groupBy(picked, ({ day }) => day).values()) {
      expect(day).toHaveLength(3);
      expect(new Set(day.map(({ category }) => category)).size).toBe(3);
      expect(new Set(day.map(({ venueId }) => venueId)).size).toBe(3);
      expect(day.some(({ isFree }) => isFree)).toBe(true);
    }
    expect(picked.filter(({ venueId }) => venueId === 'c')).toEqual([]);
    const ranked = all.toSorted((a, b) => scoreOf(b, all).total - scoreOf(a, all).total);
    const places = ranked.slice(0, 12).filter(({ id }) => contexts.get(id)!.isPick).length;
    expect(places).toBeGreaterThanOrEqual(3);
  });
});
