/** A language of the pages: its words, and its numbers, dates and money. */

import { IntlMessageFormat } from 'intl-messageformat';
import type en from '../languages/en.json';

export interface PageLanguage {
  /** The name of its file, and the value of `lang`: `de`. */
  code: string;
  /** In itself: `Deutsch`. */
  name: string;
  text: Text;
  formats: Formats;
}

export function createPageLanguage(code: string, catalogue: Catalogue): PageLanguage {
  return {
    code,
    name: catalogue['language.name'],
    text: createText(catalogue),
    formats: createFormats(catalogue['language.locale']),
  };
}

/** `de` of `./de.json` */
export const languageCodeOf = (file: string): string => file.replace(/^.*\//, '').replace(/\.json$/, '');

/** Pages that are not translated are in it, and pages of readers whose languages the pages do not have. */
export const FALLBACK_LANGUAGE = 'en';

export type MessageKey = keyof typeof en;
/** One file of `languages/`. */
export type Catalogue = Readonly<Record<MessageKey, string>>;
/** A message in one language. Throws if a value of the message is missing. */
export type Text = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;

function createText(catalogue: Catalogue): Text {
  const locale = catalogue['language.locale'];
  const parsed = new Map<MessageKey, IntlMessageFormat>();
  return (key, values) => {
    const message = parsed.get(key) ?? new IntlMessageFormat(catalogue[key], locale, undefined, { ignoreTag: true });
    parsed.set(key, message);
    return String(message.format(values)).replaceAll(NARROW_SPACE, NO_BREAK_SPACE);
  };
}

export interface Formats {
  /** `1,234`, or `0.25` with fraction digits. */
  number(value: number, maximumFractionDigits?: number): string;
  /** `12%` */
  percent(share: number): string;
  /** `$25`, or `$12.50`. `currency` is ISO 4217. */
  money(amount: number, currency: string): string;
  /** `a, b and c` */
  list(items: readonly string[]): string;
  /** A date of a calendar: `2026-11-21`, or a local time as the API writes it. The offset is not used. */
  date(local: string, options: Intl.DateTimeFormatOptions): string;
  /** `Sat, Nov 21` */
  day(local: string): string;
  /** `Saturday, November 21, 2026` */
  longDay(local: string): string;
  /** `8 PM`, `8:30 PM`; `20:00` where a day has 24 hours. */
  hour(local: string): string;
  /** An instant: `Nov 21, 2026, 8:30 PM` in a time zone, without its name. */
  moment(instant: number, timeZone: string): string;
}

/** `locale` is BCP 47. */
function createFormats(locale: string): Formats {
  const numbers = memoize((options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options));
  const dates = memoize((options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options));
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' });
  const hasHalves = dates({ hour: 'numeric' }).resolvedOptions().hour12 === true;
  // Newer libraries put a narrow space before PM, browsers do not.
  const plain = (text: string) => text.replaceAll(NARROW_SPACE, hasHalves ? ' ' : NO_BREAK_SPACE);
  const date: Formats['date'] = (local, options) => plain(dates({ ...options, timeZone: 'UTC' }).format(wallClock(local)));
  return {
    number: (value, maximumFractionDigits = 0) => plain(numbers({ maximumFractionDigits }).format(value)),
    percent: (share) => plain(numbers({ style: 'percent' }).format(share)),
    money: (amount, currency) =>
      plain(
        numbers({ style: 'currency', currency, currencyDisplay: 'narrowSymbol', trailingZeroDisplay: 'stripIfInteger' }).format(
          amount,
        ),
      ),
    list: (items) => lists.format(items),
    date,
    day: (local) => date(local, DAY),
    longDay: (local) => date(local, { dateStyle: 'full' }),
    hour: (local) => (hasHalves ? date(local, HOUR).replace(':00', '') : date(local, HOUR)),
    moment: (instant, timeZone) => plain(dates({ ...MOMENT, timeZone }).format(instant)),
  };
}

/** Making a format takes longer than a page full of dates. */
function memoize<Options, Format>(make: (options: Options) => Format): (options: Options) => Format {
  const known = new Map<string, Format>();
  return (options) => {
    const name = JSON.stringify(options);
    const format = known.get(name) ?? make(options);
    known.set(name, format);
    return format;
  };
}

/** What the clocks of the city show, as an instant of UTC. */
const wallClock = (local: string): Date => new Date(`${local.length > 10 ? local.slice(0, 19) : `${local}T00:00:00`}Z`);

/** Of numbers in French. Not every font has it, and not every browser uses it. */
const NARROW_SPACE = '\u202f';
const NO_BREAK_SPACE = '\u00a0';
const DAY = { weekday: 'short', month: 'short', day: 'numeric' } as const;
const HOUR = { hour: 'numeric', minute: '2-digit' } as const;
const MOMENT = { month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
