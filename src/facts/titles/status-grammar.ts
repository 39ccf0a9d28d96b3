/** Words that say whether an event takes place: `this event has been cancelled due to rain`, `fällt leider aus`, `reporté au 12/07`. */

import type { EventStatus } from '../../records/index.ts';
import { STATUS_FIELD_WORDS, STATUS_LANGUAGES, type StatusLanguage } from './status-words.ts';
import { isShouted, readDayIn, type TitleDay, type TitleRange, type TitleWord, type TitleWords, wordKey } from './title-words.ts';

export interface StatusMark {
  status: EventStatus;
  /** The day that a new or old date names. */
  movedTo: TitleDay | null;
  movedFrom: TitleDay | null;
  /** The first word of a reason or of a day, or the end of the mark. */
  detailAt: number;
  /** `this event is cancelled`: it says what is cancelled. */
  isSentence: boolean;
  /** `has been cancelled`: it reports what happened. */
  isNews: boolean;
}

/** Of several statuses the one that matters more to whoever wants to go. */
export function gravest(a: EventStatus | null, b: EventStatus | null): EventStatus | null {
  if (a === null || b === null) return a ?? b;
  return GRAVITY.indexOf(a) >= GRAVITY.indexOf(b) ? a : b;
}

/** Nearly all titles have no mark, and are not looked at further. Letters may be drawn in another style: `ＣＡＮＣＥＬＬＥＤ`. */
export const mayHoldMark = (title: string): boolean => ANY_MARK.test(STYLED.test(title) ? title.normalize('NFKC') : title);

/** Whether a word beside a mark turns it into something else: `almost sold out`, `new date added`. */
export const isDenial = (key: string): boolean => DENIALS.has(key);

/** `Attention`, `Leider`: small words that name nothing, in one language. */
export function isNotice({ words }: TitleWords, { from, to }: TitleRange): boolean {
  const keys = words.slice(from, to).map(({ key }) => key);
  return ALL.some(({ smallWords, subjects }) => keys.every((key) => smallWords.has(key) && !subjects.has(key)));
}

/** What a word means in a field for the status. */
export const fieldStatus = (joined: string): EventStatus | null => FIELD_WORDS.get(joined) ?? null;

/** Whether a phrase begins in the range. */
export function hasPhrase({ words }: TitleWords, { from, to }: TitleRange): boolean {
  for (let at = from; at < to; at++) {
    const phrases = PHRASES.get(words[at]?.key ?? '');
    if (phrases?.some(({ words: [, next] }) => next === undefined || next === GAP || next === words[at + 1]?.key)) return true;
  }
  return false;
}

/** The whole range as a mark, or null. `locale`: the city's, for the order of day and month in English. */
export function readMark(title: TitleWords, range: TitleRange, locale: string): StatusMark | null {
  for (let at = range.from; at < Math.min(range.to, range.from + MAX_BEFORE); at++) {
    const mark = markWithPhrase(title, range, { at, locale });
    if (mark) return mark;
  }
  return null;
}

function markWithPhrase(title: TitleWords, range: TitleRange, { at, locale }: { at: number; locale: string }): StatusMark | null {
  for (const phrase of PHRASES.get(title.words[at]?.key ?? '') ?? []) {
    for (const language of phrase.isInternational ? ALL : [phrase.language]) {
      const mark = readPhrase({ title, range, language, locale }, phrase, at);
      if (mark) return mark;
    }
  }
  return null;
}

interface MarkContext {
  title: TitleWords;
  range: TitleRange;
  language: Language;
  locale: string;
}

function readPhrase(context: MarkContext, phrase: Phrase, at: number): StatusMark | null {
  const { title, range, language } = context;
  const before = readAside(context, { from: range.from, to: at });
  if (!before) return null;
  const isCapitals = isShouted(title.text.slice(title.words[at]?.start, title.words[at]?.end));
  if (phrase.isInCapitals && !isCapitals) return null;
  for (const end of phraseEnds(context, phrase, at)) {
    const after = readAfter(context, end);
    if (!after) continue;
    const gap = readAside(context, { from: at + 1, to: end });
    const days = [before, gap, after].filter((aside) => aside !== null);
    const movedTo = days.find((aside) => aside.movedTo)?.movedTo ?? null;
    if (phrase.isWithDay && movedTo === null) continue;
    const words = title.words.slice(range.from, at);
    return {
      status: gravest(phrase.status, after.status) ?? phrase.status,
      movedTo,
      movedFrom: days.find((aside) => aside.movedFrom)?.movedFrom ?? null,
      detailAt: after.detailAt,
      isSentence:
        words.some(({ key }) => language.subjects.has(key)) && (words.length > 1 || phrase.words.length > 1 || end - at > 1),
      isNews: title.words.slice(range.from, at + 1).some(({ key }) => language.newsWords.has(key)),
    };
  }
  return null;
}

/** Where the phrase ends, the longest first: `fällt … aus` may be longer than its words. */
function phraseEnds(context: MarkContext, { words }: Phrase, at: number): number[] {
  let ends = [at + 1];
  for (const [index, word] of words.entries()) {
    if (index === 0 || word === GAP) continue;
    ends = ends.flatMap((end) => (words[index - 1] === GAP ? looseEnds(context, word, end) : nextEnd(context, word, end)));
  }
  return ends.reverse();
}

function nextEnd({ title, range }: MarkContext, word: string, at: number): number[] {
  const isNext = at < range.to && title.words[at]?.key === word && /^\s*['’-]?\s*$/.test(title.gaps[at] ?? '');
  return isNext ? [at + 1] : [];
}

/** With an aside before the word. */
function looseEnds(context: MarkContext, word: string, from: number): number[] {
  const found: number[] = [];
  for (let at = from; at < Math.min(context.range.to, from + MAX_DETAIL); at++) {
    if (context.title.words[at]?.key === word && readAside(context, { from, to: at })) found.push(at + 1);
  }
  return found;
}

interface Aside {
  status: EventStatus | null;
  movedTo: TitleDay | null;
  movedFrom: TitleDay | null;
  detailAt: number;
}

/** Small words, then perhaps a reason or a day that goes on to the end of the range; null for anything else. */
function readAside(context: MarkContext, { from, to }: TitleRange): Aside | null {
  let at = from;
  while (at < to && isSmall(context, at)) {
    const detail = readDetail(context, { from: at, to });
    if (detail) return detail;
    at++;
  }
  if (at === to) return { status: null, movedTo: null, movedFrom: null, detailAt: to };
  return readDetail(context, { from: at, to });
}

/** Behind the phrase: further marks, small words, a reason or a day. */
function readAfter(context: MarkContext, from: number): Aside | null {
  const { title, range } = context;
  let status: EventStatus | null = null;
  for (let at = from; at < range.to; ) {
    const next = nextMark(context, at);
    if (next) {
      status = gravest(status, next.status);
      at = next.end;
      continue;
    }
    const detail = readDetail(context, { from: at, to: range.to });
    if (detail) return { ...detail, status };
    const key = title.words[at]?.key ?? '';
    // `Cancelled Show: X` says what is cancelled; `The Cancelled Show` is a name.
    const isSubject = context.language.subjects.has(key);
    if (!isSmall(context, at) || (isSubject && context.language.articles.has(title.words[range.from]?.key ?? ''))) return null;
    at++;
  }
  return { status, movedTo: null, movedFrom: null, detailAt: range.to };
}

function nextMark(context: MarkContext, at: number): { status: EventStatus; end: number } | null {
  for (const phrase of PHRASES.get(context.title.words[at]?.key ?? '') ?? []) {
    if (phrase.isWithDay || phrase.isInCapitals) continue;
    const end = phraseEnds(context, phrase, at)[0];
    if (end !== undefined && (phrase.isInternational || phrase.language === context.language))
      return { status: phrase.status, end };
  }
  return null;
}

const isSmall = ({ title, language }: MarkContext, at: number): boolean => language.smallWords.has(title.words[at]?.key ?? '');

/** A reason, a new or an old day, all of the range. */
function readDetail({ title, language, locale }: MarkContext, { from, to }: TitleRange): Aside | null {
  const words = title.words.slice(from, to);
  if (words.length === 0 || words.length > MAX_DETAIL) return null;
  const text = title.text.slice(words[0]?.start, words.at(-1)?.end);
  const aside = { status: null, movedTo: null, movedFrom: null, detailAt: from };
  const day = readDayIn(text, { language: language.code, locale });
  if (beginsWith(words, language.fromDay) && (day || words.length === 1)) return { ...aside, movedFrom: day };
  if (beginsWith(words, language.toDay) && isLater(words, language)) return { ...aside, movedTo: day };
  if (beginsWith(words, language.reasons) && words.length > 1) return aside;
  if (day && /^\D{0,12}\d[^\p{L}]*(?:\p{L}{1,12}[^\p{L}]*){0,2}$/u.test(text)) return { ...aside, movedTo: day };
  return language.reasonEnds.has(words.at(-1)?.key ?? '') && words.length > 1 ? aside : null;
}

const isLater = (words: readonly TitleWord[], { laterWords }: Language): boolean =>
  words.slice(1).some(({ key }) => /\d/.test(key) || laterWords.has(key));

const beginsWith = (words: readonly TitleWord[], phrases: readonly (readonly string[])[]): boolean =>
  phrases.some((phrase) => phrase.every((key, index) => words[index]?.key === key));

/** By how much they matter, least first. */
const GRAVITY: readonly EventStatus[] = ['scheduled', 'sold_out', 'rescheduled', 'postponed', 'cancelled'];

interface Language {
  code: string;
  subjects: ReadonlySet<string>;
  /** With the subjects. */
  smallWords: ReadonlySet<string>;
  articles: ReadonlySet<string>;
  newsWords: ReadonlySet<string>;
  laterWords: ReadonlySet<string>;
  reasonEnds: ReadonlySet<string>;
  reasons: readonly (readonly string[])[];
  toDay: readonly (readonly string[])[];
  fromDay: readonly (readonly string[])[];
}

interface Phrase {
  words: readonly string[];
  status: EventStatus;
  language: Language;
  /** English stands in titles of all languages. */
  isInternational: boolean;
  isWithDay: boolean;
  isInCapitals: boolean;
}

const GAP = '…';
const phrasesOf = (text: string): string[][] =>
  text.split(', ').map((phrase) => phrase.split(' ').map((word) => (word === GAP ? GAP : wordKey(word))));
const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(wordKey));

function compile(code: string, table: StatusLanguage): Language {
  return {
    code,
    subjects: setOf(table.subjects),
    smallWords: setOf(`${table.subjects} ${table.smallWords}`),
    articles: ARTICLES,
    newsWords: setOf(table.newsWords),
    laterWords: setOf(table.laterWords),
    reasonEnds: setOf(table.reasonEnds ?? ''),
    reasons: phrasesOf(table.reasons),
    toDay: phrasesOf(table.toDay),
    fromDay: phrasesOf(table.fromDay),
  };
}

function phrasesIn(code: string, table: StatusLanguage, language: Language): Phrase[] {
  const isInternational = code === 'en';
  const common = { language, isInternational, isWithDay: false, isInCapitals: false };
  const marks = Object.entries(table.marks).flatMap(([status, text]) =>
    phrasesOf(text).map((words) => ({ ...common, words, status: status as EventStatus })),
  );
  const moved = phrasesOf(table.movedWithDay).map((words) => ({
    ...common,
    words,
    status: 'rescheduled' as const,
    isWithDay: true,
  }));
  const inCapitals = phrasesOf(table.soldOutInCapitals ?? '').map((words) => ({
    ...common,
    words,
    status: 'sold_out' as const,
    isInCapitals: true,
  }));
  return [...marks, ...moved, ...inCapitals].filter(({ words }) => words[0] !== '');
}

const ARTICLES = setOf('the a an die der das ein eine le la les un une el los las una il lo gli o os um uma de het een');
const COMPILED = Object.entries(STATUS_LANGUAGES).map(([code, table]) => ({ code, table, language: compile(code, table) }));
const ALL = COMPILED.map(({ language }) => language);
/** By their first word, the longest first. */
const PHRASES: ReadonlyMap<string, readonly Phrase[]> = Map.groupBy(
  COMPILED.flatMap(({ code, table, language }) => phrasesIn(code, table, language)).sort(
    (a, b) => b.words.length - a.words.length,
  ),
  ({ words }) => words[0] ?? '',
);
const DENIALS: ReadonlySet<string> = new Set(COMPILED.flatMap(({ table }) => [...setOf(table.denials)]));
const FIELD_WORDS: ReadonlyMap<string, EventStatus> = new Map([
  ...COMPILED.flatMap(({ table }) =>
    Object.entries(table.marks).flatMap(([status, text]) =>
      phrasesOf(text).map((words) => [words.filter((word) => word !== GAP).join(''), status] as const),
    ),
  ),
  ...Object.entries(STATUS_FIELD_WORDS).flatMap(([status, text]) => text.split(' ').map((word) => [word, status] as const)),
] as [string, EventStatus][]);

/** The longest word of each phrase, with its accents and without. */
const ANY_MARK = new RegExp(
  [
    ...new Set(
      Object.values(STATUS_LANGUAGES)
        .flatMap(({ marks, movedWithDay, soldOutInCapitals = '' }) => [...Object.values(marks), movedWithDay, soldOutInCapitals])
        .flatMap((text) => text.split(', '))
        .map((phrase) => phrase.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest)))
        .filter((word) => word !== '')
        .flatMap((word) => [word, wordKey(word)]),
    ),
  ].join('|'),
  'iu',
);

/** Wide letters, and those of mathematics. */
const STYLED = /[\u{ff00}-\u{ffef}\u{1d400}-\u{1d7ff}]/u;

/** Words of a mark before its phrase, and of a reason or a day. */
const MAX_BEFORE = 10;
const MAX_DETAIL = 12;
