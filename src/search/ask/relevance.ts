/** The order of relevance: what each event is worth for the units of a text, and the first of all. */

import { FIELD_GAP, NAMES_BEGIN } from '../directory/term-sequences.ts';
import type { TermSequence } from '../query/text-search.ts';
import type { SnapshotData } from '../snapshot-data.ts';
import { groupsOf } from '../structures/grouped-ranks.ts';
import { intersect, members, type RankSet, union } from '../structures/rank-set.ts';
import { words } from '../text/words.ts';
import type { FieldSets, Unit } from './units.ts';
import { COMPLETE, FIELD_POINTS, nearness, phrasePoints, QUALITY, RELEVANCE_UNIT, rarity } from './weights.ts';

export interface RelevanceUnits {
  units: readonly Unit[];
  /** They count, and no answer needs to hold them. */
  preferred?: readonly Unit[];
  /** Every member holds every unit. */
  isComplete?: boolean;
  /** Which members come first because they hold every unit, where it is not all that do. */
  complete?: RankSet;
}

export interface RelevanceOrder {
  /** Of the members: those after the first `offset`, at most `limit`, by relevance, then by rank. `fromDay`: days since 1970-01-01. */
  page(matching: RankSet, wanted: RelevanceUnits, fromDay: number, offset: number, limit: number): number[];
  /** Of how many a title or a name holds the units next to each other, or (`whole`) nothing but them. */
  countPhrases(matching: RankSet, units: readonly Unit[], whole?: boolean): number;
}

export function createRelevanceOrder(
  { events, venues }: SnapshotData,
  sequenceOf: (rank: number, into: TermSequence) => void,
  /** The title and the performers. */
  namesOf: (rank: number) => readonly string[],
): RelevanceOrder {
  const sequence: TermSequence = { chunk: new Uint32Array(0), first: 0, end: 0 };
  const { n } = events;

  /** By the place in `ranks`: the points of the best field. */
  const bestFields = (ranks: Uint32Array, { fields, category }: Unit): Uint8Array => {
    const best = new Uint8Array(ranks.length);
    mark(best, ranks, category, FIELD_POINTS.category * QUALITY.exact);
    if (category.size > 0) markBoth(best, ranks, fields);
    for (const { quality, title, names, text, tags, slots } of fields) {
      mark(best, ranks, text, FIELD_POINTS.text * quality);
      mark(best, ranks, tags, FIELD_POINTS.tags * quality);
      if (slots.size > 0) markVenues(best, ranks, slots, FIELD_POINTS.venue * quality);
      mark(best, ranks, names, FIELD_POINTS.names * quality);
      mark(best, ranks, title, FIELD_POINTS.title * quality);
    }
    return best;
  };

  const markVenues = (best: Uint8Array, ranks: Uint32Array, slots: RankSet, points: number): void => {
    const isHit = new Uint8Array(venues.slots);
    for (const slot of members(slots)) isHit[slot] = 1;
    for (let i = 0; i < ranks.length; i += 1) if (isHit[events.venue[ranks[i]!]!] === 1 && best[i]! < points) best[i] = points;
  };

  /** 2: a title or a name consists of the terms; 1: it holds them next to each other; 0: neither. `where`: what may hold them. */
  const phraseIn = (
    rank: number,
    accepts: readonly ReadonlySet<number>[],
    typed: string,
    where = IN_TITLE | IN_NAMES,
  ): 0 | 1 | 2 => {
    sequenceOf(rank, sequence);
    const found = phraseOf(sequence, accepts, where);
    if (found < 2 || namesOf(rank).some((name) => words(name).join(' ') === typed)) return found;
    // Other forms of the words are no name.
    return accepts.length > 1 ? 1 : 0;
  };

  /** Of units next to each other in a title or a name. */
  const addPhrases = (points: Int32Array, ranks: Uint32Array, units: readonly Unit[], bonus: number): void => {
    const phrases = phrasesOf(units);
    if (!phrases) return;
    const where = markAll(ranks, units, n);
    for (let i = 0; i < ranks.length; i += 1) {
      if (where[i] === NOWHERE) continue;
      points[i] = points[i]! + bonus * phraseIn(ranks[i]!, phrases.accepts, phrases.typed, where[i]!);
    }
  };

  const keysOf = (ranks: Uint32Array, { units, preferred = [], complete }: RelevanceUnits, fromDay: number): Int32Array => {
    const keys = new Int32Array(ranks.length);
    const held = new Uint8Array(ranks.length);
    let most = 0;
    for (const unit of units) {
      const weight = rarity(unit.any.size, n);
      most += weight * FIELD_POINTS.title * QUALITY.exact;
      addPoints(keys, held, bestFields(ranks, unit), weight);
    }
    for (const unit of preferred) addPoints(keys, null, bestFields(ranks, unit), rarity(unit.any.size, n));
    if (units.length > 0) addPhrases(keys, ranks, units, phrasePoints(most));
    const isFirst = complete ? membersOf(ranks, complete) : held.map((count) => (count > 0 && count === units.length ? 1 : 0));
    for (let i = 0; i < ranks.length; i += 1) {
      const near = nearness(events.days[events.day[ranks[i]!]!]! - fromDay);
      keys[i] = keys[i]! * RELEVANCE_UNIT + near + isFirst[i]! * COMPLETE;
    }
    return keys;
  };

  return {
    countPhrases(matching, units, whole = false) {
      const { accepts, typed } = phraseOfUnits(units);
      if (accepts.length === 0) return 0;
      let found = 0;
      for (const rank of members(matching).subarray(0, MAX_PHRASES_READ))
        if (phraseIn(rank, accepts, typed) > (whole ? 1 : 0)) found += 1;
      return found;
    },
    page(matching, wanted, fromDay, offset, limit) {
      if (limit === 0 || offset >= matching.size) return [];
      const ranks = members(firstCandidates(events, matching, wanted, offset + limit));
      const keys = keysOf(ranks, wanted, fromDay);
      return firstByKey(keys, offset, limit).map((place) => ranks[place]!);
    },
  };
}

function phraseOfUnits(units: readonly Unit[]): { accepts: ReadonlySet<number>[]; typed: string } {
  return { accepts: units.flatMap(acceptedTerms), typed: units.flatMap(({ words }) => words).join(' ') };
}

/** Null: the units make no phrase. A category is no word. */
function phrasesOf(units: readonly Unit[]): ReturnType<typeof phraseOfUnits> | null {
  const phrase = phraseOfUnits(units);
  return phrase.accepts.length > 0 && units.every(({ category }) => category.size === 0) ? phrase : null;
}

/** In the title, which comes first, or in one of the names, which come last. `where`: elsewhere nothing is read. */
function phraseOf({ chunk, first, end }: TermSequence, accepts: readonly ReadonlySet<number>[], where: number): 0 | 1 | 2 {
  let found: 0 | 1 | 2 = 0;
  if (where & IN_TITLE) {
    let titleEnd = first;
    // Of one word it counts alone whether it is all of the title.
    const most = accepts.length === 1 ? first + 2 : end;
    while (titleEnd < most && chunk[titleEnd] !== FIELD_GAP) titleEnd += 1;
    found = phraseWithin(chunk, first, titleEnd, accepts);
  }
  return found === 2 || !(where & IN_NAMES) ? found : (Math.max(found, phraseInNames(chunk, first, end, accepts)) as 0 | 1 | 2);
}

function phraseInNames(chunk: Uint32Array, first: number, end: number, accepts: readonly ReadonlySet<number>[]): 0 | 1 | 2 {
  let from = end;
  while (from > first && chunk[from - 1] !== NAMES_BEGIN) from -= 1;
  // Without the mark there are no names.
  if (from === first) return 0;
  let found: 0 | 1 | 2 = 0;
  while (found < 2 && from < end) {
    let to = from;
    while (to < end && chunk[to] !== FIELD_GAP) to += 1;
    found = Math.max(found, phraseWithin(chunk, from, to, accepts)) as 0 | 1 | 2;
    from = to + 1;
  }
  return found;
}

/** The words of a unit's first spelling, each with its terms. */
function acceptedTerms({ spellings: [first] }: Unit): ReadonlySet<number>[] {
  return first ? first.words.map((terms) => new Set(terms)) : [];
}

function phraseWithin(chunk: Uint32Array, first: number, end: number, accepts: readonly ReadonlySet<number>[]): 0 | 1 | 2 {
  const last = end - accepts.length;
  for (let at = first; at <= last; at += 1) {
    let place = 0;
    while (place < accepts.length && accepts[place]!.has(chunk[at + place]! & TERM)) place += 1;
    if (place !== accepts.length) continue;
    if (end - first === accepts.length) return 2;
    // One word alone is no phrase.
    return accepts.length > 1 ? 1 : 0;
  }
  return 0;
}

function addPoints(keys: Int32Array, held: Uint8Array | null, best: Uint8Array, weight: number): void {
  for (let i = 0; i < best.length; i += 1) {
    if (best[i] === 0) continue;
    keys[i] = keys[i]! + weight * best[i]!;
    if (held) held[i] = held[i]! + 1;
  }
}

/** By the place in `ranks`: whether the title, and whether names, hold all units as they were typed. */
function markAll(ranks: Uint32Array, units: readonly Unit[], n: number): Uint8Array {
  const where = new Uint8Array(ranks.length);
  const typed = units.flatMap(({ fields: [first] }) => (first ? [first] : []));
  if (typed.length < units.length) return where;
  for (const [field, place] of FIELDS_OF_PHRASES) {
    const sets = typed.map((fields) => fields[field]);
    if (sets.some(({ size }) => size === 0)) continue;
    const holding = intersect(sets, n);
    const isHit = new Uint8Array(ranks.length);
    mark(isHit, ranks, holding, 1);
    for (let i = 0; i < isHit.length; i += 1) if (isHit[i] === 1) where[i] = where[i]! | place;
  }
  return where;
}

/** Of the category, and with the word in the title. */
function markBoth(best: Uint8Array, ranks: Uint32Array, fields: Unit['fields']): void {
  const inTitle = new Uint8Array(ranks.length);
  for (const { title } of fields) mark(inTitle, ranks, title, 1);
  for (let i = 0; i < best.length; i += 1) if (best[i]! > 0 && inTitle[i] === 1) best[i] = FIELD_POINTS.title * QUALITY.exact;
}

/** By the place in `ranks`: 1 where the set holds it. */
function membersOf(ranks: Uint32Array, set: RankSet): Uint8Array {
  const held = new Uint8Array(ranks.length);
  mark(held, ranks, set, 1);
  return held;
}

/** Raises the points of the ranks that are in a set. Both are ascending. */
function mark(best: Uint8Array, ranks: Uint32Array, set: RankSet, points: number): void {
  if (set.size === 0) return;
  if (set.bits) {
    markBits(best, ranks, set.bits, points);
    return;
  }
  const list = set.list!;
  let at = 0;
  for (let i = 0; i < ranks.length && at < list.length; i += 1) {
    const rank = ranks[i]!;
    while (at < list.length && list[at]! < rank) at += 1;
    if (list[at] === rank && best[i]! < points) best[i] = points;
  }
}

function markBits(best: Uint8Array, ranks: Uint32Array, bits: Uint32Array, points: number): void {
  for (let i = 0; i < ranks.length; i += 1) {
    const rank = ranks[i]!;
    if (((bits[rank >>> 5]! >>> (rank & 31)) & 1) === 1 && best[i]! < points) best[i] = points;
  }
}

/** The places of the highest keys, those before of equal ones first, after the first `offset`. */
function firstByKey(keys: Int32Array, offset: number, limit: number): number[] {
  const wanted = Math.min(keys.length, offset + limit);
  // As one number that orders as both do.
  const ordered = new Float64Array(wanted * 4 > keys.length || wanted > MAX_KEPT ? keys.length : wanted);
  const number = (place: number): number => (MAX_KEY - keys[place]!) * PLACES + place;
  if (ordered.length === keys.length) {
    for (let place = 0; place < keys.length; place += 1) ordered[place] = number(place);
    ordered.sort();
  } else keepLowest(ordered, keys.length, number);
  return Array.from(ordered.subarray(offset, wanted), (value) => value % PLACES);
}

/** Insertion into a short sorted list: nearly all that come are higher than all that it holds. */
function keepLowest(kept: Float64Array, count: number, number: (place: number) => number): void {
  kept.fill(Number.POSITIVE_INFINITY);
  const last = kept.length - 1;
  for (let place = 0; place < count; place += 1) {
    const value = number(place);
    if (value >= kept[last]!) continue;
    let at = last;
    while (at > 0 && kept[at - 1]! > value) {
      kept[at] = kept[at - 1]!;
      at -= 1;
    }
    kept[at] = value;
  }
}

/** Those of the members among which the first `count` must be; all, where that is not known. */
function firstCandidates(
  events: SnapshotData['events'],
  matching: RankSet,
  { units, preferred = [], isComplete = false }: RelevanceUnits,
  count: number,
): RankSet {
  if (units.length === 0 || preferred.length > 0 || matching.size <= count) return matching;
  const typed = units.flatMap(({ fields: [first] }) => (first?.quality === QUALITY.exact ? [first] : []));
  if (typed.length < units.length) return matching;
  const named = allInNames(matching, typed, count, events.n);
  if (named) return named;
  const isOneSpelling = units.every(({ fields, category }) => fields.length === 1 && category.size === 0);
  return (isComplete && isOneSpelling && beyondText(events, matching, typed, count)) || matching;
}

/** If so many titles hold all words, nothing comes before them that has a word neither in its title nor in a name. */
function allInNames(matching: RankSet, typed: readonly FieldSets[], count: number, n: number): RankSet | null {
  const titled = intersect([matching, ...typed.map(({ title }) => title)], n);
  if (titled.size < count) return null;
  return intersect([matching, ...typed.map(({ title, names }) => (names.size === 0 ? title : union([title, names], n)))], n);
}

/** All words in nothing but descriptions: the fewest points that there are. */
function beyondText(
  { byVenue, n }: SnapshotData['events'],
  matching: RankSet,
  typed: readonly FieldSets[],
  count: number,
): RankSet | null {
  if (typed.some(({ slots }) => slots.size > MAX_VENUES)) return null;
  const sets = typed.flatMap(({ title, names, tags, slots }) => [title, names, tags, groupsOf(byVenue, members(slots))]);
  const found = intersect([matching, union(sets, n)], n);
  return found.size < count ? null : found;
}

/** Where a phrase may stand; more than one may be true. */
const NOWHERE = 0;
const IN_TITLE = 1;
const IN_NAMES = 2;
const FIELDS_OF_PHRASES = [
  ['title', IN_TITLE],
  ['names', IN_NAMES],
] as const;
/** Without the mark of a repeated term. */
const TERM = 0x7fffffff;
/** Enough to see whether words belong together. */
const MAX_PHRASES_READ = 500;
const MAX_KEY = 2 ** 25;
/** More than there are events: together with a key it is below 2^53. */
const PLACES = 2 ** 27;
/** A longer list is sorted as a whole. */
const MAX_KEPT = 400;
/** The events of more are not put together. */
const MAX_VENUES = 50;
