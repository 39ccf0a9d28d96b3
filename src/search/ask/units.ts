/** Words to search for as units: each with the ways it may be written, and the events where each way stands. */

import { CATEGORIES, type Category } from '../../records/index.ts';
import { tagTerm } from '../directory/tag-terms.ts';
import type { SnapshotData } from '../snapshot-data.ts';
import { groupOf, groupsOf } from '../structures/grouped-ranks.ts';
import { EMPTY_SET, intersect, type RankSet, union } from '../structures/rank-set.ts';
import { type Dictionary, openDictionary } from '../text/dictionary.ts';
import { SYNONYMS } from '../text/word-tables.ts';
import { QUALITY } from './weights.ts';

/** One way to write a unit: for each of its words the terms that will do. */
export interface Spelling {
  quality: number;
  words: readonly (readonly number[])[];
  tag: number;
}

/** The events of a spelling by field; `any` holds those of all fields. */
export interface FieldSets {
  quality: number;
  title: RankSet;
  names: RankSet;
  text: RankSet;
  tags: RankSet;
  /** Venue slots. */
  slots: RankSet;
}

export interface Unit {
  /** Which tokens of the text it is. */
  at: number;
  length: number;
  /** Folded, as typed. */
  words: readonly string[];
  spellings: readonly Spelling[];
  fields: readonly FieldSets[];
  /** Events of a category that the unit names. */
  category: RankSet;
  any: RankSet;
}

export interface UnitReader {
  dictionary: Dictionary;
  /** Of words as they are, with their synonyms. */
  exact(words: readonly string[]): Unit;
  /** Of a word that stands for other terms. */
  replaced(word: string, terms: readonly number[], quality: number): Unit;
  /** The same unit, for which events of a category will do. */
  orCategory(unit: Unit, category: Category): Unit;
}

export function createUnitReader(data: SnapshotData): UnitReader {
  const { events, venues } = data;
  const dictionary = openDictionary(data.dictionary, events.byTerm.sizes, events.byNameTerm.sizes);
  const known = new Map<string, Unit>();

  const fieldsOf = ({ quality, words, tag }: Spelling): FieldSets => {
    const all = (group: typeof events.byTerm): RankSet => {
      const sets = words.map((terms) => groupsOf(group, terms));
      return sets.length === 1 ? sets[0]! : intersect(sets, group.n);
    };
    const tags = tag < 0 ? EMPTY_SET : groupOf(events.byTerm, tag);
    return {
      quality,
      title: all(events.byTitleTerm),
      names: all(events.byNameTerm),
      text: all(events.byTerm),
      tags,
      slots: all(venues.byTerm),
    };
  };

  const fromSpellings = (words: readonly string[], spellings: readonly Spelling[]): Unit => {
    const fields = spellings.map(fieldsOf);
    const sets = fields.flatMap(({ text, names, tags }) => [text, names, tags]);
    return { at: 0, length: words.length, words, spellings, fields, category: EMPTY_SET, any: union(sets, events.n) };
  };

  const spellingOf = (words: readonly string[], quality: number): Spelling | null => {
    const terms = words.map((word) => dictionary.termOf(word));
    const tag = dictionary.termOf(tagTerm(words.join(' ')));
    if (terms.includes(-1) && tag < 0) return null;
    return { quality, words: terms.map((term) => [term]), tag };
  };

  return {
    dictionary,
    orCategory(unit, name) {
      const category = groupOf(events.byCategory, CATEGORIES.indexOf(name));
      // The word elsewhere counts less than the category.
      const fields = unit.fields.map((field) => ({ ...field, quality: QUALITY.synonym }));
      return { ...unit, fields, category, any: union([unit.any, category], events.n) };
    },
    exact(words) {
      const key = words.join(' ');
      const before = known.get(key);
      if (before) return before;
      const own = spellingOf(words, QUALITY.exact);
      const others = (OTHER_SPELLINGS.get(key) ?? []).flatMap((other) => spellingOf(other, QUALITY.synonym) ?? []);
      const unit = fromSpellings(words, own ? [own, ...others] : others);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(key, unit);
      return unit;
    },
    replaced: (word, terms, quality) => fromSpellings([word], [{ quality, words: [terms], tag: -1 }]),
  };
}

/** How many of these words are one unit; 1 for a word that begins no phrase of the table. */
export function unitLength(words: readonly string[], at: number): number {
  for (let length = Math.min(MAX_SYNONYM_WORDS, words.length - at); length > 1; length -= 1)
    if (OTHER_SPELLINGS.has(words.slice(at, at + length).join(' '))) return length;
  return 1;
}

const OTHER_SPELLINGS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  SYNONYMS.flatMap((group) =>
    group.map((phrase): [string, string[][]] => [
      phrase,
      group.filter((other) => other !== phrase).map((other) => other.split(' ')),
    ]),
  ),
);
const MAX_SYNONYM_WORDS = 3;
const MAX_KNOWN = 256;
