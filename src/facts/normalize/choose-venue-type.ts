/** The type of a venue by all that speaks for it: names, what plays there, capacity, and what providers say. */

import { CATEGORIES, type CapacityTier, type Category, VENUE_TYPES, type VenueType } from '../../records/index.ts';
import { folded } from '../text.ts';
import {
  AREA_WEIGHTS,
  CAPACITY_WEIGHTS,
  CATEGORY_WEIGHTS,
  FREE_WEIGHTS,
  GAMES_AND_CONCERTS,
  HOUSE_WORDS,
  LISTED_NEIGHBORS,
  LISTED_WEIGHT,
  NEAREST_WORDS,
  NIGHTS_TOO,
  WEAK_WORDS,
  type Weights,
} from './venue-type-words.ts';

/** What one source says of a venue beside its name. Counts are of its events now, rounded down. */
export interface VenueTypeFacts {
  /** As the provider lists it; null where it lists none. */
  listed: VenueType | null;
  events: Partial<Record<Category, number>>;
  /** Those of the events that are free. */
  free: Partial<Record<Category, number>>;
}

export interface VenueTypeEvidence {
  /** The name of the venue first, then those that other sources give it. */
  names: readonly string[];
  facts: readonly VenueTypeFacts[];
  capacityTier: CapacityTier | null;
  /** The name is that of an area, such as a borough. */
  isArea?: boolean;
}

export interface ChosenVenueType {
  type: VenueType;
  /** Whether too little speaks for it: it is only the nearest of the contract's types. */
  isUnknown: boolean;
  /** What speaks for it most. */
  reason: string;
}

/** Pure: the order of names after the first and of facts does not matter. */
export function chooseVenueType({ names, facts, capacityTier, isArea = false }: VenueTypeEvidence): ChosenVenueType {
  const played = countPlayed(facts);
  const evidence = [
    ...listedEvidence(facts.flatMap(({ listed }) => listed ?? [])),
    ...nameEvidence(names, played),
    ...playedEvidence(played),
    ...(isArea ? [{ weights: scaled(AREA_WEIGHTS, 1), reason: 'it is an area of the city' }] : []),
    ...(capacityTier === null
      ? []
      : [{ weights: scaled(CAPACITY_WEIGHTS[capacityTier], 1), reason: `its capacity is ${capacityTier}` }]),
  ];
  const totals = VENUE_TYPES.map((type) => ({ type, total: sum(evidence.map(({ weights }) => weightOf(weights, type))) }));
  // Equal totals: the type that stands first here.
  const ordered = totals.sort((a, b) => b.total - a.total || TIES.indexOf(a.type) - TIES.indexOf(b.type));
  const [best] = ordered;
  const type = best && best.total > 0 ? best.type : NOTHING_KNOWN;
  const [strongest] = evidence
    .filter(({ weights }) => weightOf(weights, type) > 0)
    .toSorted((a, b) => weightOf(b.weights, type) - weightOf(a.weights, type) || (a.reason < b.reason ? -1 : 1));
  const isUnknown = (best?.total ?? 0) < MIN_KNOWN * SCALE;
  const reason = strongest?.reason ?? 'nothing says what it is';
  return { type, isUnknown, reason: isUnknown ? `the nearest type, of little evidence: ${reason}` : reason };
}

/** The facts of a source's listings at a venue. */
export function venueTypeFacts(
  listed: VenueType | null,
  events: readonly { category: Category; isFree: boolean }[],
): VenueTypeFacts {
  const tally = (counted: typeof events) => {
    const counts = Map.groupBy(counted, ({ category }) => category);
    const known = CATEGORIES.filter((category) => counts.has(category));
    return Object.fromEntries(known.map((category) => [category, rounded(counts.get(category)?.length ?? 0)]));
  };
  return { listed, events: tally(events), free: tally(events.filter(({ isFree }) => isFree)) };
}

interface Evidence {
  /** In hundredths. */
  weights: Weights;
  reason: string;
}

interface Played {
  events: ReadonlyMap<Category, number>;
  free: ReadonlyMap<Category, number>;
  total: number;
  /** 0–1: how much is known by it. */
  certainty: number;
}

function countPlayed(facts: readonly VenueTypeFacts[]): Played {
  const tally = (of: 'events' | 'free') =>
    new Map(CATEGORIES.map((category) => [category, sum(facts.map((each) => each[of][category] ?? 0))]));
  const events = tally('events');
  const total = sum([...events.values()]);
  return { events, free: tally('free'), total, certainty: Math.min(1, Math.log2(1 + total) / CERTAIN_LOG) };
}

/** Sources that disagree share the weight: a place with ten ball fields is not ten times a stadium. */
function listedEvidence(listed: readonly VenueType[]): Evidence[] {
  return VENUE_TYPES.filter((type) => listed.includes(type)).map((type) => ({
    weights: scaled({ ...LISTED_NEIGHBORS[type], [type]: LISTED_WEIGHT }, count(listed, type) / listed.length),
    reason: `a source lists it as ${type}`,
  }));
}

const count = (listed: readonly VenueType[], type: VenueType): number => listed.filter((each) => each === type).length;

/** The first name counts more than all others together. */
function nameEvidence(names: readonly string[], played: Played): Evidence[] {
  const [first, ...others] = [...new Set(names)];
  if (first === undefined) return [];
  const own = evidenceOfName(first, played, 1);
  return [...own, ...others.toSorted().flatMap((name) => evidenceOfName(name, played, OTHER_NAMES / others.length))];
}

/** `Gymnasium (in St. John's Park)`, `Youth Market at the College`: the place around it counts less. */
function evidenceOfName(name: string, played: Played, share: number): Evidence[] {
  const [, inner = name, around, at] = /^(.+?)(?:\(in ([^()]+)\)\s*$| (?:at|@|-) (.+)$)/i.exec(name) ?? [];
  // `Gymnasium (Court)`: what is in brackets says what the house is only where nothing else does.
  const house = housesIn(folded(inner.replace(/\([^()]*\)/g, ' ')), share);
  return [
    ...(house.length > 0 ? house : housesIn(folded(inner), share)),
    ...housesIn(folded(around ?? at ?? ''), share * AROUND),
    ...weakWordsIn(folded(inner), played, share),
  ];
}

function housesIn(text: string, share: number): Evidence[] {
  if (text === '') return [];
  const found = phrasesIn(text, HOUSES);
  const last = Math.max(...found.map(({ end }) => end));
  return found.map(({ entry, phrase, end }) => ({
    weights: scaled(entry, end === last ? share : share * EARLIER),
    reason: `its name says ${JSON.stringify(phrase)}`,
  }));
}

function weakWordsIn(text: string, { events, free, total, certainty }: Played, share: number): Evidence[] {
  return phrasesIn(text, WEAK).flatMap(({ entry, phrase }) => {
    const { type, weight, of, isPaid = false } = entry;
    const count = (category: Category) => (events.get(category) ?? 0) - (isPaid ? (free.get(category) ?? 0) : 0);
    const playing = of === 'any' ? 0 : sum(of.map(count));
    const part = of === 'any' ? 1 : (playing / Math.max(1, total)) * certainty;
    return [{ weights: scaled({ [type]: weight }, share * part), reason: `its name says ${JSON.stringify(phrase)}` }];
  });
}

function playedEvidence({ events, free, total, certainty }: Played): Evidence[] {
  if (total === 0) return [];
  const byCategory = CATEGORIES.flatMap((category): Evidence[] => {
    const count = events.get(category) ?? 0;
    if (count === 0) return [];
    const share = (count / total) * certainty;
    const freeShare = ((free.get(category) ?? 0) / total) * certainty ** 2;
    const reason = `${Math.round((count / total) * 100)} % of its events are ${category}`;
    return [
      { weights: scaled(CATEGORY_WEIGHTS[category], share), reason },
      { weights: scaled(FREE_WEIGHTS[category] ?? {}, freeShare), reason: `${reason}, many of them free` },
    ];
  });
  const [games = 0, concerts = 0] = [events.get('sports'), events.get('concert')];
  const isBoth = games > 0 && concerts >= Math.max(MIN_CONCERTS, total * CONCERTS_SHARE);
  const nights = events.get('nightlife') ?? 0;
  return [
    ...byCategory,
    ...(isBoth ? [{ weights: scaled(GAMES_AND_CONCERTS, 1), reason: 'it has games and concerts' }] : []),
    ...(nights >= MIN_NIGHTS ? [{ weights: scaled(NIGHTS_TOO, 1), reason: 'nights are held there' }] : []),
  ];
}

interface Found<T> {
  entry: T;
  phrase: string;
  /** Index of the word after it. */
  end: number;
}

type PhraseTable<T> = ReadonlyMap<string, readonly { words: readonly string[]; phrase: string; entry: T }[]>;

/** Longer phrases first; the words of one are not read again. */
function phrasesIn<T>(text: string, table: PhraseTable<T>): Found<T>[] {
  const words = text.split(' ');
  const found: Found<T>[] = [];
  for (let at = 0; at < words.length; ) {
    const here = table.get(words[at] ?? '') ?? [];
    const fitting = here.filter(({ words: wanted }) => wanted.every((word, index) => words[at + index] === word));
    const length = Math.max(1, ...fitting.map(({ words: wanted }) => wanted.length));
    for (const { words: wanted, phrase, entry } of fitting) {
      if (wanted.length === length) found.push({ entry, phrase, end: at + length });
    }
    at += length;
  }
  return found;
}

function tableOf<T>(rows: readonly (readonly [T, string])[]): PhraseTable<T> {
  const phrases = rows.flatMap(([entry, list]) =>
    list.split(', ').map((phrase) => ({ phrase, entry, words: phrase.split(' ') })),
  );
  return Map.groupBy(phrases, ({ words }) => words[0] ?? '');
}

/** In whole hundredths, so that sums do not depend on their order. */
function scaled(weights: Weights, share: number): Weights {
  return Object.fromEntries(Object.entries(weights).map(([type, weight]) => [type, Math.round(weight * share * SCALE)]));
}

const weightOf = (weights: Weights, type: VenueType): number => weights[type] ?? 0;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
/** 1, 2, 3, 4, 6, 8, 12, 16 …: a venue is not another one tomorrow because one event more is listed. */
function rounded(count: number): number {
  const power = 2 ** Math.floor(Math.log2(Math.max(1, count)));
  return count >= power * 1.5 ? power * 1.5 : count === 0 ? 0 : power;
}

const HOUSES = tableOf([...HOUSE_WORDS, ...NEAREST_WORDS]);
const WEAK = tableOf(WEAK_WORDS.map(({ words, ...entry }) => [entry, words] as const));
const SCALE = 100;
/** Below it nothing says enough. */
const MIN_KNOWN = 6;
/** Fifteen events are enough to know what plays there. */
const CERTAIN_LOG = 4;
const MIN_CONCERTS = 4;
const MIN_NIGHTS = 2;
const [OTHER_NAMES, AROUND, EARLIER] = [0.35, 0.6, 0.5];
/** Of the events of a house with games too, so many are concerts. */
const CONCERTS_SHARE = 0.6;
/** A house where people gather and listen. */
const NOTHING_KNOWN: VenueType = 'theater';
const TIES: readonly VenueType[] = [
  'club',
  'theater',
  'museum',
  'gallery',
  'bar',
  'restaurant',
  'arena',
  'stadium',
  'brewery',
  'park',
];
