/** The kind of a venue whose provider does not say it. */

import type { VenueType } from '../../catalog/index.ts';

/** By the words of its name, else by the category of what happens there. */
export function guessVenueType(name: string, category: string | null): VenueType {
  const words = new Set(
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .split(/[^a-z0-9]+/),
  );
  const byName = NAME_WORDS.find(([, signs]) => signs.some((sign) => words.has(sign)));
  return byName?.[0] ?? CATEGORY_TYPES[category ?? ''] ?? 'club';
}

/** First match wins: "Brooklyn Museum Garden" is a museum, "Theatre Bar" a theater. */
const NAME_WORDS: readonly (readonly [VenueType, readonly string[]])[] = [
  ['museum', ['museum', 'museo']],
  ['stadium', ['stadium', 'ballpark']],
  ['arena', ['arena', 'coliseum']],
  ['theater', ['theater', 'theatre', 'theaters', 'theatres', 'playhouse', 'stage', 'stages', 'opera', 'cinema', 'auditorium']],
  ['gallery', ['gallery', 'galleries', 'atelier', 'library']],
  ['brewery', ['brewery', 'brewing', 'taproom', 'beerhall']],
  ['club', ['club', 'lounge', 'nightclub', 'ballroom', 'disco', 'jazz']],
  ['bar', ['bar', 'pub', 'tavern', 'saloon', 'taphouse', 'cantina', 'wine']],
  ['restaurant', ['restaurant', 'cafe', 'grill', 'kitchen', 'diner', 'bistro', 'pizzeria', 'eatery', 'steakhouse']],
  [
    'park',
    [
      'park',
      'parks',
      'garden',
      'gardens',
      'playground',
      'beach',
      'field',
      'fields',
      'plaza',
      'square',
      'pier',
      'farm',
      'greenmarket',
      'farmstand',
      'market',
      'lawn',
      'meadow',
      'green',
      'island',
      'street',
    ],
  ],
];
const CATEGORY_TYPES: Readonly<Record<string, VenueType>> = {
  theater: 'theater',
  sports: 'stadium',
  food: 'restaurant',
  art: 'gallery',
  community: 'park',
  family: 'park',
  festival: 'park',
  outdoor: 'park',
};
