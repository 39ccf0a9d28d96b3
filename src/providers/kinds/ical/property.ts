/** One content line as a property (RFC 5545 §3.1, §3.2), by ical.js. */

import ICAL from 'ical.js';
import type { ContentLine } from './content-lines.ts';

export interface Property {
  /** Parameters by name in small letters. */
  params: Readonly<Record<string, string>>;
  /** Text unescaped (§3.3.11), a list cut at its commas; every other value as it is written. */
  values: readonly string[];
}

/** Null where the line is no property: no value, or parameters that cannot be told from it. */
export function readProperty({ text }: ContentLine): Property | null {
  try {
    const [, params, , ...values] = ICAL.parse.property(text.trimStart(), DESIGN) as [string, object, string, ...unknown[]];
    return {
      params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name.trim(), String(value).trim()])),
      values: values.map((value) => String(value).trim()),
    };
  } catch (error) {
    // The library tells by exceptions alone that a line is malformed, and not by one class of them.
    if (error instanceof Error) return null;
    throw error;
  }
}

export function textOf(line: ContentLine | undefined): string | null {
  const value = line && readProperty(line)?.values[0];
  return value ? value : null;
}

/**
 * Only text is decoded. ical.js would turn dates and rules that it cannot read into others (`INTERVAL=0` into 1, `garbage` into
 * `garb-ag-eT::`), so these are taken as written and read by us.
 */
const DESIGN = {
  name: 'marquee',
  value: { text: ICAL.design.icalendar.value.text },
  param: {},
  property: {
    ...Object.fromEntries(
      ['summary', 'description', 'location', 'status', 'class', 'uid', 'tzid', 'method', 'x-wr-timezone', 'x-alt-desc'].map(
        (name) => [name, { defaultType: 'text' }],
      ),
    ),
    categories: { defaultType: 'text', multiValue: ',' },
  },
} as unknown as NonNullable<Parameters<typeof ICAL.parse.property>[1]>;
