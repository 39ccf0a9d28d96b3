/** Which of our categories an event is of, how sure that is, and from what it was concluded. */

import type { EventListing } from '../../providers/index.ts';
import { CATEGORIES, type Category, type StartPrecision } from '../../records/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { NormalEvent } from '../model.ts';
import { folded, oneLine } from '../text.ts';
import {
  FITNESS_WORDS,
  INDOOR_WORDS,
  PROVIDER_WORDS,
  TAXONOMY,
  TITLE_WORDS,
  VENUE_WORDS,
  type WordLine,
} from './category-words.ts';

export interface Categorized {
  category: Category;
  categoryConfidence: number;
  categoryReason: string;
}

interface CategorizedContext {
  title: string;
  venueName: string;
  providers: readonly string[];
  times: { localStart: string; precision: StartPrecision; startsAt: number; endsAt: number | null };
}

/**
 * The provider's mapped category is believed. Else the surest word decides: of the provider's taxonomy, the title, the tags. Then the
 * beginning of the description, and only then the venue's name. What agrees makes it surer. Without any word it is `community`, hardly
 * sure.
 */
export function categorize(listing: EventListing, { title, venueName, providers, times }: CategorizedContext): Categorized {
  const own = CATEGORIES.find((category) => category === listing.category);
  if (own) {
    return { category: own, categoryConfidence: PROVIDER_CONFIDENCE, categoryReason: `the provider's own category is ${own}` };
  }
  const clues = [
    ...listing.categoryWords.slice(0, MAX_WORDS).flatMap((said, index) => taxonomyClue(said, index)),
    ...providers.slice(0, MAX_WORDS).flatMap((name) => cluesIn(LINES.provider, folded(name), 'it is listed by', 1)),
    ...cluesIn(LINES.title, wordsOf(title), TITLE_SOURCE, 1),
    ...fitnessClue(title, venueName),
    ...listing.tags.slice(0, MAX_WORDS).flatMap((tag) => cluesIn(LINES.taxonomy, folded(tag), 'a tag says', TAG_WEIGHT)),
  ];
  if (clues.length === 0 && listing.description) {
    const told = wordsOf(oneLine(listing.description.slice(0, MAX_DESCRIPTION_CHARS)));
    clues.push(...cluesIn(LINES.title, told, 'the description says', DESCRIPTION_WEIGHT));
  }
  clues.push(...nightClue(times));
  const place = cluesIn(LINES.venue, folded(venueName), "the venue's name says", 1);
  const best = bestOf(clues, place) ?? surest(place.map((clue) => ({ ...clue, confidence: clue.confidence * PLACE_WEIGHT })))[0];
  if (!best) return NOTHING;
  return {
    category: best.category,
    categoryConfidence: Math.round(best.confidence * 100) / 100,
    categoryReason: `${best.source} ${JSON.stringify(best.word)}`,
  };
}

/**
 * The place decides only beside words of a title that may be part of a name, as in `A Walk on the Moon` at a theater. A clue that it agrees
 * with is surer.
 */
function bestOf(clues: readonly Clue[], place: readonly Clue[]): Clue | undefined {
  const isVague = clues.every(({ source, confidence }) => source === TITLE_SOURCE && confidence < MIN_TITLE_CONFIDENCE);
  const beside = place.map((clue) => ({ ...clue, confidence: clue.confidence + PLACE_BESIDE_VAGUE }));
  const all = isVague && clues.length > 0 ? [...clues, ...beside] : clues;
  const candidates = CATEGORIES.flatMap((category) => {
    const [best] = surest(all.filter((clue) => clue.category === category));
    if (best === undefined) return [];
    const agrees = best.confidence < MIN_TITLE_CONFIDENCE && place.some((clue) => clue.category === category);
    return [agrees && !isVague ? { ...best, confidence: best.confidence + PLACE_AGREEMENT } : best];
  });
  return candidates.sort((a, b) => b.confidence - a.confidence)[0];
}

/** Of clues for one category the surest, and a little surer for each other source that agrees. */
function surest(clues: readonly Clue[]): Clue[] {
  const [best] = [...clues].sort((a, b) => b.confidence - a.confidence);
  if (!best) return [];
  const agreeing = new Set(clues.map(({ source }) => source)).size - 1;
  return [{ ...best, confidence: Math.min(best.confidence + agreeing * AGREEMENT, MAX_CONFIDENCE) }];
}

interface Clue {
  category: Category;
  confidence: number;
  source: string;
  word: string;
}
/** A phrase of a table, to be found by its first word. */
interface Phrase {
  category: Category;
  confidence: number;
  phrase: string;
  words: readonly string[];
}
type Phrases = ReadonlyMap<string, readonly Phrase[]>;

/** A word of the provider's taxonomy as a whole is surer than one inside it; later ones are less specific. */
function taxonomyClue(said: string, index: number): Clue[] {
  const word = folded(splitCamelCase(said));
  const found = cluesIn(LINES.taxonomy, word, '', 1);
  const exact = found.filter((clue) => clue.word === word);
  const [weight, clues] = exact.length > 0 ? [1, exact] : [INSIDE_WEIGHT, found];
  return clues.map(({ category, confidence }) => {
    const source = 'the provider sorts it under';
    return { category, confidence: confidence * weight - index * LATER, source, word: said.slice(0, MAX_PRINTED) };
  });
}

/** Every phrase that stands in a folded text. */
function cluesIn(phrases: Phrases, text: string, source: string, weight: number): Clue[] {
  const words = text.split(' ');
  return words.flatMap((word, at) =>
    (phrases.get(word) ?? []).flatMap(({ category, confidence, phrase, words: wanted }) =>
      wanted.every((each, index) => words[at + index] === each)
        ? [{ category, confidence: confidence * weight, source, word: phrase }]
        : [],
    ),
  );
}

/** Moving together is outdoors in a park, and a class elsewhere. */
function fitnessClue(title: string, venueName: string): Clue[] {
  const place = folded(venueName.replace(/\(in [^)]*\)/i, ''));
  const isIndoors = cluesIn(LINES.indoors, place, '', 1).length > 0;
  return cluesIn(LINES.fitness, folded(title), 'the title says', 1).map((clue) => ({
    ...clue,
    category: isIndoors ? 'community' : 'outdoor',
  }));
}

/** Whoever begins late and goes on for hours dances. */
function nightClue({ localStart, precision, startsAt, endsAt }: CategorizedContext['times']): Clue[] {
  if (precision !== 'time' || endsAt === null || endsAt - startsAt < MIN_NIGHT_MS || endsAt - startsAt > DAY_MS) return [];
  const clock = localStart.slice('YYYY-MM-DDT'.length);
  if (clock < NIGHT_FROM && clock >= NIGHT_UNTIL) return [];
  const hours = (endsAt - startsAt) / HOUR_MS;
  const word = `${clock}, for ${Math.round(hours)} hours`;
  return [{ category: 'nightlife', confidence: NIGHT_CONFIDENCE, source: 'it is listed at', word }];
}

/** `l’exposition` and `d’humour` are two words. */
const wordsOf = (text: string): string => folded(text.replace(/(?<!\p{L})(d|l|qu)['’](?=\p{L})/giu, '$1 '));

const splitCamelCase = (text: string): string => text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');

function compiled(lines: readonly WordLine[]): Phrases {
  const phrases = new Map<string, Phrase[]>();
  for (const [category, confidence, list] of lines) {
    for (const phrase of list.split(', ')) {
      const words = phrase.split(' ');
      const [first = ''] = words;
      phrases.set(first, [...(phrases.get(first) ?? []), { category, confidence, phrase, words }]);
    }
  }
  return phrases;
}

const LINES = {
  taxonomy: compiled(TAXONOMY),
  provider: compiled(PROVIDER_WORDS),
  title: compiled(TITLE_WORDS),
  venue: compiled(VENUE_WORDS),
  fitness: compiled([['outdoor', 0.78, FITNESS_WORDS]]),
  indoors: compiled([['community', 1, INDOOR_WORDS]]),
};

const NOTHING: Categorized = {
  category: 'community',
  categoryConfidence: 0.2,
  categoryReason: 'nothing says what kind it is',
};
/** A table of an operator or a provider may be wrong too. */
const PROVIDER_CONFIDENCE = 0.95;
const MAX_CONFIDENCE = 0.95;
const AGREEMENT = 0.03;
/** For each step towards the general. */
const LATER = 0.01;
const INSIDE_WEIGHT = 0.95;
const TAG_WEIGHT = 0.8;
const DESCRIPTION_WEIGHT = 0.5;
/** Less sure than any word about the event itself, of this provider or of another. */
const PLACE_WEIGHT = 0.55;
/** Words of titles below it are parts of names, too. */
const MIN_TITLE_CONFIDENCE = 0.75;
const PLACE_AGREEMENT = 0.065;
const PLACE_BESIDE_VAGUE = 0.03;
/** Surer than the provider's `music`, less sure than a title that names the kind of concert. */
const NIGHT_CONFIDENCE = 0.82;
const NIGHT_FROM = '21:00';
const NIGHT_UNTIL = '03:00';
const HOUR_MS = 3_600_000;
const MIN_NIGHT_MS = 4 * HOUR_MS;
const TITLE_SOURCE = 'the title says';
const MAX_WORDS = 20;
const MAX_DESCRIPTION_CHARS = 600;
const MAX_PRINTED = 40;

export function isUncategorized({ categoryReason }: Pick<NormalEvent, 'categoryReason'>): boolean {
  return categoryReason === NOTHING.categoryReason;
}

/** `others`: the categories of the events there that say what they are. Null where no category is usual. */
export function usualCategory(others: readonly Category[]): Categorized | null {
  const most = CATEGORIES.map((category) => ({ category, count: others.filter((each) => each === category).length })).sort(
    (a, b) => b.count - a.count,
  )[0];
  if (!most || most.count < MIN_EVENTS || most.count < others.length * USUAL_SHARE) return null;
  const { category, count } = most;
  return {
    category,
    categoryConfidence: CONFIDENCE,
    categoryReason: `${count < others.length ? 'most other' : 'the other'} events at its venue are ${category}`,
  };
}

const MIN_EVENTS = 2;
const USUAL_SHARE = 0.6;
/** A little more than nothing, and less than any word. */
const CONFIDENCE = 0.25;
