/** The end of a mapping, which may be an hour alone, or the day after the last. */

import { dayBefore, dayOf, isDay } from '../fields/whole-days.ts';
import { DATE_KEYS, type DateContext, dateField, endAfter } from './date-field.ts';
import { type RuleSet, textField } from './field-readers.ts';

/** An hour alone is after the start. An end that cannot be read is unknown. */
export function endField(rules: RuleSet, dates: DateContext): (record: unknown, start: string | null) => string | null {
  const [read, text] = [dateField(rules, 'end', dates), endText(rules)];
  const isExclusive = keysOf(rules.keys.end).exclusive === true;
  return (record, start) => {
    const found = read(record);
    if (found.ok) {
      const end = found.occurrences.at(-1)?.end ?? found.occurrences.at(-1)?.start ?? null;
      return isExclusive && end !== null ? lastDay(start, end) : end;
    }
    const printed = text(record);
    return printed === null || start === null ? null : endAfter(start, printed, dates);
  };
}

/** A date is the day after the last one. On the day of the start or before, as some programs write single days, it is that day. */
function lastDay(start: string | null, end: string): string {
  if (!isDay(end)) return end;
  return start !== null && end <= dayOf(start) ? dayOf(start) : dayBefore(end);
}

/** The rule of the end as text, without the keys of dates. */
function endText({ keys, at }: RuleSet): (record: unknown) => string | null {
  const rule = keys.end;
  if (typeof rule !== 'object' || rule === null) return textField({ keys, at }, 'end');
  const plain = Object.entries(rule).filter(([key]) => !(DATE_KEYS as readonly string[]).includes(key));
  return textField({ keys: { end: Object.fromEntries(plain) }, at }, 'end');
}

function keysOf(rule: unknown): Record<string, unknown> {
  return typeof rule === 'object' && rule !== null ? (rule as Record<string, unknown>) : {};
}
