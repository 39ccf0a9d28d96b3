/** What else could be chosen beside a list, with the count that each choice would have. */

import { CATEGORIES, type Category, VENUE_TYPES, type VenueType } from '../../records/index.ts';
import type { FacetCounts } from '../../search/index.ts';
import { type LinkedPlace, type ListChoice, type ListQuery, without } from '../model/lists.ts';
import { countVenues, facetsOf, type ListPlaces } from './list-search.ts';

/** With the counts as if nothing of the same kind were chosen. What is chosen is there without events, too: else a form would lose it. */
export function readEventChoices(
  place: ListPlaces,
  query: ListQuery,
): { categories: ListChoice<Category>[]; neighborhoods: ListChoice[] } {
  const isOne = query.category === undefined && query.neighborhood === undefined;
  const both = isOne ? facetsOf(place, query, ['category', 'neighborhood']) : null;
  const { category = [] } = both ?? facetsOf(place, without(query, 'category'), ['category']);
  const { neighborhood = [] } = both ?? facetsOf(place, without(query, 'neighborhood'), ['neighborhood']);
  const categories = CATEGORIES.filter((each) => query.category?.split(',').includes(each));
  const chosen = place.neighborhood(query.neighborhood);
  return {
    categories: nameCategories({ category: withChosen(category, categories) }),
    neighborhoods: nameNeighborhoods(place, { neighborhood: withChosen(neighborhood, chosen ? [chosen.slug] : []) }),
  };
}

type Counts = NonNullable<FacetCounts[keyof FacetCounts]>;

const withChosen = (counts: Counts, chosen: readonly string[]): Counts => [
  ...counts,
  ...chosen.filter((each) => !counts.some(({ value }) => value === each)).map((value) => ({ value, count: 0 })),
];

/** The commonest first. */
export const readCategories = (place: ListPlaces, query: ListQuery): ListChoice<Category>[] =>
  nameCategories(facetsOf(place, query, ['category']));

const nameCategories = ({ category = [] }: FacetCounts): ListChoice<Category>[] =>
  category.map(({ value, count }) => ({ value: value as Category, name: value, count }));

/** By name. */
function nameNeighborhoods(place: ListPlaces, { neighborhood = [] }: FacetCounts): ListChoice[] {
  return byName(
    place,
    neighborhood.map(({ value, count }) => ({ value, name: place.neighborhood(value)?.name ?? value, count })),
  );
}

export function readVenueTypes(place: ListPlaces, query: ListQuery): ListChoice<VenueType>[] {
  const others = without(query, 'type');
  return VENUE_TYPES.map((type) => ({ value: type, name: type, count: countVenues(place, { ...others, type }) }))
    .filter(({ value, count }) => count > 0 || value === query.type)
    .sort((a, b) => b.count - a.count);
}

/** With verified venues. */
export function readVenueNeighborhoods(place: ListPlaces): ListChoice[] {
  const some = place.neighborhoods.filter(({ venueCount }) => venueCount > 0);
  return byName(
    place,
    some.map(({ slug, name, venueCount }) => ({ value: slug, name, count: venueCount })),
  );
}

export function readVenueName({ snapshot, now }: ListPlaces, id: string | undefined): LinkedPlace | null {
  const found = id === undefined ? null : snapshot.venue(id, now);
  if (found?.found !== 'published') return null;
  const { slug, name } = JSON.parse(snapshot.writeVenues([found.item], 'list', now, '', '').toString()) as LinkedPlace;
  return { slug, name };
}

function byName(place: ListPlaces, choices: ListChoice[]): ListChoice[] {
  const { compare } = collatorOf(place.snapshot.city.locale);
  return choices.sort((a, b) => compare(a.name, b.name));
}

/** Making a collator costs more than sorting with it. */
function collatorOf(locale: string): Intl.Collator {
  if (known?.locale !== locale) known = { locale, collator: new Intl.Collator(locale || undefined) };
  return known.collator;
}
let known: { locale: string; collator: Intl.Collator } | null = null;
