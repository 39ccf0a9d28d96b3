/** A title as words with signs between them, and its segments: the words between two strong signs. */

import { createMemory } from '../../values/memory.ts';

export interface TitleWord {
  text: string;
  /** Without accents, in lower case. */
  key: string;
  start: number;
  end: number;
}

export interface TitleWords {
  text: string;
  words: readonly TitleWord[];
  /** What stands before each word, and behind the last one. */
  gaps: readonly string[];
}

/** Words `from` to `to` (exclusive). */
export interface TitleRange {
  from: number;
  to: number;
}

export function titleWords(text: string): TitleWords {
  const words: TitleWord[] = [];
  let end = 0;
  for (const word of text.match(WORD) ?? []) {
    const start = text.indexOf(word, end);
    end = start + word.length;
    words.push({ text: word, key: wordKey(word), start, end });
  }
  const gaps = words.map(({ start }, index) => text.slice(words[index - 1]?.end ?? 0, start));
  return { text, words, gaps: [...gaps, text.slice(words.at(-1)?.end ?? 0)] };
}

/** Letters that Unicode does not take apart are written plainly, as people do who lack them: `odwolany`, `peruttu`. */
export function wordKey(word: string): string {
  if (/^[\x20-\x7e]*$/.test(word)) return word.toLowerCase();
  return word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[łøæœßðþıđ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

export function segmentsOf({ words, gaps, text }: TitleWords): TitleRange[] {
  const segments: TitleRange[] = [];
  let from = 0;
  for (let index = 1; index <= words.length; index++) {
    if (index < words.length && !isStrong(gaps[index] ?? '', text, words[index]?.start ?? 0)) continue;
    segments.push({ from, to: index });
    from = index;
  }
  return segments;
}

/** All letters are capitals. */
export const isShouted = (text: string): boolean => /\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text);

/** Whether a sign sets apart what is on both sides. A sign within a word or a number does not: `AC/DC`, `8:30`, `Sold-Out`. */
function isStrong(gap: string, text: string, end: number): boolean {
  if (/^[-'’./&@·+*!,=#_]$/.test(gap)) return false;
  if (/^[:–]$/.test(gap)) return !(/\d/.test(text[end - 2] ?? '') && /\d/.test(text[end] ?? ''));
  return STRONG.test(gap);
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  đ: 'd',
};
/** Brackets, bars, runs of signs, dashes with a blank, emoji. */
const STRONG =
  /[:;|~•·∙⋅◦●▪■★☆*=<>«»‹›[\](){}【】「」『』…_\\^¦‖!¡/]|\.{2}|\+{2}|\s[-‒−]|[-‒−]\s|-{2}|[–—―]|\p{Extended_Pictographic}/u;

export interface TitleDay {
  month: number;
  day: number;
}

/** The first day in the text. Numbers with a slash follow the city's locale in English, and begin with the day in other languages. */
export function readDayIn(text: string, { language, locale }: { language: string; locale: string }): TitleDay | null {
  if (!/\d/.test(text)) return null;
  const [, year, isoMonth, isoDay] = ISO.exec(text) ?? [];
  if (year !== undefined) return dayOf(isoMonth, isoDay);
  const [, first, sign, second] = NUMBERS.exec(text) ?? [];
  if (first !== undefined) {
    return sign === '/' && language === 'en' && isMonthFirst(locale) ? dayOf(first, second) : dayOf(second, first);
  }
  return namedDay(text, language);
}

function namedDay(text: string, language: string): TitleDay | null {
  const words = text.match(/[\p{L}\p{M}]+|\d+/gu) ?? [];
  const months = monthNames(language, () => monthsOf(language));
  for (const [index, word] of words.entries()) {
    const month = months.get(wordKey(word));
    if (month === undefined) continue;
    // `12th of July`, `12 de julio`, `July 12`.
    const before = words.slice(Math.max(0, index - 3), index).findLast((each) => /^\d{1,2}$/.test(each));
    const after = /^\d{1,2}$/.test(words[index + 1] ?? '') ? words[index + 1] : undefined;
    const day = dayOf(month, before ?? after);
    if (day) return day;
  }
  return null;
}

function dayOf(month: string | number | undefined, day: string | undefined): TitleDay | null {
  const found = { month: Number(month), day: Number(day) };
  return found.month >= 1 && found.month <= 12 && found.day >= 1 && found.day <= 31 ? found : null;
}

function isMonthFirst(locale: string): boolean {
  try {
    return saysMonthFirst(locale);
  } catch {
    return false;
  }
}

/** Names as they stand alone and in a date, long and short. */
function monthsOf(language: string): ReadonlyMap<string, number> {
  const styles = [{ month: 'long' }, { month: 'long', day: 'numeric' }, { month: 'short', day: 'numeric' }] as const;
  return new Map(
    styles.flatMap((style) => {
      const format = new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' });
      return MONTHS.flatMap((date, index) => {
        const name = format.formatToParts(date).find(({ type }) => type === 'month')?.value ?? '';
        return /\p{L}/u.test(name) ? [[wordKey(name).replace('.', ''), index + 1] as const] : [];
      });
    }),
  );
}

const monthNames = createMemory<ReadonlyMap<string, number>>(50);
const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 15)));
const ISO = /(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/;
/** Not an hour: `20.00 Uhr`, `8.30pm`. */
const NUMBERS = /(?<!\d)(\d{1,2})([./-])\s?(\d{1,2})(?!\d|:|\s?(?:uhr|h\b|am\b|pm\b|p\.m|a\.m))/i;

/** `6/19 Planting Friday` or `Tango Night 06/19`, when that is its day as the locale writes it; anything else is returned as it is. */
export function cutOwnDay(title: string, localStart: string, locale: string): string {
  return PATTERNS.reduce((left, pattern) => {
    const match = pattern.exec(left);
    if (!match) return left;
    const rest = left.slice(0, match.index) + left.slice(match.index + match[0].length);
    const said = [Number(match[1]), Number(match[2])];
    const [month, day] = [Number(localStart.slice(5, 7)), Number(localStart.slice(8, 10))];
    const isOwn = saysMonthFirst(locale) ? said[0] === month && said[1] === day : said[0] === day && said[1] === month;
    const isOwnYear = match[3] === undefined || localStart.slice(0, 4).endsWith(match[3]);
    return isOwn && isOwnYear && (rest.match(/\p{L}/gu)?.length ?? 0) >= MIN_LETTERS ? rest : left;
  }, title);
}

/** Whether the locale writes the month before the day in figures. */
function saysMonthFirst(locale: string): boolean {
  const parts = new Intl.DateTimeFormat(locale, { month: 'numeric', day: 'numeric' }).formatToParts(0);
  return parts.find(({ type }) => type === 'month' || type === 'day')?.type === 'month';
}

const DAY = '(\\d{1,2})\\/(\\d{1,2})(?:\\/(\\d{4}|\\d{2}))?';
const PATTERNS: readonly RegExp[] = [
  new RegExp(`^\\(?${DAY}\\)?\\s*[-–—:|]?\\s+`, 'u'),
  new RegExp(`\\s*[-–—:|,]?\\s+[([]?${DAY}[)\\]]?$`, 'u'),
];
const MIN_LETTERS = 4;
