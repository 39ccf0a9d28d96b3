/** Of all readings of a text the one that finds something: names before filters that find nothing, repairs before nothing. */

import { EMPTY_SET, intersect, members, type RankSet, union } from '../structures/rank-set.ts';
import { words } from '../text/words.ts';
import type { EventAsk } from './ask-query.ts';
import { createPlaces, type PlaceReader } from './places.ts';
import { createReading, holdingAll, type ReadAs, type Reading, type ReadingOptions, type Understood } from './reading.ts';
import { repairUnits } from './repair.ts';
import { readTokens, type Token } from './tokens.ts';
import type { Unit, UnitReader } from './units.ts';

export interface UnderstandOptions extends Omit<ReadingOptions, 'places'> {
  /** Of a venue by its slot. */
  nameOf(slot: number): string;
  titleOf(rank: number): string;
  /** Of how many events a title or a name holds the units next to each other, or (`whole`) nothing but them. */
  adjacent(matching: RankSet, units: readonly Unit[], whole?: boolean): number;
}

export interface TextReader {
  understand(ask: EventAsk): Understood;
  countWithout: Reading['countWithout'];
}

interface Tools extends Pick<UnderstandOptions, 'titleOf' | 'adjacent'> {
  readAs: ReadAs;
  reader: UnitReader;
  places: PlaceReader;
  /** Whatever is still to come. */
  coming(now: number): RankSet;
  n: number;
}

export function createUnderstand({ data, watch, reader, nameOf, titleOf, adjacent }: UnderstandOptions): TextReader {
  const places = createPlaces(data, nameOf);
  const { readAs, countWithout } = createReading({ data, watch, reader, places });
  const tools: Tools = {
    titleOf,
    adjacent,
    readAs,
    reader,
    places,
    coming: (now) => watch.match({ from: now, to: Number.POSITIVE_INFINITY, limit: 0, offset: 0 }).events,
    n: data.events.n,
  };
  const understand = (ask: EventAsk): Understood => {
    const tokens = readTokens(ask.text);
    const first = tools.readAs(ask, tokens, NONE);
    if (isName(first, ask.now, tools)) return tools.readAs(ask, tokens, new Set(tokens.keys()));
    const understood = ofNoise(ask, first.complete.size > 0 ? first : repaired(ask, first, tools), tools);
    if (understood.complete.size > 0) return understood;
    return otherwise(ask, understood, tools) ?? understood;
  };
  return { understand, countWithout };
}

/** Slips are repaired by what will take place at any time: the filters must not decide what a word means. */
function repaired(ask: EventAsk, understood: Understood, tools: Tools): Understood {
  const { units } = understood;
  const { reader, n, adjacent, readAs } = tools;
  if (units.length === 0) return understood;
  const coming = tools.coming(ask.now);
  if (holdingAll(coming, units, n).size > 0) return understood;
  const repair = repairUnits(units, reader, coming, n, adjacent);
  if (!repair) return placesRepaired(ask, understood, tools);
  // A word that is spelled right may be a place or a time.
  const tokens = understood.tokens.slice();
  for (const [place, form] of repair.readAs) {
    const unit = repair.units[place]!;
    if (unit.length === 1 && !form.endsWith('*') && !form.includes(' ')) tokens[unit.at] = { ...tokens[unit.at]!, word: form };
  }
  const again = readAs(ask, tokens, NONE);
  if (again.units.length < repair.units.length) return again;
  return { ...understood, ...repair, complete: holdingAll(understood.filtered, repair.units, n) };
}

/** Words of no event that are one slip away from a place. */
function placesRepaired(ask: EventAsk, understood: Understood, { reader, places, readAs }: Tools): Understood {
  const tokens = understood.tokens.slice();
  for (const {
    any,
    at,
    length,
    words: [word = ''],
  } of understood.units) {
    if (any.size > 0 || length > 1 || word.length < MIN_PLACE_LETTERS) continue;
    const forms = reader.dictionary.typos(word, MAX_PLACE_TYPOS).map(({ form }): Token => ({ ...tokens[at]!, word: form }));
    const found = forms.find((token) => places.read([token], 0) !== null);
    if (found) tokens[at] = found;
  }
  const isSame = tokens.every((token, at) => token === understood.tokens[at]);
  return isSame ? understood : readAs(ask, tokens, NONE);
}

/** A title or a performer that is called exactly so. */
function isName({ tokens, parts }: Understood, now: number, { reader, coming, adjacent, titleOf, n }: Tools): boolean {
  if (tokens.length < 2 || !parts.some(({ kind }) => kind !== 'word' && kind !== 'noise')) return false;
  const typed = tokens.map(({ word }) => word);
  const unit = reader.exact(typed);
  const { title, names } = unit.fields[0] ?? { title: EMPTY_SET, names: EMPTY_SET };
  const named = intersect([coming(now), union([title, names], n)], n);
  if (named.size === 0) return false;
  if (adjacent(named, [unit], true) > 0) return true;
  const text = typed.join(' ');
  return Array.from(members(named).subarray(0, MAX_NAMES_READ), titleOf).some(
    (found) => words(found.split(TITLE_ENDS, 1)[0] ?? '').join(' ') === text,
  );
}

/** Where nothing is found: a part that stands in titles or names as it is. */
function otherwise(ask: EventAsk, understood: Understood, { readAs, reader, adjacent, n }: Tools): Understood | null {
  for (const part of understood.parts) {
    if (part.kind !== 'place' && part.kind !== 'price' && part.kind !== 'time') continue;
    const {
      fields: [exact],
    } = reader.exact(understood.tokens.slice(part.at, part.at + part.length).map(({ word }) => word));
    if (!exact || exact.title.size + exact.names.size === 0) continue;
    const asWords = new Set(Array.from({ length: part.length }, (_, i) => part.at + i));
    const other = readAs(ask, understood.tokens, asWords);
    const own = other.units.filter(({ at }) => asWords.has(at));
    const inNames = own.map(({ fields: [first] }) => (first ? union([first.title, first.names], n) : EMPTY_SET));
    const found = intersect([other.complete, ...inNames], n);
    if (found.size === 0) continue;
    // What a word of time or price means elsewhere is a part of a name, and of nothing less.
    if (part.kind !== 'place' && adjacent(found, other.units) === 0) continue;
    return { ...other, complete: found };
  }
  return null;
}

/** Nothing but connecting words: they may be a name, as The Who is. */
function ofNoise(ask: EventAsk, understood: Understood, { readAs, adjacent }: Tools): Understood {
  const { tokens, parts } = understood;
  if (tokens.length < 2 || parts.some(({ kind }) => kind === 'word' || kind === 'category')) return understood;
  const noise = parts.filter(({ kind }) => kind === 'noise').map(({ at }) => at);
  if (noise.length < 2) return understood;
  const other = readAs(ask, tokens, new Set(noise));
  return adjacent(other.complete, other.units) > 0 ? other : understood;
}

const NONE: ReadonlySet<number> = new Set();
/** A title goes on behind these. */
const TITLE_ENDS = /[:|(@–—]| - | w\/ | at /;
const MAX_NAMES_READ = 20;
const MIN_PLACE_LETTERS = 5;
const MAX_PLACE_TYPOS = 8;
