/** Which of our categories an event is of, how sure that is, and from what it was concluded. */

import { CATEGORIES, type Category } from '../../catalog/index.ts';
import type { EventListing } from '../../providers/index.ts';
import { FITNESS_WORDS, INDOOR_WORDS, TAXONOMY, TITLE_WORDS, VENUE_WORDS, type WordLine } from './category-words.ts';
import { folded, oneLine } from './text.ts';

export interface Categorized {
  category: Category;
  categoryConfidence: number;
  categoryReason: string;
}

/**
 * The provider's mapped category is believed. Else the surest word decides: of the provider's taxonomy, the title, the venue's name, the
 * tags, the beginning of the description. What agrees makes it surer. Without any word it is `community`, hardly sure.
 */
export function categorize(listing: EventListing, title: string, venueName: string): Categorized {
  const own = CATEGORIES.find((category) => category === listing.category);
  if (own) {
    return { category: own, categoryConfidence: PROVIDER_CONFIDENCE, categoryReason: `the provider's own category is ${own}` };
  }
  const clues = [
    ...listing.categoryWords.slice(0, MOST_WORDS).flatMap((said, index) => taxonomyClue(said, index)),
    ...clue(LINES.title, title, 'title', 1),
    ...fitnessClue(title, venueName),
    ...clue(LINES.venue, venueName, "venue's name", 1),
    ...listing.tags.slice(0, MOST_WORDS).flatMap((tag) => clue(LINES.taxonomy, tag, 'tags', TAG_WEIGHT)),
    ...clue(LINES.title, oneLine(listing.description?.slice(0, MOST_DESCRIPTION_CHARS) ?? ''), 'description', DESCRIPTION_WEIGHT),
  ];
  const [best] = [...clues].sort((a, b) => b.confidence - a.confidence);
  if (!best) return NOTHING;
  const agreeing = new Set(clues.filter(({ category }) => category === best.category).map(({ source }) => source)).size - 1;
  const confidence = Math.min(best.confidence + agreeing * AGREEMENT, MOST_CONFIDENCE);
  return {
    category: best.category,
    categoryConfidence: Math.round(confidence * 100) / 100,
    categoryReason: `the ${best.source} ${best.source === 'tags' ? 'say' : 'says'} ${JSON.stringify(best.word)}`,
  };
}

interface Clue {
  category: Category;
  confidence: number;
  source: string;
  word: string;
}
interface Line {
  category: Category;
  confidence: number;
  words: readonly string[];
}

/** A word of the provider's taxonomy as a whole is surer than one inside it; later ones are less specific. */
function taxonomyClue(said: string, index: number): Clue[] {
  const word = folded(splitCamelCase(said));
  const exact = LINES.taxonomy.find(({ words }) => words.includes(word));
  const [within] = exact ? [{ ...exact, word }] : clue(LINES.taxonomy, said, '', INSIDE_WEIGHT);
  if (!within) return [];
  const confidence = within.confidence - index * LATER;
  return [{ category: within.category, confidence, source: "provider's own sorting", word: said.slice(0, MOST_PRINTED) }];
}

/** The surest line one of whose words stands in a text, as a whole word. */
function clue(lines: readonly Line[], text: string, source: string, weight: number): Clue[] {
  const padded = ` ${folded(splitCamelCase(text))} `;
  let best: Clue | null = null;
  for (const { category, confidence, words } of lines) {
    if (best && confidence * weight <= best.confidence) continue;
    const word = words.find((each) => padded.includes(` ${each} `));
    if (word !== undefined) best = { category, confidence: confidence * weight, source, word };
  }
  return best ? [best] : [];
}

function fitnessClue(title: string, venueName: string): Clue[] {
  const [said] = clue(LINES.fitness, title, 'title', 1);
  if (!said) return [];
  const isIndoors = clue(LINES.indoors, venueName.replace(/\(in [^)]*\bpark\)/i, ''), '', 1).length > 0;
  return [{ ...said, category: isIndoors ? 'community' : 'outdoor' }];
}

const splitCamelCase = (text: string): string => text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');

const compiled = (lines: readonly WordLine[]): Line[] =>
  lines.map(([category, confidence, words]) => ({ category, confidence, words: words.split(', ') }));

const LINES = {
  taxonomy: compiled(TAXONOMY),
  title: compiled(TITLE_WORDS),
  venue: compiled(VENUE_WORDS),
  fitness: compiled([['outdoor', 0.87, FITNESS_WORDS]]),
  indoors: compiled([['community', 1, INDOOR_WORDS]]),
};

const NOTHING: Categorized = { category: 'community', categoryConfidence: 0.2, categoryReason: 'nothing says what kind it is' };
/** A table of an operator or a provider may be wrong too. */
const PROVIDER_CONFIDENCE = 0.95;
const MOST_CONFIDENCE = 0.95;
const AGREEMENT = 0.03;
/** For each step towards the general. */
const LATER = 0.01;
const INSIDE_WEIGHT = 0.95;
const TAG_WEIGHT = 0.8;
const DESCRIPTION_WEIGHT = 0.5;
const MOST_WORDS = 20;
const MOST_DESCRIPTION_CHARS = 600;
const MOST_PRINTED = 40;
