/** A language of the pages: its messages and its formats. */

import { createFormats, type Formats } from './formats.ts';
import { type Catalogue, createText, type Text } from './text.ts';

export interface PageLanguage {
  /** The name of its file, and the value of `lang`: `de`. */
  code: string;
  /** In itself: `Deutsch`. */
  name: string;
  text: Text;
  formats: Formats;
}

export function createPageLanguage(code: string, catalogue: Catalogue): PageLanguage {
  return {
    code,
    name: catalogue['language.name'],
    text: createText(catalogue),
    formats: createFormats(catalogue['language.locale']),
  };
}

/** `de` of `./de.json` */
export const languageCodeOf = (file: string): string => file.replace(/^.*\//, '').replace(/\.json$/, '');

/** Pages that are not translated are in it, and pages of readers whose languages the pages do not have. */
export const FALLBACK_LANGUAGE = 'en';
