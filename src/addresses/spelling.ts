/** Words of addresses in one spelling: `2nd Street`, `Second St.`; `Hauptstr.`, `HAUPT-STRASSE`; `Bd. Général Leclerc`. */

import {
  COMPOUND_ENDINGS,
  DOTTED_KINDS,
  NAME_WORDS,
  ORDINAL_ENDINGS,
  ORDINAL_WORDS,
  PARTICLES,
  STREET_KINDS,
} from './spelling-tables.ts';

/** Small letters without marks; `ä` and `ae` are one letter, as `ß` and `ss` are. */
export function foldWord(word: string): string {
  let folded = word.toLowerCase();
  if (!ASCII.test(folded)) {
    folded = folded
      .normalize('NFKD')
      .replace(MARKS, '')
      .replace(LIGATURES, (sign) => LIGATURE_LETTERS[sign] ?? sign);
  }
  return folded.includes('e') ? folded.replace(DIGRAPHS, '$1') : folded;
}

/**
 * The form under which a word is compared.
 * @param folded see `foldWord`.
 * @param hasDot whether a full stop follows.
 */
export function spell(folded: string, hasDot: boolean): string {
  const dotted = hasDot && folded.length === 1 ? DOTTED_KINDS[folded] : undefined;
  const known = WORDS.get(dotted === undefined ? folded : foldWord(dotted));
  if (known !== undefined) return known;
  for (const [ending, short, onlyWithDot] of COMPOUND_ENDINGS) {
    if (folded.length >= ending.length + MIN_STEM && folded.endsWith(ending) && (hasDot || !onlyWithDot))
      return folded.slice(0, -ending.length) + (WORDS.get(short) ?? short);
  }
  return folded;
}

/** `2nd` for the number before an ending (`2` `nd`, `2` `e`), or null if it is none. */
export const ordinalOf = (digits: string, ending: string): string | null => (ORDINAL_ENDINGS.test(ending) ? `#${digits}` : null);

/** Of the spelled form. */
export const isKind = (word: string): boolean => KINDS.has(word);
export const isParticle = (word: string): boolean => PARTICLES.has(word);
export const isDirection = (word: string): boolean => DIRECTIONS.has(word);

const groupsOf = (table: Readonly<Record<string, string>>): string[][] =>
  Object.values(table).flatMap((lines) => lines.split('\n').map((line) => line.trim().split(/\s+/)));

/** Groups that share a spelling are one group, under the first form of the earliest. */
function joinGroups(groups: readonly (readonly string[])[]): Map<string, string> {
  const formOf = new Map<string, string>();
  const rootOf = (word: string): string => {
    const form = formOf.get(word);
    return form === undefined || form === word ? word : rootOf(form);
  };
  for (const group of groups) {
    const roots = group.filter((word) => formOf.has(word)).map(rootOf);
    const [form = group[0] ?? ''] = roots;
    for (const word of [...roots, ...group]) formOf.set(word, form);
  }
  return new Map([...formOf.keys()].map((word) => [word, rootOf(word)]));
}

const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}/gu;
const LIGATURES = /[ßøæœłđð]/g;
const LIGATURE_LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', æ: 'a', œ: 'o', ł: 'l', đ: 'd', ð: 'd' };
const DIGRAPHS = /([aou])e/g;
/** A shorter word before an ending is no name. */
const MIN_STEM = 3;

const refold = (groups: readonly (readonly string[])[]): string[][] => groups.map((group) => group.map(foldWord));
const KIND_GROUPS = refold(groupsOf(STREET_KINDS));
/** Words of names in their long form: a slip is found by comparing letters. */
const NAME_GROUPS = refold(groupsOf(NAME_WORDS)).map((group) => group.toSorted((a, b) => b.length - a.length));
const WORDS = joinGroups([...KIND_GROUPS, ...NAME_GROUPS]);
for (const words of Object.values(ORDINAL_WORDS)) {
  words.split(/\s+/).forEach((word, index) => {
    WORDS.set(foldWord(word), `#${index + 1}`);
  });
}
const KINDS = new Set(KIND_GROUPS.flat().map((word) => WORDS.get(word) ?? word));
const DIRECTIONS = new Set(['n', 's', 'e', 'w', 'ne', 'nw', 'se', 'sw'].map((word) => WORDS.get(word) ?? word));
