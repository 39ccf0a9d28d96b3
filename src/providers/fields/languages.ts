/** Texts that a provider gives in several languages: `{ "fr": "…", "en": "…" }`. */

import { isObject } from './json-fields.ts';

export type LanguageReader = (value: unknown) => string | null;

/**
 * Reads all texts of a record in one language: that in which most of them are written, of equals the one that the title names first. A
 * text that is missing in it is taken in the language that comes next by the same rule. A text without languages is itself.
 */
export function createTextReader(record: unknown, titleField: string, fields: readonly string[]): LanguageReader {
  const texts = [titleField, ...fields].map((field) => (isObject(record) ? record[field] : null)).filter(isObject);
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const language of spoken(text)) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  // The sort is stable, and the title was counted first.
  const order = [...counts].sort(([, a], [, b]) => b - a).map(([language]) => language);
  return (value) => {
    if (typeof value === 'string') return value.trim() === '' ? null : value;
    if (!isObject(value)) return null;
    const language = [...order, ...spoken(value)].find((each) => saidIn(value, each) !== null);
    return language === undefined ? null : saidIn(value, language);
  };
}

/** Lists per language, such as keywords: in the first language that has any. */
export function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value)
    ? (Object.values(value)
        .filter(Array.isArray)
        .find((list) => list.length > 0) ?? [])
    : [];
}

function spoken(text: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(text).filter((language) => saidIn(text, language) !== null);
}

function saidIn(text: Readonly<Record<string, unknown>>, language: string): string | null {
  const said = Object.hasOwn(text, language) ? text[language] : null;
  return typeof said === 'string' && said.trim() !== '' ? said : null;
}
