/** Where and when the lists of one request look: one snapshot, one moment. */

import type { SearchPlace } from '../../../../query/index.ts';
import type { NeighborhoodSummary } from '../../../../search/index.ts';
import { type CityTime, createCityTime } from '../../../../values/city-time.ts';
import type { LinkedPlace } from '../../../model/lists/list-facts.ts';
import type { Rooms } from '../../rooms.ts';

export interface ListPlaces extends SearchPlace {
  publicUrl: string;
  neighborhoods: readonly NeighborhoodSummary[];
  /** Null for a slug that the city does not have. */
  neighborhood(slug: string | null | undefined): LinkedPlace | null;
}

export function openListPlace({ search, clocks, publicUrl }: Pick<Rooms, 'search' | 'clocks' | 'publicUrl'>): ListPlaces {
  const snapshot = search.current();
  const now = clocks.directory();
  const { items } = snapshot.neighborhoods(now);
  const names = namesOf(items);
  return {
    snapshot,
    now,
    publicUrl,
    city: cityTimeOf(snapshot.city.timezone),
    neighborhoods: items,
    neighborhood: (slug) => (slug && names.get(slug)) || null,
  };
}

/** Making the clock of a city costs more than a list. */
function cityTimeOf(timezone: string): CityTime {
  if (known?.timezone !== timezone) known = createCityTime(timezone);
  return known;
}
let known: CityTime | null = null;

/** The snapshot gives the same list until an event starts. */
function namesOf(items: readonly NeighborhoodSummary[]): ReadonlyMap<string, LinkedPlace> {
  const before = knownNames.get(items);
  if (before) return before;
  const names = new Map(items.map(({ slug, name }) => [slug, { slug, name }]));
  knownNames.set(items, names);
  return names;
}
const knownNames = new WeakMap<readonly NeighborhoodSummary[], ReadonlyMap<string, LinkedPlace>>();
