/** Dates as people write them, in the language of a locale: `sam. 16 mars 2024 17:00 - 19:30 EDT`, `vom 3. bis 7. Juli, 20 Uhr`. */

import { readIso } from '../dates.ts';
import { calendarNames } from './calendar-names.ts';
import { withoutDoors } from './doors.ts';
import { type DateItem, type DateLanguage, DateTextError } from './item.ts';
import { itemsOf } from './items.ts';
import { type DatedSpan, occurrencesOf } from './moments.ts';
import { spansOf } from './spans.ts';
import { tokensOf } from './tokens.ts';
import { lexiconOf } from './words.ts';

export type { DatedSpan } from './moments.ts';

/** At least one occurrence, or a reason. `today` is `YYYY-MM-DD`, the day on which the text was read, for dates without a year. */
export type ReadDateText = (
  text: string,
  today: string | null,
) => { ok: true; occurrences: DatedSpan[] } | { ok: false; reason: string };

/** Null for a text that is no locale. */
export function canonicalLocale(text: unknown): string | null {
  try {
    const [locale] = typeof text === 'string' && text !== '' ? Intl.getCanonicalLocales(text) : [];
    return locale !== undefined && Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0 ? locale : null;
  } catch {
    return null;
  }
}

/**
 * `locales` are canonical, the first that reads a text decides. English is tried last where the text names a month or a day, because
 * sites of any language print some dates in it. Time and memory are linear in a text of at most `MAX_CHARS`.
 */
export function createDateTextReader(locales: readonly string[]): ReadDateText {
  let attempts: readonly ReadAttempt[] | null = null;
  return (text, today) => {
    if (text.length > MAX_CHARS) return { ok: false, reason: `wanted at most ${MAX_CHARS} characters, got ${text.length}` };
    const iso = readIso(text);
    if (iso !== null) return { ok: true, occurrences: [{ start: iso, end: null }] };
    const day = today === null ? null : Temporal.PlainDate.from(today);
    // The names of a language take long to collect, and most sources write no dates in words.
    attempts ??= attemptsIn(locales);
    let reason: string | null = null;
    for (const read of attempts) {
      const found = read(text, day);
      if (found.ok) return found;
      reason ??= found.reason;
      if (found.isFinal) break;
    }
    return { ok: false, reason: reason ?? 'it has no date' };
  };
}

function attemptsIn(locales: readonly string[]): ReadAttempt[] {
  const isEnglish = locales.some((locale) => new Intl.Locale(locale).language === 'en');
  const own = locales.map(
    (locale): ReadAttempt =>
      (text, today) =>
        attempt(text, today, languageOf(locale)),
  );
  return isEnglish ? own : [...own, (text, today) => attempt(text, today, languageOf('en'), { isNamed: true })];
}

type ReadAttempt = (text: string, today: Temporal.PlainDate | null) => Attempt;

type Attempt = { ok: true; occurrences: DatedSpan[] } | { ok: false; reason: string; isFinal: boolean };

function attempt(text: string, today: Temporal.PlainDate | null, language: DateLanguage, { isNamed = false } = {}): Attempt {
  const { names, lexicon } = language;
  try {
    const tokens = tokensOf(text, (word) => names.weekdays.has(word) || names.months.has(word) || lexicon.words.has(word));
    if (isNamed && !tokens.some((token) => token.kind === 'word' && isNameIn(language, token.text))) {
      throw new DateTextError('it names no month');
    }
    const items = itemsOf(tokens, language);
    const spans = spansOf(withoutDoors(items.filter(({ kind }) => kind !== 'zone')));
    return { ok: true, occurrences: occurrencesOf(spans, today, zoneOf(items)) };
  } catch (error) {
    if (error instanceof DateTextError) return { ok: false, reason: error.message, isFinal: error.isFinal };
    throw error;
  }
}

/** A month, a weekday or a word such as `tomorrow`. */
function isNameIn({ names, lexicon }: DateLanguage, word: string): boolean {
  const isDay = lexicon.words.get(word)?.some(({ kind }) => kind === 'today' || kind === 'tomorrow');
  return names.months.has(word) || names.weekdays.has(word) || isDay === true;
}

function zoneOf(items: readonly DateItem[]): string | null {
  const zones = new Set(items.flatMap((item) => (item.kind === 'zone' ? [item.zone] : [])));
  if (zones.size > 1) throw new DateTextError('it has several time zones', { isFinal: true });
  return [...zones][0] ?? null;
}

function languageOf(locale: string): DateLanguage {
  const held = languages.get(locale);
  if (held) return held;
  const { language } = new Intl.Locale(locale);
  const made = { names: calendarNames(locale), lexicon: lexiconOf(language), hasHalves: language === 'en' };
  if (languages.size >= MAX_LANGUAGES) languages.clear();
  languages.set(locale, made);
  return made;
}

const languages = new Map<string, DateLanguage>();
const MAX_LANGUAGES = 100;
const MAX_CHARS = 300;
