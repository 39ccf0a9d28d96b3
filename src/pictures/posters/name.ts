/** The name of a poster says all that is needed to draw it: `concert-1f0c9a3e`, or `concert-1f0c9a3e-77aa01c2` for pages. */

import { CATEGORIES, type Category } from '../../records/index.ts';
import { hash } from '../../values/random.ts';

export const posterName = (category: Category, text: string): string => `${category}-${digits(text)}`;

/** `run`: of `runKey`, so that all nights of a show have one poster. */
export const widePosterName = (category: Category, venueId: string, run: string): string =>
  `${posterName(category, venueId)}-${digits(run)}`;

const digits = (text: string): string => hash(text).toString(16).padStart(8, '0');

/** Null for anything that the functions above would not have made. `run`: null where the poster has letters. */
export function readPosterName(name: string): { category: Category; seed: string; run: string | null } | null {
  const [, word, seed, run = null] = POSTER_NAME.exec(name) ?? [];
  const category = CATEGORIES.find((each) => each === word);
  return category && seed ? { category, seed, run } : null;
}

const POSTER_NAME = /^([a-z]{3,12})-([0-9a-f]{8})(?:-([0-9a-f]{8}))?$/;
