import type { City, Neighborhood } from '../../catalog/index.ts';
import { type AreaIndex, createAreaIndex } from '../../identity/index.ts';
import { createLocator } from '../../normalize/index.ts';

/** The areas of a city by their names. Several neighborhoods of one description are the parts of a larger area, such as a borough. */
export function areasOf(city: City, neighborhoods: readonly Neighborhood[]): AreaIndex {
  const areas = neighborhoods.map(({ slug, name, description, latitude, longitude }) => ({
    slug,
    name,
    partOf: description,
    latitude,
    longitude,
  }));
  const { name, latitude, longitude } = city;
  return createAreaIndex(areas, { name, latitude, longitude, centerSlug: createLocator(neighborhoods)(latitude, longitude) });
}
