/** Slips of the hand, repaired together: of all ways to read the words, the one whose words occur in one event. */

import { intersect, type RankSet } from '../structures/rank-set.ts';
import type { Unit, UnitReader } from './units.ts';
import { QUALITY } from './weights.ts';

export interface Repair {
  units: readonly Unit[];
  /** By the place of the unit: what it was read as. */
  readAs: ReadonlyMap<number, string>;
}

interface Choice {
  unit: Unit;
  readAs: string | null;
  cost: number;
}

/**
 * The cheapest reading of the units that `among` has; of several, the one whose words stand next to each other, then the one in most
 * events. Null: there is none, however many slips. `adjacent`: of how many events, those that hold the units as a phrase.
 */
export function repairUnits(
  units: readonly Unit[],
  reader: UnitReader,
  among: RankSet,
  n: number,
  adjacent: (matching: RankSet, units: readonly Unit[]) => number,
): Repair | null {
  const choices = units.map((unit, place) => choicesOf(unit, reader, place === units.length - 1, units.length === 1));
  const reachable = reachableCosts(choices);
  for (let cost = 1; cost <= MAX_COST; cost += 1) {
    const found = readingsOf(choices, reachable, cost)
      .take(MAX_TRIES)
      .flatMap((reading) => {
        const read = reading.map(({ unit }) => unit);
        const matching = intersect([among, ...read.map(({ any }) => any)], n);
        return matching.size === 0 ? [] : [{ reading, phrase: adjacent(matching, read), size: matching.size }];
      });
    const [best] = [...found].sort((a, b) => b.phrase - a.phrase || b.size - a.size);
    if (best) return repairOf(best.reading);
  }
  return joined(units, reader, among, n);
}

function repairOf(reading: readonly Choice[]): Repair {
  const readAs = new Map<number, string>();
  reading.forEach((choice, place) => {
    if (choice.readAs !== null) readAs.set(place, choice.readAs);
  });
  return { units: reading.map(({ unit }) => unit), readAs };
}

/** As it is, as the beginning of words, with a typo; the cheapest first. */
function choicesOf(unit: Unit, reader: UnitReader, isLast: boolean, isAlone: boolean): Choice[] {
  const choices: Choice[] = unit.any.size > 0 ? [{ unit, readAs: null, cost: 0 }] : [];
  const [word = '', ...others] = unit.words;
  if (others.length > 0 || unit.category.size > 0) return choices;
  const { at, length } = unit;
  const replaced = (terms: readonly number[], quality: number): Unit => ({
    ...reader.replaced(word, terms, quality),
    at,
    length,
  });
  const letters = word.match(LETTERS)?.length ?? 0;
  if (letters >= MIN_BEGINNING && (isLast || unit.any.size === 0)) {
    const terms = [...reader.dictionary.termsWithPrefix(word)];
    if (terms.length > 0) choices.push({ unit: replaced(terms, QUALITY.beginning), readAs: `${word}*`, cost: 1 });
  }
  if (letters < (isAlone ? MIN_LONE_TYPO_LETTERS : MIN_TYPO_LETTERS)) return choices;
  const own = reader.dictionary.termOf(word);
  for (const { form, term } of reader.dictionary.typos(word, MAX_TYPOS))
    if (term !== own) choices.push({ unit: replaced([term], QUALITY.typo), readAs: form, cost: 2 });
  return choices;
}

/** By place: what the choices from there on can cost together, as bits. */
function reachableCosts(choices: readonly Choice[][]): number[] {
  const reachable = [...choices.map(() => 0), 1];
  for (let place = choices.length - 1; place >= 0; place -= 1)
    for (const { cost } of choices[place]!) reachable[place]! |= (reachable[place + 1]! << cost) & COST_BITS;
  return reachable;
}

/** All combinations of exactly this cost. Of many words one may have no choice: what leads to no combination is not tried. */
function* readingsOf(choices: readonly Choice[][], reachable: readonly number[], cost: number, place = 0): Generator<Choice[]> {
  if (place === choices.length) {
    yield [];
    return;
  }
  for (const choice of choices[place]!) {
    const left = cost - choice.cost;
    if (left < 0 || (reachable[place + 1]! & (1 << left)) === 0) continue;
    for (const rest of readingsOf(choices, reachable, left, place + 1)) yield [choice, ...rest];
  }
}

/** Two words that are written as one, or one that is written as two: `summer stage`, `knitting factory`. */
function joined(units: readonly Unit[], reader: UnitReader, among: RankSet, n: number): Repair | null {
  const isFound = (read: readonly Unit[]): boolean => intersect([among, ...read.map(({ any }) => any)], n).size > 0;
  for (let place = 0; place + 1 < units.length; place += 1) {
    const word = [...units[place]!.words, ...units[place + 1]!.words].join('');
    const [first, second] = [units[place]!, units[place + 1]!];
    const whole = { ...reader.exact([word]), at: first.at, length: second.at + second.length - first.at };
    const read = [...units.slice(0, place), whole, ...units.slice(place + 2)];
    if (isFound(read)) return { units: read, readAs: new Map([[place, word]]) };
  }
  for (const [place, { words, any, at: token, length }] of units.entries()) {
    const [word = ''] = words;
    if (words.length > 1 || any.size > 0) continue;
    for (let at = 2; at <= word.length - 2; at += 1) {
      const halves = [word.slice(0, at), word.slice(at)];
      const read = [...units.slice(0, place), { ...reader.exact(halves), at: token, length }, ...units.slice(place + 1)];
      if (isFound(read)) return { units: read, readAs: new Map([[place, halves.join(' ')]]) };
    }
  }
  return null;
}

const LETTERS = /\p{L}/gu;
const MIN_BEGINNING = 3;
/** Together with other words, a short word may have a typo, too. */
const MIN_TYPO_LETTERS = 4;
const MIN_LONE_TYPO_LETTERS = 5;
const MAX_TYPOS = 8;
/** A beginning costs 1, a typo 2: two typos, or one and two beginnings. */
const MAX_COST = 4;
const COST_BITS = (1 << (MAX_COST + 1)) - 1;
const MAX_TRIES = 200;
