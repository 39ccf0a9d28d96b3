/** The category of an event by what else takes place at its venue, where nothing says anything of the event itself. */

import { CATEGORIES, type Category } from '../../records/index.ts';
import type { NormalEvent } from '../model.ts';
import { type Categorized, NOTHING } from './category.ts';

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
