import { describe, expect, it } from 'vitest';
import { createAreaIndex, type NamedArea } from '../../src/facts/index.ts';

const CITY = { name: 'Port Alder', latitude: 40, longitude: -74, centerSlug: 'market-end' };
const NAMES = [
  ['East Heron Hill', 40.01, -74.01, 'Westbank'],
  ['Lower Heron Hill', 40.012, -74.012, 'Westbank'],
  ['North Heron Hill', 40.05, -74.05, 'Westbank'],
  ['Lantern-Marrow Yards', 40.02, -73.98, 'Eastbank'],
  ['Kettle Lake', 40.03, -73.97, 'Eastbank'],
  ['College District', 39.99, -73.99, null],
  ['Market End', 40, -74, null],
  ['Orchid Park', 40.06, -74.02, null],
] as const;
const AREAS: NamedArea[] = NAMES.map(([name, latitude, longitude, partOf]) => ({
  slug: name.toLowerCase().replaceAll(' ', '-'),
  name,
  partOf,
  latitude,
  longitude,
}));
const slugOf = (text: string, areas = AREAS) => createAreaIndex(areas, CITY).find(text)?.slug;

describe('the area that ends the name of a place', () => {
  const quarterOf = createAreaIndex(AREAS, CITY).quarterOf;

  it.each([
    ['The Copper Pear - Market End', 'Market End'],
    ['The Copper Pear (Marrow Yards)', 'Marrow Yards'],
    ['The Copper Pear, market end', 'market end'],
  ])('is found in “%s”', (name, quarter) => {
    expect(quarterOf(name)).toBe(quarter);
  });

  it.each([
    ['The Copper Pear', 'it has one part'],
    ['Market End Comedy Club', 'it begins with the area'],
    ['Public Library - Market End', 'nothing else tells which library'],
    ['Summer Stage - Orchid Park', 'a stage in a park is named by the park'],
    ['The Copper Pear - Old Mill', 'no area is called so'],
  ])('is not found in “%s”, for %s', (name) => {
    expect(quarterOf(name)).toBeNull();
  });
});

describe('the name of an area', () => {
  it.each([
    ['Market End', 'market-end'],
    ['Kettlelake', 'kettle-lake'],
    ['Marrow Yards', 'lantern-marrow-yards'],
    ['Lantern', 'lantern-marrow-yards'],
    ['College', 'college-district'],
    ['Kettle Lake Park', 'kettle-lake'],
    ['Lantern/Kettle Lake', 'lantern-marrow-yards'],
    ['Downtown', 'market-end'],
    ['Centre-ville', 'market-end'],
    ['Downtown Port Alder', 'market-end'],
  ])('%s is %s', (text, slug) => {
    expect(slugOf(text)).toBe(slug);
  });

  it('of several areas is the one in their middle, in whatever order they come', () => {
    expect(slugOf('Heron Hill')).toBe('lower-heron-hill');
    expect(slugOf('Heron Hill', AREAS.toReversed())).toBe('lower-heron-hill');
  });

  it('may be that of a larger area or of the city, which is no neighborhood', () => {
    const { find } = createAreaIndex(AREAS, CITY);
    expect(find('Eastbank')).toMatchObject({ slug: null, isItself: true });
    for (const text of ['Port Alder', 'West Port Alder', 'Multiple Neighborhoods', 'Citywide'])
      expect(find(text)).toMatchObject({ slug: null, latitude: 40, longitude: -74 });
  });

  it('is not that of a house or a street that is called after it', () => {
    for (const text of ['Kettle Lake Brewery', 'Lantern Avenue', 'Gull Hall', 'TBA']) expect(slugOf(text)).toBeUndefined();
  });

  it('of a park says that the park is a place, and not an area of many', () => {
    const { find } = createAreaIndex(AREAS, CITY);
    expect(find('Orchid Park')).toMatchObject({ slug: 'orchid-park', isItself: false });
    expect(find('Market End')).toMatchObject({ isItself: true });
  });
});
