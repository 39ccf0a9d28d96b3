import { describe, expect, it } from 'vitest';
import { demoBundle } from '../../src/demo/index.ts';
import { posterSvg } from '../../src/pictures/index.ts';
import { CATEGORIES, EVENT_STATUSES, LISTED_STATUSES, VENUE_TYPES } from '../../src/records/index.ts';

const NOW = Date.parse('2026-11-21T18:30:00Z');
const DAY = 86_400_000;
const city = demoBundle({ now: NOW });

type Ring = readonly (readonly [number, number, ...number[]])[];
const ringsOf = (slug: string): Ring[] => {
  const feature = city.neighborhoods.features.find((each) => each.properties.slug === slug)!;
  const { geometry } = feature;
  return (geometry.type === 'Polygon' ? [geometry.coordinates[0]] : geometry.coordinates.map(([outer]) => outer)) as Ring[];
};
const area = (ring: Ring): number =>
  ring.slice(1).reduce((sum, [x, y], index) => sum + (ring[index]![0] * y - x * ring[index]![1]) / 2, 0);
const holds = (ring: Ring, x: number, y: number): boolean => {
  let inside = false;
  for (let index = 1; index < ring.length; index += 1) {
    const [ax, ay] = ring[index - 1]!;
    const [bx, by] = ring[index]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
};
const slugs = city.neighborhoods.features.map((feature) => feature.properties.slug);
const homesOf = (x: number, y: number): string[] => slugs.filter((slug) => ringsOf(slug).some((ring) => holds(ring, x, y)));

describe('the demo city', () => {
  it('is the same for the same day and seed, and another for another', () => {
    expect(demoBundle({ now: NOW + 3 * 3_600_000 })).toEqual(city);
    expect(demoBundle({ now: NOW, seed: 'elsewhere' }).events).not.toEqual(city.events);
  });

  it('keeps most productions as they are when the calendar moves on', () => {
    const later = new Map(demoBundle({ now: NOW + 30 * DAY }).events.map((event) => [event.externalId, event]));
    const kept = city.events.filter((event) => later.get(event.externalId)?.title === event.title);
    expect(kept.length).toBeGreaterThan(1_000);
  });

  it('has 12 neighborhoods, 150 venues and 1 500 events, each with an id of its own', () => {
    expect(slugs).toHaveLength(12);
    expect(city.venues).toHaveLength(150);
    expect(city.events).toHaveLength(1_500);
    for (const ids of [slugs, city.venues.map((venue) => venue.externalId), city.events.map((event) => event.externalId)]) {
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(new Set(city.venues.map((venue) => venue.name)).size).toBe(150);
  });

  it('shows every category, venue type, status and size', () => {
    expect(new Set(city.events.map((event) => event.category))).toEqual(new Set(CATEGORIES));
    expect(new Set(city.venues.map((venue) => venue.type))).toEqual(new Set(VENUE_TYPES));
    expect(new Set(city.events.map((event) => event.status))).toEqual(new Set(EVENT_STATUSES));
    expect(new Set(city.venues.map((venue) => venue.capacityTier)).size).toBe(4);
    const unverified = city.venues.filter((venue) => !venue.isVerified).length;
    expect(unverified).toBeGreaterThan(2);
    expect(unverified).toBeLessThan(20);
  });

  it('draws neighborhoods that touch without overlapping, counterclockwise and closed', () => {
    for (const ring of slugs.flatMap(ringsOf)) {
      expect(ring.at(-1)).toEqual(ring[0]);
      expect(area(ring)).toBeGreaterThan(0);
    }
    const mainland = slugs.map((slug) => ringsOf(slug)[0]!);
    const edges = new Map<string, number>();
    for (const ring of mainland) {
      for (let index = 1; index < ring.length; index += 1) {
        const key = [ring[index - 1]!.join(), ring[index]!.join()].sort().join(' ');
        edges.set(key, (edges.get(key) ?? 0) + 1);
      }
    }
    const counts = [...edges.values()];
    expect(Math.max(...counts)).toBe(2);
    // 13 lines of the outline stand alone; all the others are shared, to the last digit.
    expect(counts.filter((count) => count === 2).length).toBeGreaterThan(counts.length / 2);
    let mostHomes = 0;
    for (let x = -87.93; x < -87.76; x += 0.0031) {
      for (let y = 43.5; y < 43.62; y += 0.0029) mostHomes = Math.max(mostHomes, homesOf(x, y).length);
    }
    expect(mostHomes).toBe(1);
  });

  it('puts every venue inside the neighborhood it names', () => {
    for (const venue of city.venues) expect(homesOf(venue.longitude, venue.latitude)).toEqual([venue.neighborhood]);
  });

  it('gives every venue an event, and no room two on one day', () => {
    const known = new Set(city.venues.map((venue) => venue.externalId));
    const bookings = city.events.map((event) => `${event.venue} ${event.startDatetime.slice(0, 10)}`);
    expect(new Set(city.events.map((event) => event.venue))).toEqual(known);
    expect(new Set(bookings).size).toBe(bookings.length);
  });

  it('spreads the events over the coming 90 days: most within 30, a few past, more at weekends, most in the evening', () => {
    const offsets = city.events.map((event) => (Date.parse(event.startDatetime) - NOW) / DAY);
    expect(Math.min(...offsets)).toBeGreaterThan(-4);
    expect(Math.max(...offsets)).toBeLessThan(91);
    expect(offsets.filter((offset) => offset < 0).length).toBeGreaterThan(10);
    expect(offsets.filter((offset) => offset >= 0 && offset < 30).length).toBeGreaterThan(900);
    const weekday = (text: string) => new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDay();
    const weekend = city.events.filter((event) => [5, 6, 0].includes(weekday(event.startDatetime)));
    expect(weekend.length).toBeGreaterThan(750);
    expect(city.events.filter((event) => Number(event.startDatetime.slice(11, 13)) >= 17).length).toBeGreaterThan(900);
  });

  it('keeps prices, ends and statuses consistent', () => {
    const isConsistent = (event: (typeof city.events)[number]): boolean =>
      (!event.isFree || (event.priceMin === 0 && event.priceMax === 0 && event.status !== 'sold_out')) &&
      (event.priceMin === null || event.priceMax! >= event.priceMin) &&
      (!event.endDatetime || Date.parse(event.endDatetime) > Date.parse(event.startDatetime)) &&
      event.sources.length > 0 &&
      new Set(event.sources).size === event.sources.length;
    expect(city.events.filter((event) => !isConsistent(event))).toEqual([]);
    expect(city.events.filter((event) => (LISTED_STATUSES as readonly string[]).includes(event.status)).length).toBeGreaterThan(
      1_400,
    );
  });

  it('speaks of each event in its own words', () => {
    expect(new Set(city.events.map((event) => event.title)).size).toBeGreaterThan(950);
    const texts = city.events.flatMap((event) => [event.title, event.description ?? 'None of it is known.']);
    expect(texts.filter((text) => /[{}|]|undefined|::/.test(text))).toEqual([]);
    expect(texts.filter((text) => !/^[“‘]?[\p{Lu}\d]/u.test(text))).toEqual([]);
    expect(texts.filter((text) => text.length >= 600)).toEqual([]);
    const distinct = new Set(city.events.map((event) => event.description));
    expect(distinct.size).toBeGreaterThan(850);
  });

  it('has observations up to today and none from the future', () => {
    const signals = city.events.flatMap((event) => event.signals);
    expect(signals.length).toBeGreaterThan(5_000);
    expect(signals.filter(({ observedAt, value }) => !(Date.parse(observedAt) <= NOW && value >= 0))).toEqual([]);
  });

  it('names only posters it can draw', () => {
    for (const { imageUrl, category } of city.events) {
      if (imageUrl === null) continue;
      const [, name = ''] = /^\/posters\/([a-z0-9-]+)\.svg$/.exec(imageUrl)!;
      expect(name.startsWith(category)).toBe(true);
      expect(posterSvg(name, 'Port Alder')).toContain('<svg');
    }
  });
});
