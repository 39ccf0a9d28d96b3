/** The dates of a mapping: ISO 8601, numbers, patterns, and text in the language of a locale. */

import { canonicalLocale, createDateTextReader, type DatedSpan, type ReadDateText } from '../fields/date-text/date-text.ts';
import { createDateReader } from '../fields/dates.ts';
import type { RuleSet } from './field-readers.ts';
import { asText, compileRule, MappingError } from './rules.ts';

/** How a mapping reads text: in which languages, and on which day (`YYYY-MM-DD`; null where nobody knows). */
export interface DateContext {
  /** Empty without a `locale` in the mapping. */
  locales: readonly string[];
  today: string | null;
}

/** No occurrence where the record says nothing; several where its text lists several days. */
export type ReadDates = (record: unknown) => { ok: true; occurrences: DatedSpan[] } | { ok: false; reason: string };

/** `locale` of a mapping: a tag or a list of tags, the first that reads a text decides. */
export function compileLocales(value: unknown): string[] {
  const locales = value === undefined ? [] : [value].flat().map(canonicalLocale);
  const known = locales.filter((locale) => locale !== null);
  if (value !== undefined && (known.length === 0 || known.length < locales.length)) {
    throw new MappingError('locale', 'wanted a language tag such as fr-CA, or a list of them');
  }
  return known;
}

export function dateField({ keys, at }: RuleSet, name: string, { locales, today }: DateContext): ReadDates {
  const rule = keys[name];
  if (rule === undefined) return () => ({ ok: true, occurrences: [] });
  const own = typeof rule === 'object' && rule !== null ? (rule as Record<string, unknown>) : {};
  const { date = locales.length > 0 ? ['iso', 'text'] : 'iso', ignoreOffset = false, hour, exclusive = false } = own;
  if (typeof ignoreOffset !== 'boolean') throw new MappingError(`${at}.${name}.ignoreOffset`, 'wanted true or false');
  if (hour !== undefined && hour !== 'unknown') throw new MappingError(`${at}.${name}.hour`, 'wanted unknown');
  if (typeof exclusive !== 'boolean') throw new MappingError(`${at}.${name}.exclusive`, 'wanted true or false');
  if (exclusive && name !== 'end') throw new MappingError(`${at}.${name}.exclusive`, 'wanted it of an end only');
  const wanted = [date].flat();
  const formats = wanted.map((format) => createReader(format, locales, `${at}.${name}.date`));
  const pick = compileRule(rule, `${at}.${name}`, DATE_KEYS);
  const finish = (occurrence: DatedSpan): DatedSpan => {
    const { start, end } = ignoreOffset ? withoutOffset(occurrence) : occurrence;
    return hour === undefined ? { start, end } : { start: start.slice(0, DAY_CHARS), end: laterDay(start, end) };
  };
  return (record) => {
    const value = pick(record);
    if (value === undefined) return { ok: true, occurrences: [] };
    const text = asText(value);
    let reason: string | null = null;
    for (const read of formats) {
      const found = read(text, today);
      if (found.ok) return { ok: true, occurrences: found.occurrences.map(finish) };
      reason = found.reason || reason;
    }
    const printed = JSON.stringify(text.slice(0, MAX_PRINTED));
    return { ok: false, reason: `wanted a date-time (${wanted.join(' or ')}), got ${printed}${reason ? `: ${reason}` : ''}` };
  };
}

/** The end of an occurrence as a field of its own says it, which may be an hour alone; null where that is no date. */
export function endAfter(start: string, text: string, { locales, today }: DateContext): string | null {
  if (locales.length === 0) return null;
  const day = start.slice(0, DAY_CHARS);
  const read = createDateTextReader(locales)(`${day} ${text}`, today);
  const [found] = read.ok ? read.occurrences : [];
  if (!found || found.end !== null || !found.start.startsWith(`${day}T`)) return null;
  const clock = start.slice(0, MINUTE_CHARS);
  if (found.start.slice(0, MINUTE_CHARS) > clock) return found.start;
  return Temporal.PlainDate.from(day).add({ days: 1 }).toString() + found.start.slice(DAY_CHARS);
}

function createReader(format: unknown, locales: readonly string[], at: string): ReadDateText {
  if (format === 'text') {
    if (locales.length > 0) return createDateTextReader(locales);
    throw new MappingError(at, 'wanted a locale beside fields: text is read in a language');
  }
  const read = typeof format === 'string' ? createDateReader(format) : null;
  if (!read) {
    throw new MappingError(
      at,
      'wanted iso, epoch, epoch-ms, excel, text or a pattern such as MM/DD/YYYY hh:mm:ss A, or a list of them',
    );
  }
  return (text) => {
    const start = read(text);
    return start === null ? { ok: false, reason: '' } : { ok: true, occurrences: [{ start, end: null }] };
  };
}

function withoutOffset({ start, end }: DatedSpan): DatedSpan {
  return { start: start.replace(OFFSET, ''), end: end?.replace(OFFSET, '') ?? null };
}

function laterDay(start: string, end: string | null): string | null {
  const [first, last] = [start, end].map((each) => each?.slice(0, DAY_CHARS));
  return last !== undefined && first !== undefined && last > first ? last : null;
}

const OFFSET = /(?<=T.*)(?:Z|[+-]\d\d:\d\d)$/;
const MAX_PRINTED = 64;
/** Of `YYYY-MM-DD` and of `YYYY-MM-DDThh:mm`. */
const [DAY_CHARS, MINUTE_CHARS] = [10, 16];
/** Keys of a date's rule beside those of every rule. docs/providers.md lists them. */
export const DATE_KEYS = ['date', 'ignoreOffset', 'hour', 'exclusive'] as const;
