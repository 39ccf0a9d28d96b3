/** How alike two titles are, and whether a mark in them says that they are two. */

import type { EventTitle } from './event-title.ts';

export interface TitleLikeness {
  /** 0–1. 0 when no word is shared letter by letter. */
  likeness: number;
  /** The weight of the shared words: how much their sharing tells. */
  told: number;
  /** What tells two sessions apart, as a sentence; null when nothing does. */
  contradiction: string | null;
  /** Each has a number that the other lacks: enough to doubt, not to decide. */
  doubt: string | null;
  /** Only one names a part, slot, level or audience: one provider would do so to tell two sessions apart. */
  onlyOne: string | null;
}

/** `placeWords` are those of the place that both share: they tell nothing, unless nothing else is told. Symmetric. */
export function compareTitles(a: EventTitle, b: EventTitle, placeWords: ReadonlySet<string>): TitleLikeness {
  const [ownA, ownB] = [hasOwnWords(a, placeWords), hasOwnWords(b, placeWords)];
  const overlap = overlapOf(a, b, ownA && ownB ? placeWords : NO_WORDS);
  const { told } = overlap;
  const likeness = ownA === ownB ? overlap.likeness : Math.min(overlap.likeness, PLACE_ALONE_LIKENESS);
  return {
    likeness: likeness > 0 && sharesHead(a, b) ? Math.max(likeness, HEAD_LIKENESS) : likeness,
    told,
    contradiction: contradictionOf(a, b),
    doubt: doubtOf(a, b),
    onlyOne: onlyOneOf(a, b),
  };
}

const hasOwnWords = (title: EventTitle, placeWords: ReadonlySet<string>): boolean =>
  [...title.words.keys()].some((word) => !placeWords.has(word));

function overlapOf(a: EventTitle, b: EventTitle, without: ReadonlySet<string>): { likeness: number; told: number } {
  const weightIn = (title: EventTitle, word: string) => (without.has(word) ? 0 : (title.words.get(word) ?? 0));
  // Who presents is often left out: only one that both name counts.
  const isAside = (title: EventTitle, other: EventTitle, word: string) => title.presenter.has(word) && !other.words.has(word);
  const sum = (title: EventTitle, other: EventTitle) =>
    [...title.words.keys()].reduce((total, word) => (isAside(title, other, word) ? total : total + weightIn(title, word)), 0);
  const [wholeA, wholeB] = [sum(a, b), sum(b, a)];
  let [sharedA, sharedB, told, exact] = [0, 0, 0, 0];
  for (const word of a.words.keys()) {
    if (without.has(word)) continue;
    const match = b.words.has(word) ? word : misspelled(word, a, b);
    if (match === null) continue;
    if (match === word) exact += 1;
    sharedA += weightIn(a, word);
    sharedB += weightIn(b, match);
    told += Math.min(weightIn(a, word), weightIn(b, match));
  }
  if (exact === 0) return { likeness: 0, told: 0 };
  const contained = Math.min(1, Math.max(sharedA / wholeA, sharedB / wholeB));
  const common = Math.min(1, (sharedA + sharedB) / (wholeA + wholeB));
  return { likeness: CONTAINED_SHARE * contained + (1 - CONTAINED_SHARE) * common, told };
}

/** The word of the other title that is this one with a letter wrong; null when there is none, or it stands in this title too. */
function misspelled(word: string, own: EventTitle, other: EventTitle): string | null {
  if (word.length < MIN_FUZZY) return null;
  for (const candidate of other.words.keys())
    if (!own.words.has(candidate) && candidate.length >= MIN_FUZZY && isNearlySame(word, candidate)) return candidate;
  return null;
}

/** One letter more, less or other, or two exchanged. Digits must agree. */
function isNearlySame(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || /\d/.test(a) || /\d/.test(b)) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [midA, midB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return Math.max(midA.length, midB.length) <= 1 || (midA.length === 2 && midA === `${midB[1]}${midB[0]}` && midB.length === 2);
}

/** `Jimmy Eat World – 25 Years` and `Jimmy Eat World with Thrice`; not `Movie Night: A` and `Movie Night: B`. */
function sharesHead(a: EventTitle, b: EventTitle): boolean {
  if (a.head.size === 0 || a.head.size !== b.head.size) return false;
  return (a.isHeadAlone || b.isHeadAlone) && [...a.head].every((word) => b.head.has(word));
}

function contradictionOf(a: EventTitle, b: EventTitle): string | null {
  if (a.spansDays !== b.spansDays) return `“${(a.spansDays ? a : b).text}” is a ticket for several days`;
  for (const [kind, values] of a.marks) {
    const others = b.marks.get(kind);
    if (others && values.isDisjointFrom(others))
      return `The titles name ${kind} differently: ${list(values)} and ${list(others)}`;
  }
  return null;
}

function doubtOf({ numbers: a }: EventTitle, { numbers: b }: EventTitle): string | null {
  return a.isSubsetOf(b) || b.isSubsetOf(a) ? null : `The titles have different numbers: ${list(a)} and ${list(b)}`;
}

function onlyOneOf(a: EventTitle, b: EventTitle): string | null {
  const kind = ONE_SIDED.find((each) => a.marks.has(each) !== b.marks.has(each));
  return kind ? `Only one title names ${kind}: ${list(a.marks.get(kind) ?? b.marks.get(kind))}` : null;
}

const list = (values: ReadonlySet<string> | undefined): string => [...(values ?? [])].sort().join(', ');

const NO_WORDS: ReadonlySet<string> = new Set();
const ONE_SIDED = ['the level', 'the audience', 'the slot', 'the part'];
/** At most, where one title says nothing but the name of the place. */
const PLACE_ALONE_LIKENESS = 0.5;
/** The part of the likeness that is one title's being contained in the other; the rest is what they have in common of both. */
const CONTAINED_SHARE = 0.6;
/** Of two titles with one first part, of which one says nothing else. */
const HEAD_LIKENESS = 0.85;
/** Letters of the shortest word that may have one wrong. */
const MIN_FUZZY = 5;
