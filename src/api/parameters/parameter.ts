/** One query parameter as a value: how it is documented and how it is read. The tables of the endpoints are made of these. */

import type { TSchema } from 'typebox';
import type { CityTime } from '../../city/index.ts';
import { type ParameterFault, type ParameterProblem, showValue } from '../../http/index.ts';
import { nearestName } from './did-you-mean.ts';
import type { QueryParameters } from './query-string.ts';

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

const MAX_REPORTED = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for (decisions §1: U+0000–1F and 7F).
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;
