/** Days in a text: `2024-03-16`, `16.3.`, `16 de marzo de 2024`, `March 16`. */

import type { DayOrder } from './calendar-names.ts';
import { type DateItem, type DateLanguage, DateTextError, hasMonth, type ReadItems } from './item.ts';
import { numberAt, signAt, skip, type TextToken, wordAt } from './tokens.ts';

export function readDate(
  tokens: readonly TextToken[],
  at: number,
  before: readonly DateItem[],
  language: DateLanguage,
): ReadItems | null {
  return readNumbers(tokens, at, before, language) ?? readNamed(tokens, at, language) ?? readDay(tokens, at);
}

/** `2024-03-16`, `16/03/2024`, `16.3.`, `3/16`. */
function readNumbers(
  tokens: readonly TextToken[],
  at: number,
  before: readonly DateItem[],
  language: DateLanguage,
): ReadItems | null {
  const [first, sign, second] = [numberAt(tokens, at), signAt(tokens, at + 1), numberAt(tokens, at + 2)];
  if (!first || !second || !/^[/.-]$/.test(sign) || second.digits > 2) return null;
  const third = signAt(tokens, at + 3) === sign ? numberAt(tokens, at + 4) : undefined;
  if (first.digits === 4) return third ? date(third.value, second.value, first.value, 5) : null;
  if (first.digits > 2) return null;
  if (third?.digits === 4 || (third?.digits === 2 && third.isAttached)) {
    const year = third.digits === 4 ? third.value : CENTURY + third.value;
    return { ...ordered(first.value, second.value, year, language.names.dayOrder(sign, true)), length: 5 };
  }
  return readPair(tokens, at, before, language);
}

/** A day and a month without a year. Two numbers and a dash are days or hours from one to the other in most locales. */
function readPair(
  tokens: readonly TextToken[],
  at: number,
  before: readonly DateItem[],
  { names }: DateLanguage,
): ReadItems | null {
  const [first, sign, second] = [numberAt(tokens, at), signAt(tokens, at + 1), numberAt(tokens, at + 2)];
  if (!first || !second) return null;
  if (!second.isAttached || first.value > MAX_DAY || second.value > MAX_DAY) return null;
  if (sign === '-' && (!names.usesDashForDay || first.digits + second.digits < 4 || hasMonth(before))) return null;
  // `16/17 mars` are two days.
  if ([3, 4].some((step) => names.months.has(wordAt(tokens, at + step)))) return null;
  const length = sign === '.' && signAt(tokens, at + 3) === '.' ? 4 : 3;
  return { ...ordered(first.value, second.value, null, names.dayOrder(sign, false)), length };
}

/** The order of the locale decides; where it is unknown, only a number that can be no month does. */
function ordered(first: number, second: number, year: number | null, order: DayOrder): ReadItems {
  if (order === 'unknown' && first <= MONTHS && second <= MONTHS && first !== second) {
    throw new DateTextError(`${first}/${second} may be either day`, { isFinal: true });
  }
  const isMonthFirst = order === 'month-first' || (order === 'unknown' && second > MONTHS);
  const [month, day] = isMonthFirst ? [first, second] : [second, first];
  return date(day, month, year, 0);
}

/** `16 mars 2024`, `16. März`, `16 de marzo de 2024`, `March 16, 2024`, `2024. március 16.` */
export function readNamed(tokens: readonly TextToken[], at: number, { names }: DateLanguage): ReadItems | null {
  const month = (index: number) => names.months.get(wordAt(tokens, index));
  const first = numberAt(tokens, at);
  if (first && first.digits <= 2) {
    const named = skip(tokens, afterOrdinal(tokens, at + 1), BETWEEN_DAY_AND_MONTH);
    const found = month(named);
    if (found === undefined) return null;
    const year = yearAt(tokens, skip(tokens, named + 1, BEFORE_YEAR));
    return date(first.value, found, year?.value ?? null, (year?.next ?? named + 1) - at);
  }
  const year = yearAt(tokens, at);
  const named = year ? skip(tokens, year.next, BEFORE_YEAR) : at;
  const found = month(named);
  const dayAt = skip(tokens, named + 1, BETWEEN_MONTH_AND_DAY);
  const day = numberAt(tokens, dayAt);
  if (found === undefined || !day || day.digits > 2) return null;
  const end = afterOrdinal(tokens, dayAt + 1);
  // Of `mar 5 mar` the first is a weekday.
  if (names.weekdays.has(wordAt(tokens, named)) && month(skip(tokens, end, BETWEEN_DAY_AND_MONTH)) !== undefined) return null;
  const later = year ? null : yearAt(tokens, skip(tokens, end, BEFORE_YEAR));
  return date(day.value, found, year?.value ?? later?.value ?? null, (later?.next ?? end) - at);
}

/** A day whose month another one names: `3` of `du 3 au 7 juillet`, `7, 2026` of `July 3 – 7, 2026`. */
function readDay(tokens: readonly TextToken[], at: number): ReadItems | null {
  const first = numberAt(tokens, at);
  if (!first || first.digits > 2 || first.value < 1 || first.value > MAX_DAY) return null;
  const end = afterOrdinal(tokens, at + 1);
  const year = signAt(tokens, end) === ',' ? yearAt(tokens, end + 1) : null;
  return date(first.value, null, year?.value ?? null, (year?.next ?? end) - at);
}

function date(day: number, month: number | null, year: number | null, length: number): ReadItems {
  return { length, items: [{ kind: 'date', day, month, year }] };
}

/** `1er`, `3rd`, `16.`, `1º`. */
function afterOrdinal(tokens: readonly TextToken[], at: number): number {
  const token = tokens[at];
  if (token?.isAttached && token.kind === 'word' && ORDINALS.has(token.text)) return at + 1;
  return signAt(tokens, at) === '.' ? at + 1 : at;
}

function yearAt(tokens: readonly TextToken[], at: number): { value: number; next: number } | null {
  const token = numberAt(tokens, at);
  if (token?.digits !== 4 || token.value < FIRST_YEAR || token.value > LAST_YEAR) return null;
  return { value: token.value, next: at + 1 };
}

const ORDINALS = new Set(['st', 'nd', 'rd', 'th', 'er', 're', 'e', 'eme', 'ere', 'o', 'a', 'ste', 'de']);
const BETWEEN_DAY_AND_MONTH = new Set(['.', 'of', 'de', 'del', 'di', 'do', ',']);
const BETWEEN_MONTH_AND_DAY = new Set(['.', 'the']);
const BEFORE_YEAR = new Set(['.', ',', 'de', 'del', 'di', 'do', 'of']);
const [MAX_DAY, MONTHS] = [31, 12];
const [FIRST_YEAR, LAST_YEAR, CENTURY] = [1900, 2199, 2000];
