/** The rules of a mapping: which value of a record is meant. Compiled once, so a mistake is found before the first record. */

import { plainText } from '../fields/clean-text.ts';

/** A value of a provider's record; undefined when it says nothing there. */
export type Pick = (record: unknown) => unknown;
export type Test = (record: unknown) => boolean;

/** A listing and the record that it was read from. A path finds the listing's value, else the record's; `record.a` is always the record's. */
export class OverlaidRecord {
  readonly listing: object;
  readonly #readRecord: () => unknown;
  #record: { value: unknown } | null = null;

  constructor(listing: object, readRecord: () => unknown) {
    this.listing = listing;
    this.#readRecord = readRecord;
  }

  /** Made when a path first asks for it. */
  get record(): unknown {
    this.#record ??= { value: this.#readRecord() };
    return this.#record.value;
  }
}

/** A mistake in a mapping. `field` says where in it. */
export class MappingError extends Error {
  readonly field: string;

  constructor(field: string, reason: string) {
    super(reason);
    this.name = 'MappingError';
    this.field = field;
  }
}

/** A rule is a path, or an object of `RULE_KEYS`. `extra` names keys that the caller reads itself. docs/providers.md lists them. */
export function compileRule(rule: unknown, at: string, extra: readonly string[] = []): Pick {
  if (typeof rule === 'string') return clean(path(rule, at));
  const keys = knownKeys(rule, at, [...RULE_KEYS, ...extra]);
  let pick = source(keys, at);
  if (keys.text !== undefined) pick = through(pick, textStep(keys.text, `${at}.text`));
  for (const [name, step] of Object.entries(TEXT_STEPS)) {
    if (keys[name] !== undefined) pick = through(pick, step(texts(keys[name], `${at}.${name}`)));
  }
  if (keys.table !== undefined) pick = through(pick, tableStep(keys.table, `${at}.table`));
  const found = withCases(clean(pick), keys.cases, at);
  const fallback = keys.default ?? undefined;
  return fallback === undefined ? found : (record) => found(record) ?? fallback;
}

/** Conditions are listed in docs/providers.md. Texts are compared without regard to case. */
export function compileTest(condition: unknown, at: string): Test {
  const keys = knownKeys(condition, at, [...COMPARISONS, 'path', 'all', 'any', 'not']);
  if (keys.all !== undefined) {
    const tests = list(keys.all, `${at}.all`).map((each, index) => compileTest(each, `${at}.all[${index}]`));
    return (record) => tests.every((test) => test(record));
  }
  if (keys.any !== undefined) {
    const tests = list(keys.any, `${at}.any`).map((each, index) => compileTest(each, `${at}.any[${index}]`));
    return (record) => tests.some((test) => test(record));
  }
  if (keys.not !== undefined) {
    const test = compileTest(keys.not, `${at}.not`);
    return (record) => !test(record);
  }
  const given = COMPARISONS.filter((name) => keys[name] !== undefined);
  const [name] = given;
  if (name === undefined || given.length > 1) throw new MappingError(at, `wanted one of ${COMPARISONS.join(', ')}`);
  const pick = compileRule(keys.path, `${at}.path`);
  if (name === 'exists') {
    const wanted = keys.exists === true;
    return (record) => (pick(record) !== undefined) === wanted;
  }
  const words = (name === 'in' ? list(keys.in, `${at}.in`) : [keys[name]].flat()).map(fold);
  if (name === 'contains') return (record) => words.some((word) => fold(pick(record)).includes(word));
  if (name === 'startsWith') return (record) => words.some((word) => fold(pick(record)).startsWith(word));
  return (record) => words.includes(fold(pick(record)));
}

/** Throws unless `value` is an object with no other keys than these: a misspelt key must not be passed over. */
export function knownKeys(value: unknown, at: string, names: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MappingError(at, value === undefined ? 'wanted a rule, got nothing' : 'wanted an object or a path');
  }
  const unknown = Object.keys(value).find((key) => !names.includes(key));
  if (unknown !== undefined) throw new MappingError(`${at}.${unknown}`, `wanted one of ${names.join(', ')}`);
  return value as Record<string, unknown>;
}

export function list(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) throw new MappingError(at, 'wanted a list');
  return value;
}

/** The first case that holds decides, by a rule of its own; the steps beside `cases` are for the records of no case. */
function withCases(plain: Pick, value: unknown, at: string): Pick {
  if (value === undefined) return plain;
  const cases = list(value, `${at}.cases`).map((each, index) => {
    const place = `${at}.cases[${index}]`;
    const { when, use } = knownKeys(each, place, ['when', 'use']);
    return { holds: compileTest(when, `${place}.when`), pick: compileRule(use, `${place}.use`) };
  });
  return (record) => (cases.find(({ holds }) => holds(record))?.pick ?? plain)(record);
}

/** Where a value comes from: a constant, several values in one text or one list, or the first path that says something. */
function source(keys: Record<string, unknown>, at: string): Pick {
  if (keys.const !== undefined) return () => keys.const;
  if (keys.join !== undefined) {
    const parts = list(keys.join, `${at}.join`).map((rule, index) => compileRule(rule, `${at}.join[${index}]`));
    const between = keys.with === undefined ? ' ' : separator(keys.with, `${at}.with`);
    return (record) => {
      const values = parts.map((part) => asText(part(record))).filter((value) => value !== '');
      return values.length === parts.length ? values.join(between) : undefined;
    };
  }
  if (keys.concat !== undefined) {
    const parts = list(keys.concat, `${at}.concat`).map((rule, index) => compileRule(rule, `${at}.concat[${index}]`));
    return (record) => parts.flatMap((part) => part(record) ?? []);
  }
  if (keys.path === undefined) {
    if (keys.cases !== undefined) return () => undefined;
    throw new MappingError(at, 'wanted path, const, join, concat or cases');
  }
  const paths = texts(keys.path, `${at}.path`).map((each) => clean(path(each, `${at}.path`)));
  return (record) => paths.map((pick) => pick(record)).find((value) => value !== undefined);
}

/** `a.b.0.c` walks objects and lists; `a.*.c` gathers over a list. A key of the whole name wins, as CSV headers may have dots. */
function path(text: string, at: string): Pick {
  if (text === '') throw new MappingError(at, 'wanted a path, got an empty one');
  const find = finder(text);
  const inRecord =
    text === 'record' ? (record: unknown) => record : text.startsWith(RECORD) ? finder(text.slice(RECORD.length)) : null;
  return (value) => {
    if (!(value instanceof OverlaidRecord)) return find(value);
    return inRecord ? inRecord(value.record) : (find(value.listing) ?? find(value.record));
  };
}

function finder(text: string): Pick {
  const steps = text.split('.');
  return clean((record) => {
    const whole = own(record, text);
    return whole === undefined ? walk(record, steps) : whole;
  });
}

function walk(value: unknown, steps: readonly string[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (step !== '*') return walk(own(value, step), rest);
  return Array.isArray(value)
    ? value.map((each) => walk(each, rest)).filter((each) => each !== undefined && each !== null)
    : undefined;
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

/** Text is trimmed; null, empty text and empty lists say nothing. */
function clean(pick: Pick): Pick {
  return (record) => {
    const value = pick(record);
    if (value === null || (Array.isArray(value) && value.length === 0)) return undefined;
    return typeof value === 'string' ? value.trim() || undefined : value;
  };
}

function through(pick: Pick, step: (text: string) => unknown): Pick {
  return (record) => {
    const value = pick(record);
    if (Array.isArray(value)) return value.map((each) => step(asText(each)));
    return value === undefined || value === null || typeof value === 'object' ? value : step(asText(value));
  };
}

function textStep(value: unknown, at: string): (text: string) => unknown {
  if (value !== 'html') throw new MappingError(at, 'wanted html');
  return plainText;
}

function tableStep(value: unknown, at: string): (text: string) => unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new MappingError(at, 'wanted an object');
  const table = new Map(Object.entries(value).map(([key, entry]) => [fold(key), entry as unknown]));
  return (text) => table.get(fold(text));
}

/** Steps on a text, in the order in which they are taken. */
const TEXT_STEPS: Readonly<Record<string, (words: string[]) => (text: string) => unknown>> = {
  dropPrefix: (prefixes) => (text) => {
    const prefix = prefixes.find((each) => text.toLowerCase().startsWith(each.toLowerCase()));
    return prefix === undefined ? text : text.slice(prefix.length).trim();
  },
  before: (marks) => (text) => {
    const cuts = marks.map((mark) => text.indexOf(mark)).filter((index) => index > 0);
    return cuts.length === 0 ? text : text.slice(0, Math.min(...cuts)).trim();
  },
  after: (marks) => (text) => {
    const mark = marks.find((each) => text.includes(each));
    return mark === undefined ? text : text.slice(text.indexOf(mark) + mark.length).trim();
  },
  split: (marks) => (text) =>
    marks
      .reduce((parts: string[], mark) => parts.flatMap((part) => part.split(mark)), [text])
      .map((part) => part.trim())
      .filter((part) => part !== ''),
};

function texts(value: unknown, at: string): string[] {
  const all = [value].flat();
  if (all.length === 0 || all.some((each) => typeof each !== 'string' || each === ''))
    throw new MappingError(at, 'wanted text or a list of texts');
  return all as string[];
}

const RECORD = 'record.';
const fold = (value: unknown): string => asText(value).trim().toLowerCase();

/** Of a list its texts, parted by commas. An object has none, and may have a `toString` that is a stranger's. */
export function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(',');
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

function separator(value: unknown, at: string): string {
  if (typeof value !== 'string') throw new MappingError(at, 'wanted a text');
  return value;
}

export const RULE_KEYS = [
  'path',
  'const',
  'join',
  'with',
  'concat',
  'cases',
  'text',
  'dropPrefix',
  'before',
  'after',
  'split',
  'table',
  'default',
] as const;
export const COMPARISONS = ['equals', 'in', 'contains', 'startsWith', 'exists'] as const;
