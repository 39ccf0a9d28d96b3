/** The languages as components use them. The server has all of them; a browser loads those of its page. */

import {
  type Catalogue,
  createPageLanguage,
  FALLBACK_LANGUAGE,
  languageCodeOf,
  type PageLanguage,
} from '../model/page-language.ts';

const onServer = import.meta.env.SSR
  ? import.meta.glob<Catalogue>('../languages/*.json', { eager: true, import: 'default' })
  : {};
const inBrowser = import.meta.env.SSR ? {} : import.meta.glob<Catalogue>('../languages/*.json', { import: 'default' });

const languages = new Map<string, PageLanguage>();
for (const [file, catalogue] of Object.entries(onServer)) add(file, catalogue);

/** Before a browser renders a page in them. */
export async function loadLanguages(codes: readonly string[]): Promise<void> {
  const wanted = Object.entries(inBrowser).filter(([file]) => codes.includes(languageCodeOf(file)));
  await Promise.all(wanted.map(async ([file, load]) => add(file, await load())));
}

/** A language that is loaded. */
export function pageLanguage(code: string): PageLanguage {
  const language = languages.get(code) ?? languages.get(FALLBACK_LANGUAGE) ?? languages.values().next().value;
  if (!language) throw new Error('no language is loaded');
  return language;
}

function add(file: string, catalogue: Catalogue): void {
  const code = languageCodeOf(file);
  languages.set(code, createPageLanguage(code, catalogue));
}
