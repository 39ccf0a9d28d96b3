/** Filters as people say them. */

import type { EventsFacts } from '../../model/lists.ts';
import type { MessageKey, PageLanguage, Text } from '../../model/page-language.ts';

export function describeFilter(
  { text, formats }: Pick<PageLanguage, 'text' | 'formats'>,
  name: string,
  value: string,
  { neighborhood, venue }: Partial<Pick<EventsFacts, 'neighborhood' | 'venue'>> = {},
): string {
  if (name === 'neighborhood') return neighborhood?.name ?? value;
  if (name === 'venue_id') return venue?.name ?? value;
  const prefix = CLOSED_SETS[name];
  // The server has checked the values.
  if (prefix)
    return value
      .split(',')
      .map((each) => text(`${prefix}.${each}` as MessageKey))
      .join(', ');
  if (name === 'free') return text('price.free');
  if (name === 'price_max') return formats.number(Number(value), 2);
  if (name.endsWith('_date') && DATE.test(value)) return formats.day(value);
  return value;
}

/** `filter.neighborhood`, or the name as the API has it. */
export const filterName = (text: Text, name: string): string => {
  const known = FILTER_KEYS.find((each) => each === name);
  return known ? text(`filter.${known}`) : name;
};

const CLOSED_SETS: Readonly<Record<string, string>> = {
  category: 'categories',
  when: 'when',
  type: 'venueTypes',
  capacity: 'capacity',
};
const FILTER_KEYS = [
  ...([
    'when',
    'category',
    'neighborhood',
    'price_max',
    'free',
    'venue_id',
    'start_date',
    'end_date',
    'type',
    'capacity',
  ] as const),
  ...(['q', 'tags', 'near', 'page'] as const),
];
const DATE = /^\d{4}-\d{2}-\d{2}$/;
