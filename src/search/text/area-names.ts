/** What people call the areas of a city: their names, parts of these, and what many areas share, such as a borough in their descriptions. */

import type { SnapshotData } from '../snapshot-data.ts';
import { areaPhrases, phraseOf } from './place-phrases.ts';
import { words } from './words.ts';

/** One phrase may name several areas. */
export interface NamedAreas {
  name: string;
  /** Of areas, in the snapshot. */
  numbers: number[];
}

export interface AreaNames {
  byPhrase: ReadonlyMap<string, NamedAreas>;
  /** The first word of each longer phrase, with a blank. */
  beginnings: ReadonlySet<string>;
  /** Words that stand together in a name, by the first letters of the first. */
  pairs: ReadonlyMap<string, readonly { first: string; second: string; number: number; name: string }[]>;
}

type AreaData = Pick<SnapshotData, 'neighborhoods' | 'neighborhoodSlugs'>;

export function areaNamesOf(data: AreaData): AreaNames {
  const before = knownNames.get(data.neighborhoods);
  if (before) return before;
  const byPhrase = phrasesOf(data);
  const beginnings = new Set(Array.from(byPhrase.keys(), (phrase) => `${phrase.split(' ', 1)[0]} `));
  const found = { byPhrase, beginnings, pairs: pairsOf(data) };
  knownNames.set(data.neighborhoods, found);
  return found;
}
const knownNames = new WeakMap<AreaData['neighborhoods'], AreaNames>();

/** `bed stuy`: the areas with two words that stand together and begin so. */
export function findShortened({ pairs }: AreaNames, [first = '', second = '']: readonly string[]): NamedAreas | null {
  if (first.length < MIN_BEGINNING || second.length < MIN_BEGINNING) return null;
  const found = (pairs.get(first.slice(0, MIN_BEGINNING)) ?? []).filter(
    (pair) => pair.first.startsWith(first) && pair.second.startsWith(second),
  );
  if (found.length === 0) return null;
  const numbers = [...new Set(found.map(({ number }) => number))];
  return { name: [...new Set(found.map(({ name }) => name))].join(', '), numbers };
}

function phrasesOf(data: AreaData): AreaNames['byPhrase'] {
  const found = new Map<string, NamedAreas>();
  const add = (phrase: string, number: number, name: string): void => {
    const area = found.get(phrase) ?? { name: '', numbers: [] };
    if (!area.numbers.includes(number)) area.numbers.push(number);
    area.name = area.numbers.length > MAX_LISTED ? titleOf(phrase) : area.name ? `${area.name}, ${name}` : name;
    found.set(phrase, area);
  };
  for (const { slug, name } of data.neighborhoods)
    for (const phrase of areaPhrases(name)) add(phrase, numberOf(data, slug), name);
  const shared = Map.groupBy(data.neighborhoods, ({ description }) => description ?? '');
  for (const [description, rows] of shared) {
    const all = words(description);
    if (rows.length < MIN_SHARING || all.length === 0 || all.length > MAX_SHARED_WORDS) continue;
    found.set(phraseOf(all), { name: description, numbers: rows.map(({ slug }) => numberOf(data, slug)) });
  }
  return found;
}

function pairsOf(data: AreaData): AreaNames['pairs'] {
  const pairs = data.neighborhoods.flatMap(({ name, slug }) => {
    const all = words(name);
    return all.slice(1).map((second, place) => ({ first: all[place]!, second, number: numberOf(data, slug), name }));
  });
  return Map.groupBy(pairs, ({ first }) => first.slice(0, MIN_BEGINNING));
}

const numberOf = (data: AreaData, slug: string): number => data.neighborhoodSlugs.indexOf(slug);
const titleOf = (phrase: string): string => phrase.replace(/(?<=^| )\p{L}/gu, (letter) => letter.toUpperCase());

/** Names of areas beyond so many are not listed: the phrase itself names them. */
const MAX_LISTED = 3;
const MIN_BEGINNING = 3;
/** So many areas that are described in the same few words lie in one larger area. */
const MIN_SHARING = 3;
const MAX_SHARED_WORDS = 4;
