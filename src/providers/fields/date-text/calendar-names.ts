/** Names of months and weekdays, and the order of numbers in a date, of one locale: CLDR's data, which `Intl` holds. */

import { folded } from './tokens.ts';

export interface CalendarNames {
  /** 1–12 by folded name. */
  months: ReadonlyMap<string, number>;
  /** 1 (Monday) to 7 by folded name. */
  weekdays: ReadonlyMap<string, number>;
  /** Order and signs of `3/16`, `16.3.` or `16/03/2024`; `unknown` where a sign is read in both orders in that country. */
  dayOrder(sign: string, isYearLast: boolean): DayOrder;
  /** The sign of a day and a month in numbers alone, which is the sign of a range elsewhere: `03-16`. */
  usesDashForDay: boolean;
}

export type DayOrder = 'day-first' | 'month-first' | 'unknown';

/** `locale` is one that `Intl` knows. */
export function calendarNames(locale: string): CalendarNames {
  const { language } = new Intl.Locale(locale);
  const short = partsOf(locale, { month: 'numeric', day: 'numeric' });
  const own = orderOf(short);
  const full = partsOf(locale, { year: 'numeric', month: 'numeric', day: 'numeric' });
  const isYearFirst = full.find(({ type }) => type !== 'literal')?.type === 'year';
  const signs = new Set(
    [short, full].flatMap((parts) => parts.filter(({ type }) => type === 'literal').map(({ value }) => value.trim())),
  );
  const common = BOTH_ORDERS.has(new Intl.Locale(locale).baseName) ? 'unknown' : orderOf(partsOf(language, NUMERIC_DAY));
  return {
    months: namesOf(locale, 'month', MONTH_STYLES, MONTHS, EXTRA_MONTHS[language] ?? {}),
    weekdays: namesOf(locale, 'weekday', WEEKDAY_STYLES, WEEKDAYS, EXTRA_WEEKDAYS[language] ?? {}),
    // A year at the end is foreign to a locale that begins with it.
    dayOrder: (sign, isYearLast) => (signs.has(sign) && !(isYearLast && isYearFirst) ? own : common),
    usesDashForDay: short.some(({ value }) => value === '-'),
  };
}

function partsOf(locale: string, style: Intl.DateTimeFormatOptions, date = SAMPLE): Intl.DateTimeFormatPart[] {
  return new Intl.DateTimeFormat(locale, { ...GREGORIAN, ...style }).formatToParts(date);
}

function orderOf(parts: readonly Intl.DateTimeFormatPart[]): DayOrder {
  return parts.find(({ type }) => type === 'day' || type === 'month')?.type === 'month' ? 'month-first' : 'day-first';
}

/**
 * Every form of a name: alone and inside a date, long and short, of the locale and of its language (`juill.` in Canada, `juil.` in
 * France). A form that two share is left out.
 */
function namesOf(
  locale: string,
  type: 'month' | 'weekday',
  styles: readonly Intl.DateTimeFormatOptions[],
  dates: readonly Date[],
  extra: Readonly<Record<string, number>>,
): Map<string, number> {
  const tags = [...new Set([locale, new Intl.Locale(locale).language])];
  const forms = tags.flatMap((tag) =>
    styles.flatMap((style) => dates.map((date, index) => ({ name: nameIn(partsOf(tag, style, date), type), number: index + 1 }))),
  );
  const numbers = Map.groupBy(
    forms.filter(({ name }) => /\p{L}/u.test(name)),
    ({ name }) => name,
  );
  const plain = [...numbers].flatMap(([name, [first, ...others]]): [string, number][] =>
    first && others.every(({ number }) => number === first.number) ? [[name, first.number]] : [],
  );
  return new Map([...Object.entries(extra), ...plain]);
}

function nameIn(parts: readonly Intl.DateTimeFormatPart[], type: 'month' | 'weekday'): string {
  return folded(parts.find((part) => part.type === type)?.value ?? '').replaceAll('.', '');
}

const GREGORIAN = { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' } as const;
const NUMERIC_DAY = { month: 'numeric', day: 'numeric' } as const;
const SAMPLE = new Date(Date.UTC(2024, 11, 25));
const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 15)));
/** January 1, 2024 was a Monday. */
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)));
const MONTH_STYLES: readonly Intl.DateTimeFormatOptions[] = (['long', 'short'] as const).flatMap((month) => [
  { month },
  { month, day: 'numeric' },
  { month, day: 'numeric', year: 'numeric' },
  { month, day: 'numeric', weekday: 'short' },
]);
const WEEKDAY_STYLES: readonly Intl.DateTimeFormatOptions[] = (['long', 'short'] as const).flatMap((weekday) => [
  { weekday },
  { weekday, day: 'numeric', month: 'long' },
]);
/** Two-digit days and months beside `/` mean either there. */
const BOTH_ORDERS = new Set(['en-CA']);
/** Usual short forms that CLDR does not have. */
const EXTRA_MONTHS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  en: { sept: 9 },
  fr: { jan: 1, fev: 2, juil: 7, juill: 7, sep: 9 },
  de: { jan: 1, janner: 1, feb: 2, maerz: 3, mar: 3, mrz: 3, apr: 4, jun: 6, jul: 7, aug: 8, sep: 9, okt: 10, nov: 11, dez: 12 },
  es: { sep: 9, sept: 9, set: 9, setiembre: 9 },
  it: { sett: 9 },
  nl: { maa: 3, sept: 9 },
  fi: { tammi: 1, helmi: 2, maalis: 3, huhti: 4, touko: 5, kesa: 6, heina: 7, elo: 8, syys: 9, loka: 10, marras: 11, joulu: 12 },
};
const EXTRA_WEEKDAYS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  en: { tues: 2, weds: 3, thur: 4, thurs: 4 },
  de: { sonnabend: 6 },
  nl: { di: 2, woe: 3, don: 4, vrij: 5, zat: 6, zon: 7 },
  pt: { segunda: 1, terca: 2, quarta: 3, quinta: 4, sexta: 5 },
  fi: { maanantaina: 1, tiistaina: 2, keskiviikkona: 3, torstaina: 4, perjantaina: 5, lauantaina: 6, sunnuntaina: 7 },
  sv: { mand: 1, tisd: 2, onsd: 3, torsd: 4, fred: 5, lord: 6, sond: 7 },
};
