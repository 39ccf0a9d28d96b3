/** The languages of the pages as server code uses them: found from their files, so that a language is one file. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseLanguage } from '../model/choose-language.ts';
import {
  type Catalogue,
  createPageLanguage,
  FALLBACK_LANGUAGE,
  languageCodeOf,
  type PageLanguage,
} from '../model/page-language.ts';

/** As the switch of every page lists them. */
export const LANGUAGE_CODES: readonly string[] = readdirSync(join(import.meta.dirname, '../languages'))
  .filter((file) => file.endsWith('.json'))
  .map(languageCodeOf)
  .sort();

const languages = new Map(LANGUAGE_CODES.map((code) => [code, createPageLanguage(code, readCatalogue(code))]));

/** Of a code that the pages do not have: English. */
export function languageOf(code: string): PageLanguage {
  const language = languages.get(code) ?? languages.get(FALLBACK_LANGUAGE);
  if (!language) throw new Error(`no file of the language ${FALLBACK_LANGUAGE}`);
  return language;
}

/** In which a request wants its page. Loaders say `readLanguage(request).text('events.count', { count })`. */
export const readLanguage = (request: Request): PageLanguage => languageOf(readLanguageCode(request));

export const readLanguageCode = ({ url, headers }: Pick<Request, 'url' | 'headers'>): string =>
  chooseLanguage(
    {
      search: url.split('?', 2)[1] ?? '',
      cookie: headers.get('cookie') ?? '',
      acceptLanguage: headers.get('accept-language') ?? '',
    },
    LANGUAGE_CODES,
  );

function readCatalogue(code: string): Catalogue {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../languages', `${code}.json`), 'utf8')) as Catalogue;
}
