/**
 * Query parameters: how a query string is split and decoded, and how one parameter is documented and read. The tables of the endpoints are
 * made of these.
 */

import type { TSchema } from 'typebox';
import { type ParameterFault, type ParameterProblem, showValue } from '../http/index.ts';
import type { CityTime } from '../values/city-time.ts';

export interface ReadContext {
  city: CityTime;
  /** `Prefer: handling=strict` (RFC 7240 §4.4). */
  strict: boolean;
}

export type Read<T> = { ok: true; value: T } | { ok: false; code: ParameterFault; detail: string };

export interface Parameter<T> {
  /** For OpenAPI; arrays are comma lists there. */
  schema: TSchema;
  description: string;
  /** When it is not sent, or sent empty. */
  absent: T;
  /** When it is sent empty, if that differs from not sent. */
  empty?: T;
  /** `text` is not empty, decoded, and without control characters. `detail` of a refusal begins after the name. */
  read(text: string, context: ReadContext): Read<T>;
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds parameters of every type; `Values` gives each its own back.
export type ParameterTable = Readonly<Record<string, Parameter<any>>>;
export type Values<T extends ParameterTable> = { readonly [K in keyof T]: T[K] extends Parameter<infer V> ? V : never };

export type ReadQuery<T extends ParameterTable> = {
  /** What could not be read counts as absent. */
  values: Values<T>;
  /** What was sent and used, as sent, for links. */
  sent: readonly (readonly [string, string])[];
} & ({ ok: true } | { ok: false; errors: readonly ParameterProblem[] });

/** Parameters that are good each for itself and contradict each other. */
export interface ParameterConflict {
  /** All that matter; the first is the one that is refused. */
  names: readonly [string, ...string[]];
  code: ParameterFault;
  /** Begins after the name. */
  detail: string;
}

/**
 * Reads all parameters of a table and reports every bad one (decisions §1), but no more than anybody would read: a long query could
 * ask for thousands. Unknown names are ignored unless `strict`.
 */
export function readParameters<T extends ParameterTable>(table: T, query: QueryParameters, context: ReadContext): ReadQuery<T> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(table)) values[name] = table[name]?.absent;
  const sent: (readonly [string, string])[] = [];
  const errors: ParameterProblem[] = query.broken.slice(0, MAX_REPORTED).map(({ name, value }) => notDecodable(name, value));
  const seen = new Set<string>();
  for (const { name, value } of query.parts) {
    if (errors.length >= MAX_REPORTED) break;
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined;
    const read = parameter ? readOnce(parameter, name, value, seen, context) : checkUnknown(table, name, context.strict);
    if (read === null) continue;
    if (!read.ok) {
      errors.push(problem(name, value, read.code, read.detail));
      continue;
    }
    values[name] = read.value;
    sent.push([name, value]);
  }
  const read = { values: values as Values<T>, sent };
  return errors.length > 0 ? { ok: false, errors, ...read } : { ok: true, ...read };
}

/** Null: sent without anything to read. The detail of a refusal is a whole sentence. */
function readOnce(
  parameter: Parameter<unknown>,
  name: string,
  text: string,
  seen: Set<string>,
  context: ReadContext,
): Read<unknown> | null {
  if (seen.has(name)) return { ok: false, code: 'repeated', detail: `${name} is given more than once` };
  seen.add(name);
  if (CONTROL_CHARACTER.test(text)) return { ok: false, code: 'control_character', detail: `${name} has a control character` };
  if (text === '') return 'empty' in parameter ? { ok: true, value: parameter.empty } : null;
  const read = parameter.read(text, context);
  return read.ok ? read : { ...read, detail: `${name} ${read.detail}` };
}

/** Null: a name that nobody knows, where that does not matter. */
function checkUnknown(table: ParameterTable, name: string, strict: boolean): Extract<Read<never>, { ok: false }> | null {
  const base = name.slice(0, Math.max(0, name.indexOf('[')));
  if (Object.hasOwn(table, base)) {
    const isList = 'items' in (table[base]?.schema ?? {});
    const instead = isList ? '; several values are separated by commas' : '';
    return { ok: false, code: 'not_repeatable', detail: `${base} is given once, without brackets${instead}` };
  }
  if (!strict) return null;
  const shown = showValue(name) || 'a parameter without a name';
  return { ok: false, code: 'unknown_parameter', detail: `${shown} is not known here${didYouMean(name, Object.keys(table))}` };
}

function notDecodable(name: string, value: string): ParameterProblem {
  return problem(name, value, 'not_decodable', `${showValue(name)} has a broken percent sign or bytes that are not UTF-8`);
}

function problem(name: string, value: string, code: ParameterFault, detail: string): ParameterProblem {
  return { in: 'query', name: showValue(name), value: showValue(value), code, detail };
}

/** All that is wrong with a query. A conflict with a parameter that could not even be read is none. */
export function problemsOf(read: ReadQuery<ParameterTable>, conflicts: readonly ParameterConflict[]): ParameterProblem[] {
  const errors = read.ok ? [] : read.errors;
  const unread = new Set(errors.map(({ name }) => name));
  const sent = new Map(read.sent);
  return [
    ...errors,
    ...conflicts
      .filter(({ names }) => !names.some((name) => unread.has(name)))
      .map(({ names: [name], code, detail }): ParameterProblem => {
        return { in: 'query', name, value: showValue(sent.get(name) ?? ''), code, detail: `${name} ${detail}` };
      }),
  ];
}

/** The values of a table when nothing is sent. */
export function absentValues<T extends ParameterTable>(table: T): Values<T> {
  return Object.fromEntries(Object.entries(table).map(([name, { absent }]) => [name, absent])) as Values<T>;
}

function didYouMean(wrong: string, known: readonly string[]): string {
  const nearest = nearestName(wrong, known);
  return nearest === null ? '' : `; did you mean ${nearest}?`;
}

/** The known name nearest to `wrong`, if it is near enough to be a slip of the hand; ties go to the earlier one. */
export function nearestName(wrong: string, known: readonly string[]): string | null {
  if (wrong.length > MAX_NAME_LENGTH) return null;
  const lower = wrong.toLowerCase().replaceAll('-', '_');
  let best: string | null = null;
  let bestDistance = Math.min(MAX_DISTANCE, Math.ceil(wrong.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(lower, name.toLowerCase());
    if (distance >= bestDistance) continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}

/** Levenshtein's distance: insertions, deletions and substitutions, each one. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

export interface QueryPart {
  name: string;
  value: string;
}

export interface QueryParameters {
  parts: QueryPart[];
  /** Pieces with a broken percent sign or bytes that are no UTF-8, as sent. */
  broken: QueryPart[];
}

/**
 * Reads strictly (`application/x-www-form-urlencoded`, WHATWG URL §5.1): unlike the platform's reader it says what it could not decode
 * instead of putting U+FFFD in its place. `text` is what stands after `?` in the request target.
 */
export function parseQuery(text: string): QueryParameters {
  const parts: QueryPart[] = [];
  const broken: QueryPart[] = [];
  for (const piece of text.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const rawName = equals < 0 ? piece : piece.slice(0, equals);
    const rawValue = equals < 0 ? '' : piece.slice(equals + 1);
    const name = decodeFormText(rawName);
    const value = decodeFormText(rawValue);
    if (name === null || value === null) broken.push({ name: name ?? rawName, value: rawValue });
    else parts.push({ name, value });
  }
  return { parts, broken };
}

/** Null when it cannot be decoded. */
export function decodeFormText(text: string): string | null {
  if (!NEEDS_DECODING.test(text)) return text;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === PERCENT) {
      const high = hexValue(text.charCodeAt(i + 1));
      const low = hexValue(text.charCodeAt(i + 2));
      if (high < 0 || low < 0) return null;
      bytes[length++] = high * 16 + low;
      i += 2;
      continue;
    }
    // A target is ASCII (RFC 3986 §2); the server's parser refuses anything else already.
    if (unit > MAX_ASCII) return null;
    bytes[length++] = unit === PLUS ? SPACE : unit;
  }
  try {
    return UTF8.decode(bytes.subarray(0, length));
  } catch {
    return null;
  }
}

/** −1 for what is no hexadecimal digit (`NaN`, past the end, included). */
function hexValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

const MAX_REPORTED = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for (decisions §1: U+0000–1F and 7F).
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;
const MAX_DISTANCE = 3;
/** Longer names are no slips. */
const MAX_NAME_LENGTH = 40;
const NEEDS_DECODING = /[%+\u0080-\uffff]/;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;
const MAX_ASCII = 0x7f;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
