/** One content line as a property (RFC 5545 §3.1, §3.2), by ical.js. */

import ICAL from 'ical.js';
import type { ContentLine } from './content-lines.ts';

export interface Property {
  /** Parameters by name in small letters; also the `value` in small letters, where the line says of which type it is (§3.2.20). */
  params: Readonly<Record<string, string>>;
  /** Text unescaped (§3.3.11), a list cut at its commas; every other value as it is written. */
  values: readonly string[];
}

/** Null where the line is no property: no value, or parameters that cannot be told from it. */
export function readProperty({ text }: ContentLine): Property | null {
  try {
    const [name, params, type, ...values] = ICAL.parse.property(text.trimStart(), DESIGN) as [
      string,
      object,
      string,
      ...unknown[],
    ];
    const said = Object.entries(params).map(([key, value]) => [key.trim(), String(value).trim()] as const);
    // A type that nobody knows is text (§3.2.20) where text is meant to stand.
    const decode = TEXTS.has(name) && !TYPES.has(type) ? (value: string) => TEXT.fromICAL(value) : (value: string) => value;
    return {
      params: Object.fromEntries(type === 'unknown' ? said : [...said, ['value', type]]),
      values: values.map((value) => decodeQuoted(decode(String(value)), params as Property['params']).trim()),
    };
  } catch (error) {
    // The library tells by exceptions alone that a line is malformed, and not by one class of them.
    if (error instanceof Error) return null;
    throw error;
  }
}

/** Quoted-printable, as vCalendar 1.0 has it; programs left its line breaks in their calendars without saying so. */
function decodeQuoted(text: string, params: Property['params']): string {
  if (params.encoding?.toUpperCase() !== 'QUOTED-PRINTABLE' && !/=0D=0A/i.test(text)) return text;
  const charset = /8859-1|1252|latin/i.test(params.charset ?? '') ? 'windows-1252' : 'utf-8';
  const decoder = new TextDecoder(charset);
  return text
    .replace(/=\r?\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/gi, (codes) => decoder.decode(Buffer.from(codes.replaceAll('=', ''), 'hex')))
    .replaceAll('\r\n', '\n');
}

export function textOf(line: ContentLine | undefined): string | null {
  const value = line && readProperty(line)?.values[0];
  return value ? value : null;
}

const TEXT = ICAL.design.icalendar.value.text as { fromICAL(text: string): string };
const TYPES: ReadonlySet<string> = new Set(['text', 'uri', 'binary']);
const TEXTS: ReadonlySet<string> = new Set([
  ...['summary', 'description', 'location', 'status', 'class', 'uid', 'tzid', 'method', 'x-wr-timezone', 'x-alt-desc'],
  ...['name', 'x-lic-location', 'x-microsoft-locationdisplayname', 'x-microsoft-locationstreet', 'x-microsoft-locationcity'],
]);

/**
 * Only text is decoded. ical.js would turn dates and rules that it cannot read into others (`INTERVAL=0` into 1, `garbage` into
 * `garb-ag-eT::`), so these are taken as written and read by us.
 */
const DESIGN = {
  name: 'marquee',
  value: { text: TEXT },
  param: {},
  property: {
    ...Object.fromEntries([...TEXTS].map((name) => [name, { defaultType: 'text' }])),
    categories: { defaultType: 'text', multiValue: ',' },
  },
} as unknown as NonNullable<Parameters<typeof ICAL.parse.property>[1]>;
