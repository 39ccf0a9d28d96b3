/** The vocabulary of the directory: every folded form seen, and the term (stem) it stands for. */

import {
  characterAt,
  emptyList,
  entries,
  find,
  merge,
  type SortedWords,
  setNumber,
  type WordRange,
  withOwnNumbers,
  withPrefix,
  wordAt,
} from './sorted-words.ts';
import { stem } from './stem.ts';

/** Immutable, over shared memory: send it to any thread, or write each array's bytes to a file. */
export interface DictionaryParts {
  formText: Uint16Array;
  formStart: Uint32Array;
  formTerm: Uint32Array;
  stemText: Uint16Array;
  stemStart: Uint32Array;
  stemTerm: Uint32Array;
}

/** Only grows: a term keeps its number for ever, and numbers run from 0 in order of first appearance. */
export interface DictionaryBuilder {
  /** The term of each folded word, in the words' order; new words are learned. */
  termIdsOf(words: readonly string[]): Uint32Array;
  /** The same for names of performers: a form that nothing else has stays out of reach of `q`. */
  termIdsOfNames(words: readonly string[]): Uint32Array;
  /** One more than the highest term. */
  termCount(): number;
  /** All learned so far. Costs a copy and a search for each form that is new since the last time. */
  freeze(): DictionaryParts;
}

/** Terms that stand in no event do not exist here. */
export interface Dictionary {
  /** The term that a folded word stands for; -1: none of the directory. */
  termOf(word: string): number;
  /** Distinct terms with a form that begins so, ascending. */
  termsWithPrefix(prefix: string): Uint32Array;
  /**
   * The form that differs by one insertion, deletion, substitution or swap of neighbours (by code points), in no digit: that of the
   * term in most events, of several the first in code-unit order; null when there is none.
   */
  oneTypo(word: string): FoundForm | null;
  /** All such forms, the one in the most events first, at most `limit`. */
  typos(word: string, limit: number): FoundForm[];
}

export interface FoundForm {
  form: string;
  term: number;
}

/** Goes on from `parts`, such as those of a saved file. */
export function createDictionaryBuilder(parts?: DictionaryParts): DictionaryBuilder {
  let forms = parts ? formsOf(parts) : emptyList();
  let stems = parts ? stemsOf(parts) : emptyList();
  let newForms: string[] = [];
  let newStems: string[] = [];
  const terms = new Map(entries(forms));
  const termsOfStems = new Map(entries(stems));

  /** Forms that were read in names alone when they were frozen, and elsewhere since then. */
  const readElsewhere: string[] = [];

  const learn = (word: string, mark: number): number => {
    const form = detached(word);
    const root = stem(form);
    let term = termsOfStems.get(root);
    if (term === undefined) {
      term = termsOfStems.size;
      termsOfStems.set(root, term);
      newStems.push(root);
    }
    terms.set(form, term + mark);
    newForms.push(form);
    return term;
  };
  const isReadElsewhere = (word: string, marked: number): number => {
    terms.set(word, marked - NAMES_ONLY);
    readElsewhere.push(word);
    return marked - NAMES_ONLY;
  };
  return {
    termIdsOf(words) {
      const found = new Uint32Array(words.length);
      for (let index = 0; index < words.length; index += 1) {
        const word = words[index]!;
        const term = terms.get(word) ?? learn(word, 0);
        found[index] = term < NAMES_ONLY ? term : isReadElsewhere(word, term);
      }
      return found;
    },
    termIdsOfNames: (words) => Uint32Array.from(words, (word) => (terms.get(word) ?? learn(word, NAMES_ONLY)) & TERM),
    termCount: () => termsOfStems.size,
    freeze() {
      // Snapshots share what was frozen, so a mark is taken away in a copy.
      if (readElsewhere.length > 0) forms = withOwnNumbers(forms);
      for (const form of readElsewhere.splice(0)) setNumber(forms, form, terms.get(form)!);
      if (newForms.length > 0) forms = merge(forms, newForms, (form) => terms.get(form)!);
      if (newStems.length > 0) stems = merge(stems, newStems, (root) => termsOfStems.get(root)!);
      newForms = [];
      newStems = [];
      return {
        formText: forms.text,
        formStart: forms.start,
        formTerm: forms.term,
        stemText: stems.text,
        stemStart: stems.start,
        stemTerm: stems.term,
      };
    },
  };
}

/**
 * `frequencies[term]`: how many events the term stands in; beyond its end none. `names`: the same for names of performers, which count
 * only where they are given.
 */
export function openDictionary(parts: DictionaryParts, frequencies: Uint32Array, names?: Uint32Array): Dictionary {
  const forms = formsOf(parts);
  const stems = stemsOf(parts);
  const everyForm = { from: 0, to: forms.term.length };
  const everyStem = { from: 0, to: stems.term.length };
  const frequencyOf = (term: number) => (frequencies[term] ?? 0) + (names?.[term] ?? 0);
  const termOfForm = names ? (index: number) => forms.term[index]! & TERM : (index: number) => forms.term[index]!;
  const isUsed = (term: number) => term < NAMES_ONLY && frequencyOf(term) > 0;
  return {
    termOf(word) {
      const index = find(stems, everyStem, 0, stem(word), 0);
      const term = index < 0 ? -1 : stems.term[index]!;
      return frequencyOf(term) > 0 ? term : -1;
    },
    termsWithPrefix(prefix) {
      const { from, to } = withPrefix(forms, everyForm, 0, prefix);
      const terms = forms.term.slice(from, to);
      if (names) for (let index = 0; index < terms.length; index += 1) terms[index] = terms[index]! & TERM;
      terms.sort();
      return terms.filter((term, index) => term !== terms[index - 1] && isUsed(term));
    },
    oneTypo(word) {
      let best = -1;
      let bestFrequency = 0;
      const digits = digitsOf(word);
      for (const index of formsOneEditAway(forms, everyForm, word)) {
        const term = termOfForm(index);
        const frequency = frequencyOf(term);
        if (frequency < bestFrequency || !isUsed(term)) continue;
        if (frequency === bestFrequency && index >= best) continue;
        if (digitsOf(wordAt(forms, index)) !== digits) continue;
        best = index;
        bestFrequency = frequency;
      }
      return best < 0 ? null : { form: wordAt(forms, best), term: termOfForm(best) };
    },
    typos(word, limit) {
      const digits = digitsOf(word);
      return [...new Set(formsOneEditAway(forms, everyForm, word))]
        .filter((index) => isUsed(termOfForm(index)))
        .map((index) => ({ form: wordAt(forms, index), term: termOfForm(index) }))
        .filter(({ form }) => digitsOf(form) === digits)
        .sort((a, b) => frequencyOf(b.term) - frequencyOf(a.term) || (a.form < b.form ? -1 : 1))
        .slice(0, limit);
    },
  };
}

/** Added to the number of a form that was read in names of performers alone. */
const NAMES_ONLY = 0x40000000;
/** The term without that mark. */
const TERM = 0x3fffffff;

const digitsOf = (word: string): string => word.replace(NO_DIGITS, '');
const NO_DIGITS = /\P{N}+/gu;

/**
 * Follows the word through the sorted forms one character at a time; at each place it tries every edit, after which the rest
 * must stand as it is, so each try is one search. Few tries (the characters that do follow there), whatever the vocabulary's size.
 * Indexes of forms; some come twice.
 */
function formsOneEditAway(forms: SortedWords, all: WordRange, word: string): number[] {
  const characters = [...word];
  const found: number[] = [];
  const keep = (index: number) => {
    if (index >= 0) found.push(index);
  };
  let range = all;
  let depth = 0;
  for (let place = 0; place <= characters.length && range.from < range.to; place += 1) {
    const here = characters[place] ?? '';
    const next = characters[place + 1] ?? '';
    const after = depth + here.length;
    if (here !== '') keep(find(forms, range, depth, word, after));
    if (next !== '' && next !== here) keep(find(forms, range, depth, next + here + word.slice(after + next.length), 0));
    for (const [character, branch] of branches(forms, range, depth)) {
      keep(find(forms, branch, depth + character.length, word, depth));
      if (here !== '' && character !== here) keep(find(forms, branch, depth + character.length, word, after));
    }
    range = withPrefix(forms, range, depth, here);
    depth = after;
  }
  return found;
}

/** The characters with which words of a range go on at `depth`, each with its part of the range. */
function* branches(forms: SortedWords, range: WordRange, depth: number): Generator<[character: string, branch: WordRange]> {
  let from = range.from;
  while (from < range.to) {
    const character = characterAt(forms, from, depth);
    const branch = character === '' ? { from, to: from + 1 } : withPrefix(forms, { from, to: range.to }, depth, character);
    if (character !== '') yield [character, branch];
    from = branch.to;
  }
}

function formsOf(parts: DictionaryParts): SortedWords {
  return { text: parts.formText, start: parts.formStart, term: parts.formTerm };
}

function stemsOf(parts: DictionaryParts): SortedWords {
  return { text: parts.stemText, start: parts.stemStart, term: parts.stemTerm };
}

/** A copy of its own: a slice would keep the whole description it was cut from in memory. */
function detached(word: string): string {
  return Buffer.from(word).toString();
}
