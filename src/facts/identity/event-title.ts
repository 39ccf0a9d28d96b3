/** The title of an event, taken apart: the words that name it, by weight, and the marks that tell it from its neighbours. */

import { createMemory } from '../../values/memory.ts';
import { foldText, nameWords } from './names.ts';
import { AREA_WORDS, AREAS } from './place-words.ts';
import {
  GENERIC_WORDS,
  GENRE_WORDS,
  GROUPS,
  NUMBER_WORDS,
  NUMBERED_PART,
  OCCASION_WORDS,
  ORDINAL_PART,
  PART_SIGNS,
  PRESENTS,
  SESSION_WORDS,
  SPANS_DAYS,
  SUPPORT,
  TICKET_KIND,
  VERSUS,
} from './title-words.ts';

export interface EventTitle {
  text: string;
  /** Each word once, with the weight it has here: less in brackets, for who comes along or presents, and for words of many titles. */
  words: ReadonlyMap<string, number>;
  /** Words that only name who presents. */
  presenter: ReadonlySet<string>;
  /** The words of the first part, before any sign or `with`; generic ones left out. */
  head: ReadonlySet<string>;
  /** After the first part there is nothing but brackets and people who come along. */
  isHeadAlone: boolean;
  /** Numbers that are neither the date of the event nor the age at the door. */
  numbers: ReadonlySet<string>;
  /** What tells sessions apart, by kind: `part` → `2`, `the level` → `beginner`. */
  marks: ReadonlyMap<string, ReadonlySet<string>>;
  /** A pass for several days. */
  spansDays: boolean;
}

/**
 * `day` is the local day of the event, `YYYY-MM-DD`: a title that repeats it says nothing by it. Never throws; linear in the length.
 * Remembered for a while: the performances of a series have one title, in which a day is written with digits.
 */
export function readTitle(title: string, day: string): EventTitle {
  const key = DIGIT.test(title) ? `${day}\0${title}` : title;
  return titles(key, () => takeApart(title, day));
}

function takeApart(title: string, day: string): EventTitle {
  const lower = withPresenter(title.slice(0, MAX_CHARS).toLowerCase()).replace(AGE_AT_DOOR, ' ').replace(ELSEWHEN, ' ');
  const plain = withoutDay(foldText(lower.replace(/w\//g, ' with ').replace(VERSUS, ' at ')), day);
  const brackets: string[] = [];
  const open = plain.replace(BRACKETS, (_whole, inside: string) => {
    brackets.push(inside);
    return ' ';
  });
  const parts = partsOf(open);
  const words = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const word of nameWords(text)) {
      const told = weight * (GENERIC_WORDS.has(word) ? GENERIC_WEIGHT : 1);
      words.set(word, Math.max(told, words.get(word) ?? 0));
    }
  };
  const asides = brackets.filter((inside) => !isArea(inside) && !TICKET_KIND.test(inside));
  for (const { text, weight } of parts) add(text, weight);
  for (const inside of asides) add(inside, BRACKET_WEIGHT);
  const kept = [...parts.map((part) => part.text), ...asides].join(' ');
  if (words.size === 0) add(plain, 1);
  if (words.size === 0) for (const sign of plain.trim().split(/\s+/)) if (sign !== '') words.set(sign, 1);
  return {
    text: title,
    words,
    presenter: presenterOf(parts),
    head: new Set(nameWords(parts[0]?.weight === 1 ? parts[0].text : '').filter((word) => !GENERIC_WORDS.has(word))),
    isHeadAlone: parts.slice(1).every((part) => part.weight < 1),
    numbers: new Set(kept.match(/\b\d+\b/g) ?? []),
    marks: marksOf(kept.replace(NOT_ADMITTED, ' ')),
    spansDays: SPANS_DAYS.test(plain),
  };
}

/** `Jamie Marrow's Amaze` is presented by somebody; `New Year's Eve`, `Old Mill Women's Choir` and `Ida Lark's Birthday Party` are not. */
function withPresenter(title: string): string {
  const [, name = '', presented = ''] = POSSESSIVE.exec(title) ?? [];
  if (nameWords(name).some(isCommon) || nameWords(presented).every(isCommon)) return title;
  return `${name} presents ${presented}`;
}

const isCommon = (word: string): boolean =>
  GROUPS.has(word) ||
  GENERIC_WORDS.has(word) ||
  OCCASION_WORDS.has(word) ||
  GENRE_WORDS.has(word) ||
  AREA_WORDS.has(word) ||
  /^\d/.test(word);

function presenterOf(parts: readonly TitlePart[]): ReadonlySet<string> {
  const presenters = parts.filter(({ isPresenter }) => isPresenter);
  if (presenters.length === 0) return NOBODY;
  const others = new Set(parts.filter(({ isPresenter }) => !isPresenter).flatMap(({ text }) => nameWords(text)));
  return new Set(presenters.flatMap(({ text }) => nameWords(text))).difference(others);
}

interface TitlePart {
  text: string;
  weight: number;
  isPresenter?: true;
}

/** The parts outside brackets with their weights; cities and kinds of tickets left out. */
function partsOf(text: string): TitlePart[] {
  const presented = text.split(PRESENTS);
  const [presenter, rest] =
    presented.length > 1 && presented[1]?.trim() ? [presented[0] ?? '', presented.slice(1).join(' ')] : ['', text];
  const parts = rest.split(PART_SIGNS).flatMap((part) => {
    const [main = '', ...along] = ` ${part} `.split(SUPPORT);
    return [{ text: main, weight: 1 }, ...along.map((name) => ({ text: name, weight: isGeneric(main) ? 1 : SUPPORT_WEIGHT }))];
  });
  const told = parts.filter(
    (part, index) => part.text.trim() !== '' && !(index > 0 && isArea(part.text)) && !TICKET_KIND.test(part.text),
  );
  const kept = told.length > 0 ? told : [{ text: rest.replace(TICKET_KIND, ' '), weight: 1 }];
  return presenter.trim() === '' ? kept : [...kept, { text: presenter, weight: PRESENTER_WEIGHT, isPresenter: true }];
}

function marksOf(text: string): Map<string, Set<string>> {
  const marks = new Map<string, Set<string>>();
  const mark = (kind: string, value: string) => marks.set(kind, (marks.get(kind) ?? new Set()).add(value));
  for (const [, kind = '', value = '', sign, number = ''] of text.matchAll(NUMBERED_PART)) {
    const written = value === '' ? kind : value;
    mark('the part', NUMBER_WORDS[value] ?? (sign ? number : written));
  }
  for (const [, value = ''] of text.matchAll(ORDINAL_PART)) mark('the part', NUMBER_WORDS[value] ?? value);
  for (const [, from = '', to = ''] of text.matchAll(AGE_RANGE)) mark('the audience', `${from}–${to}`);
  const words = text.split(/[^\p{L}\p{N}]+/u);
  for (const session of SESSION_WORDS)
    for (const word of words.filter((each) => Object.hasOwn(session.words, each)))
      mark(session.mark, session.words[word] ?? word);
  return marks;
}

/** Drops `6/19`, `06.19.26`, `june 19th` and the year where they are the event's own. */
function withoutDay(text: string, day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return text
    .replace(NUMERIC_DATE, (whole, first: string, second: string) =>
      Number(first) === Number(month) && Number(second) === Number(date) ? ' ' : whole,
    )
    .replace(WRITTEN_DATE, (whole, name: string, number: string) =>
      MONTHS.indexOf(name.slice(0, 3)) === Number(month) - 1 && Number(number) === Number(date) ? ' ' : whole,
    )
    .replace(new RegExp(`\\b${/^\d{4}$/.test(year) ? year : '0000'}\\b`, 'g'), ' ');
}

/** `An Evening with` names nobody. */
const isGeneric = (text: string): boolean => nameWords(text).every((word) => GENERIC_WORDS.has(word));

const isArea = (text: string): boolean => AREAS.has(nameWords(text).join(' '));

const titles = createMemory<EventTitle>(5000);
const DIGIT = /\p{N}/u;
/** Longer titles are cut, as names are. */
const MAX_CHARS = 200;
/** Shares of the weight of a word of the title proper. */
const GENERIC_WEIGHT = 0.25;
const BRACKET_WEIGHT = 0.25;
const SUPPORT_WEIGHT = 0.5;
const PRESENTER_WEIGHT = 0.5;
const NOBODY: ReadonlySet<string> = new Set();
/** A name of two or three words that owns what follows. */
const POSSESSIVE = /^\s*((?:[\p{L}.-]+\s+){1,2}[\p{L}.-]+)['’]s\s+(\S.*)$/u;
const BRACKETS = /[([]([^()[\]]*)[)\]]/g;
/** `21+`, `18 and over`, `ages 16+`, `all ages`. */
const AGE_AT_DOOR = /\b(?:ages?:?\s*)?(?:1[3-9]|2[15])\s*(?:\+|plus\b|(?:and|&)\s+(?:over|up|older)\b|or older\b)|\ball ages\b/g;
/** Says who stays outside, not for whom it is. */
const NOT_ADMITTED = /\b(?:no|without) (?:children|kids|babies|toddlers)\b/g;
const AGE_RANGE = /\bages?:?\s*(\d{1,2})\s*(?:to|-|–)\s*(\d{1,2})\b/g;
/** `(Rescheduled from 6/10/2026)`. */
const ELSEWHEN = /[([][^()[\]]*\b(?:rescheduled|postponed|moved|previously)\b[^()[\]]*[)\]]/g;
const NUMERIC_DATE = /\b(\d{1,2})[/.](\d{1,2})(?:[/.](?:20)?\d{2})?\b/g;
const WRITTEN_DATE = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b/g;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
