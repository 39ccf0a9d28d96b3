/** The name of a poster says all that is needed to draw it: `concert-1f0c9a3e`. */

import { CATEGORIES, type Category } from '../../catalog/index.ts';
import { hash } from '../random.ts';

export const posterName = (category: Category, text: string): string => `${category}-${hash(text).toString(16).padStart(8, '0')}`;

/** Null for anything that `posterName` would not have made. */
export function readPosterName(name: string): { category: Category; seed: string } | null {
  const [, word, seed] = POSTER_NAME.exec(name) ?? [];
  const category = CATEGORIES.find((each) => each === word);
  return category && seed ? { category, seed } : null;
}

const POSTER_NAME = /^([a-z]{3,12})-([0-9a-f]{8})$/;
