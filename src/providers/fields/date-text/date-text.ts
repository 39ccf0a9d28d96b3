/** Dates as people write them, in the language of a locale: `sam. 16 mars 2024 17:00 - 19:30 EDT`, `vom 3. bis 7. Juli, 20 Uhr`. */

import { readIso } from '../dates.ts';
import { calendarNames } from './calendar-names.ts';
import { type DateItem, type DateLanguage, DateTextError, type ReadItems, type TimeItem } from './item.ts';
import { type DatedSpan, occurrencesOf } from './moments.ts';
import { readTime } from './read-clock.ts';
import { readDate } from './read-day.ts';
import { spansOf } from './spans.ts';
import { numberAt, phraseAt, signAt, type TextToken, tokensOf, wordAt } from './tokens.ts';
import { type Lexicon, lexiconOf, type WordKind } from './words.ts';
import { isUtc, zoneOfWord } from './zones.ts';

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

/**
 * Hours of doors and of the show: `doors at 7, show at 8pm`, `20.30 Uhr (Einlass 19.30 Uhr)`. The show counts, doors alone are the start.
 * Gives the items without these words, and without the hour of doors beside one of the show.
 */
function withoutDoors(items: readonly DateItem[]): DateItem[] {
  if (!items.some(isMark)) return [...items];
  const doors = doorsOf(items);
  const isShown = items.some((item, index) => item.kind === 'time' && !doors.has(index));
  const dropped = new Set<number>();
  for (const index of isShown ? doors : []) {
    dropped.add(index);
    // The sign between both hours goes with the doors.
    const isSign = (at: number) => ['to', 'to-or-at', 'and'].includes(items[at]?.kind ?? '');
    for (let at = index + 1; at < items.length && (isSign(at) || isMark(items[at] as DateItem)); at++) dropped.add(at);
    for (let at = index - 1; at >= 0 && (isSign(at) || isMark(items[at] as DateItem)); at--) dropped.add(at);
  }
  return items
    .map((item, index) => (item.kind === 'time' && !dropped.has(index) ? withHalf(item, doors.has(index), items, doors) : item))
    .filter((item, index) => !dropped.has(index) && !isMark(item));
}

const isMark = ({ kind }: DateItem): boolean => kind === 'doors' || kind === 'show';

/** Words of doors and show stand before their hours or after them: the first of the text says which, unless the doors would open late. */
function doorsOf(items: readonly DateItem[]): ReadonlySet<number> {
  const isBefore = items.find((item) => isMark(item) || item.kind === 'time')?.kind !== 'time';
  const times = items.flatMap((item, index) => (item.kind === 'time' ? [index] : []));
  const markOf = (index: number, step: 1 | -1): 'doors' | 'show' | null => {
    for (let at = index + step; at >= 0 && at < items.length; at += step) {
      const kind = items[at]?.kind;
      if (kind === 'time') return null;
      if (kind === 'doors' || kind === 'show') return kind;
    }
    return null;
  };
  const doorsBy = (step: 1 | -1) => new Set(times.filter((index) => markOf(index, step) === 'doors'));
  const [usual, other] = isBefore ? [doorsBy(-1), doorsBy(1)] : [doorsBy(1), doorsBy(-1)];
  return !openFirst(items, usual) && openFirst(items, other) ? other : usual;
}

/** Whether there are hours of doors and of the show, and the doors open first. */
function openFirst(items: readonly DateItem[], doors: ReadonlySet<number>): boolean {
  const hours = items.flatMap((item, index) => (item.kind === 'time' ? [{ item, isDoors: doors.has(index) }] : []));
  const [opened, shown] = [hours.filter(({ isDoors }) => isDoors), hours.filter(({ isDoors }) => !isDoors)];
  const isBefore = (one: TimeItem, two: TimeItem) => {
    const modulo = isHalfless(one) || isHalfless(two) ? HALF_DAY : Number.POSITIVE_INFINITY;
    return one.minutes % modulo < two.minutes % modulo;
  };
  return opened.length > 0 && shown.length > 0 && opened.every((one) => shown.every((two) => isBefore(one.item, two.item)));
}

/** An hour of which the text does not say whether it is in the morning. */
const isHalfless = ({ half, minutes }: TimeItem): boolean => half === null && minutes > 0 && minutes < HALF_DAY + 60;

/**
 * Doors and show are of one evening: an hour without a half of the day follows the other one. Throws a `DateTextError` where both could be
 * in the morning.
 */
function withHalf(time: TimeItem, isDoors: boolean, items: readonly DateItem[], doors: ReadonlySet<number>): TimeItem {
  const others = items.filter((item, index): item is TimeItem => item.kind === 'time' && doors.has(index) !== isDoors);
  // `Doors 11 pm, show at midnight`: the day is that of the evening.
  const isNextDay = !isDoors && time.minutes < MORNING && others.some(({ minutes }) => minutes >= EVENING);
  if (!isHalfless(time)) return isNextDay ? { ...time, minutes: time.minutes + 2 * HALF_DAY } : time;
  const other = others.find((item) => item.half !== null);
  if (!other) {
    const hour = Math.trunc(time.minutes / 60);
    if (time.isBare) throw new DateTextError(`"${hour}" may be in the morning or in the evening`, { isFinal: true });
    return time;
  }
  const hour = time.minutes % HALF_DAY;
  const choices = [hour, hour + HALF_DAY, hour + 2 * HALF_DAY];
  const minutes = isDoors ? choices.findLast((each) => each < other.minutes) : choices.find((each) => each > other.minutes);
  return { ...time, minutes: minutes ?? time.minutes };
}

/**
 * The dates, times and words between them that a text consists of, in its order. Words before the first date or time are passed over, as
 * `Performances:`; later ones must be understood.
 */
function itemsOf(tokens: readonly TextToken[], language: DateLanguage): DateItem[] {
  const items: DateItem[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = readItem(tokens, at, items, language);
    if (read) {
      at += read.length;
      items.push(...read.items);
      continue;
    }
    const token = tokens[at];
    if (token?.kind === 'number') throw new DateTextError(`${token.value} is neither a day nor a time`);
    if (token?.kind === 'word' && items.some(isMoment) && !token.isAside) {
      throw new DateTextError(`${JSON.stringify(token.text)} is not understood`);
    }
    at++;
  }
  return items;
}

function readItem(
  tokens: readonly TextToken[],
  at: number,
  before: readonly DateItem[],
  language: DateLanguage,
): ReadItems | null {
  return (
    readMore(tokens, at, language.lexicon) ??
    readTime(tokens, at, before, language) ??
    readDate(tokens, at, before, language) ??
    readZone(tokens, at, before) ??
    readOffset(tokens, at, before) ??
    readWeekday(tokens, at, language) ??
    readWord(tokens, at, language)
  );
}

function readZone(tokens: readonly TextToken[], at: number, before: readonly DateItem[]): ReadItems | null {
  const word = wordAt(tokens, at);
  const zone = zoneOfWord(word);
  if (zone === null || !before.some(({ kind }) => kind === 'time')) return null;
  const [sign, hours] = [signAt(tokens, at + 1), numberAt(tokens, at + 2)];
  if (!isUtc(word) || !/^[+-]$/.test(sign) || !hours) return { length: 1, items: [{ kind: 'zone', zone }] };
  const minutes = signAt(tokens, at + 3) === ':' ? numberAt(tokens, at + 4) : undefined;
  const [hour, minute] =
    hours.digits === 4 ? [Math.trunc(hours.value / 100), hours.value % 100] : [hours.value, minutes?.value ?? 0];
  if (hour > MAX_OFFSET_HOURS || minute >= MINUTES) throw new DateTextError(`UTC${sign}${hours.value} is no time zone`);
  const offset = `${sign}${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  return { length: minutes ? 5 : 3, items: [{ kind: 'zone', zone: offset }] };
}

/** `20:00:00 -0400`, as RFC 822 writes it. Without a zero in front it may as well be the end of a range. */
function readOffset(tokens: readonly TextToken[], at: number, before: readonly DateItem[]): ReadItems | null {
  const [sign, hours] = [signAt(tokens, at), numberAt(tokens, at + 1)];
  if (before.at(-1)?.kind !== 'time' || hours?.digits !== 4 || !hours.isAttached || tokens[at]?.isAttached) return null;
  const [hour, minute] = [Math.trunc(hours.value / 100), hours.value % 100];
  if (!(sign === '+' && hour <= MAX_OFFSET_HOURS) && !(sign === '-' && hour < 10)) return null;
  if (minute % 15 !== 0 || minute >= MINUTES) return null;
  const digits = String(hours.value).padStart(4, '0');
  return { length: 2, items: [{ kind: 'zone', zone: `${sign}${digits.slice(0, 2)}:${digits.slice(2)}` }] };
}

function readWeekday(tokens: readonly TextToken[], at: number, { names }: DateLanguage): ReadItems | null {
  const weekday = names.weekdays.get(wordAt(tokens, at));
  if (weekday === undefined) return null;
  return { length: signAt(tokens, at + 1) === '.' ? 2 : 1, items: [{ kind: 'weekday', weekday }] };
}

function readWord(tokens: readonly TextToken[], at: number, { lexicon }: DateLanguage): ReadItems | null {
  const sign = signAt(tokens, at);
  if (sign === '-' || sign === '/') return { length: 1, items: [{ kind: sign === '-' ? 'to' : 'and' }] };
  const phrase = phraseAt(tokens, at, lexicon.words, () => true);
  if (!phrase) return null;
  const { kind, words } = phrase;
  if (kind === 'refused')
    throw new DateTextError(`"${words.join(' ')}" speaks of more than one date or of none`, { isFinal: true });
  const days = RELATIVE_DAYS[kind];
  if (days !== undefined) return { length: words.length, items: [{ kind: 'relative', days }] };
  const isItem = kind === 'to' || kind === 'to-or-at' || kind === 'and' || kind === 'doors' || kind === 'show' || kind === 'late';
  return { length: words.length, items: isItem ? [{ kind }] : [] };
}

/** `and 3 more`, `et 2 autres dates`. */
function readMore(tokens: readonly TextToken[], at: number, lexicon: Lexicon): ReadItems | null {
  const and = phraseAt(tokens, at, lexicon.words, (kind) => kind === 'and');
  const count = at + (and?.words.length ?? 0);
  const more = numberAt(tokens, count) && phraseAt(tokens, count + 1, lexicon.words, (kind) => kind === 'more');
  return more ? { length: count + 1 + more.words.length - at, items: [] } : null;
}

const isMoment = ({ kind }: DateItem): boolean => kind === 'date' || kind === 'weekday' || kind === 'relative' || kind === 'time';

const languages = new Map<string, DateLanguage>();
const MAX_LANGUAGES = 100;
const MAX_CHARS = 300;
/** Minutes. */
const HALF_DAY = 720;
const MORNING = 360;
const EVENING = 1080;
const RELATIVE_DAYS: Partial<Record<WordKind, number>> = { yesterday: -1, today: 0, tomorrow: 1, 'after-tomorrow': 2 };
const MINUTES = 60;
const MAX_OFFSET_HOURS = 14;
