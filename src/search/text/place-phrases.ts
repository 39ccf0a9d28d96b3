/** The names by which people call areas, venues and streets, made of the names that the directory has. */

import { STREET_PARTS, STREET_WORDS, SYNONYMS } from './word-tables.ts';
import { words } from './words.ts';

/** One spelling for a word of a name. */
function canonicalWord(word: string): string {
  return CANONICAL.get(word) ?? word;
}

export const phraseOf = (wordsOfPhrase: readonly string[]): string => wordsOfPhrase.map(canonicalWord).join(' ');

/** The name, its parts before and behind a separator, what it is in, and its initials. */
export function venuePhrases(name: string): Set<string> {
  const found = new Set<string>();
  addName(found, words(name));
  const inner = INNER.exec(name)?.[1];
  if (inner !== undefined) addName(found, words(inner.replace(LEADING_IN, '')));
  const parts = name.replace(INNER_ALL, ' ').split(SEPARATORS);
  const [base = '', ...rooms] = parts;
  addName(found, words(base));
  for (const room of rooms) if (words(room).length > 1) addName(found, words(room));
  const initials = initialsOf(words(base));
  if (initials !== null) found.add(INITIALS + initials);
  return found;
}

/** Before initials: they are looked for where no name is found. */
export const INITIALS = '\0';

/** The name, its parts, and the initials of a part of three words or more. */
export function areaPhrases(name: string): Set<string> {
  const found = new Set<string>();
  addName(found, words(name));
  const plain = name.replace(INNER_ALL, ' ');
  addName(found, words(plain));
  for (const part of plain.split(AREA_SEPARATORS)) {
    const all = words(part);
    addName(found, all);
    if (all.length > 1 && DIRECTIONS.has(all[0]!)) addName(found, all.slice(1));
    const initials = initialsOf(all);
    if (initials !== null) found.add(initials);
  }
  return found;
}

/** The streets that an address or a name of a place mentions, as `streetPhrase` writes them. */
export function streetPhrases(text: string): Set<string> {
  const found = new Set<string>();
  for (const part of text.split(STREET_SEPARATORS)) {
    const all = words(part);
    const first = HOUSE_NUMBER.test(all[0] ?? '') && all.length > 2 && STREET_WORDS[all[1] ?? ''] === undefined ? 1 : 0;
    const end = all.findIndex((word, at) => at > first && STREET_WORDS[word] !== undefined);
    const street = end > first ? streetPhrase(all.slice(first, end + 1)) : null;
    if (street !== null) found.add(street);
  }
  return found;
}

/** `bleecker st` and `Bleecker Street` are one, and so are `e 4th st` and `East Fourth Street`. Null: it does not end as a street does. */
export function streetPhrase(all: readonly string[]): string | null {
  const last = STREET_WORDS[all.at(-1) ?? ''];
  if (last === undefined || all.length < 2) return null;
  const parts = all.slice(0, -1).map((word) => STREET_PARTS[word] ?? word.replace(ORDINAL, '$1'));
  return [...parts, last].join(' ');
}

function addName(found: Set<string>, all: readonly string[]): void {
  if (all.length === 0 || all.length > MAX_PHRASE_WORDS) return;
  if (all.join('').length > 1) found.add(phraseOf(all));
  if (all.length > 1 && all[0] === 'the') found.add(phraseOf(all.slice(1)));
}

function initialsOf(all: readonly string[]): string | null {
  const counted = all.filter((word) => !UNCOUNTED.has(word));
  if (counted.length < 3 || counted.some((word) => word.length < 2 || !LETTERS.test(word))) return null;
  return counted.map((word) => word[0]).join('');
}

const CANONICAL: ReadonlyMap<string, string> = new Map(
  SYNONYMS.filter((group) => group.every((phrase) => !phrase.includes(' '))).flatMap(([first = '', ...others]) =>
    others.map((other): [string, string] => [other, first]),
  ),
);
/** East Williamsburg is a part of what people call Williamsburg. */
const DIRECTIONS: ReadonlySet<string> = new Set(['north', 'south', 'east', 'west', 'old']);
const UNCOUNTED: ReadonlySet<string> = new Set(['of', 'the', 'and', 'for', 'at', 'in']);
export const MAX_PHRASE_WORDS = 6;
const LETTERS = /^\p{L}+$/u;
const INNER = /\(([^()]{1,100})\)/;
const INNER_ALL = /\([^()]{0,100}\)/g;
const LEADING_IN = /^in /;
const SEPARATORS = /\s[-–—]\s|[:,@/|]/;
const AREA_SEPARATORS = /[-–—/,&]/;
const STREET_SEPARATORS = /[,&(]|\bbetween\b|\band\b/i;
const HOUSE_NUMBER = /^\d+[a-z]?$/;
const ORDINAL = /^(\d+)(?:st|nd|rd|th)$/;
