/** The fields of a mapping, by the kind of value that they want. Each is compiled once and read from every record. */

import type { Point } from '../../values/distance.ts';
import { readAmount } from '../fields/amount.ts';
import { capacityOf } from '../fields/json-fields.ts';
import { POINT_FORMATS, type PointFormat, pointOf, readPoint } from '../fields/points.ts';
import { webAddress } from '../fields/web-address.ts';
import type { ListedKind } from '../listing.ts';
import { asText, compileRule, MappingError, type Pick } from './rules.ts';

/** The rules of an object of a mapping; `at` says where it stands, for the refusal of a bad one. */
export interface RuleSet {
  keys: Record<string, unknown>;
  at: string;
}

export function textField({ keys, at }: RuleSet, name: string): (record: unknown) => string | null {
  const pick = optional(keys, name, at);
  return (record) => {
    const value = pick(record);
    return value === undefined || value === null || typeof value === 'object' ? null : String(value);
  };
}

/** Web addresses only. */
function urlField(rules: RuleSet, name: string): (record: unknown) => string | null {
  const read = textField(rules, name);
  return (record) => webAddress(read(record));
}

/** A text or a list; each text once. */
function textsField({ keys, at }: RuleSet, name: string): (record: unknown) => readonly string[] {
  const pick = optional(keys, name, at);
  return (record) => {
    const value = pick(record);
    const all = value === undefined ? [] : [value].flat(2);
    const said = all
      .filter((each) => each !== null && each !== undefined && typeof each !== 'object')
      .map((each) => String(each).trim());
    return [...new Set(said.filter((each) => each !== ''))];
  };
}

/** `12.5`, `"$12.50"`, `"1,250.00 USD"`; null for prose. */
function numberField({ keys, at }: RuleSet, name: string): (record: unknown) => number | null {
  const pick = optional(keys, name, at);
  return (record) => readAmount(pick(record));
}

/** How many people. */
export function capacityField(rules: RuleSet, name: string): (record: unknown) => number | null {
  const read = numberField(rules, name);
  return (record) => capacityOf(read(record));
}

export function flagField({ keys, at }: RuleSet, name: string): (record: unknown) => boolean | null {
  const pick = optional(keys, name, at);
  return (record) => {
    const value = pick(record);
    if (typeof value === 'boolean') return value;
    return value === undefined ? null : (FLAGS[asText(value).toLowerCase()] ?? null);
  };
}

export function pointField({ keys, at }: RuleSet): (record: unknown) => Point | null {
  if (keys.point === undefined) {
    const [latitude, longitude] = [optional(keys, 'latitude', at), optional(keys, 'longitude', at)];
    return (record) => pointOf(latitude(record), longitude(record));
  }
  const { as = 'lat,lon' } = typeof keys.point === 'object' && keys.point !== null ? (keys.point as { as?: unknown }) : {};
  const format = POINT_FORMATS.find((known) => known === as) as PointFormat | undefined;
  if (!format) throw new MappingError(`${at}.point.as`, `wanted one of ${POINT_FORMATS.join(' ; ')}`);
  const pick = compileRule(keys.point, `${at}.point`, ['as']);
  return (record) => {
    const value = pick(record);
    return value === undefined ? null : readPoint(value, format);
  };
}

const READERS = { text: textField, url: urlField, texts: textsField, number: numberField, flag: flagField };
type PlainKind = keyof typeof READERS;
type PlainReaders<T> = {
  [F in keyof T as T[F] extends PlainKind ? F : never]: T[F] extends PlainKind ? ReturnType<(typeof READERS)[T[F]]> : never;
};

/** The readers of the fields that one rule fills, by kind. */
export function plainFields<T extends Readonly<Record<string, ListedKind>>>(rules: RuleSet, table: T): PlainReaders<T> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([field, kind]) =>
      Object.hasOwn(READERS, kind) ? [[field, READERS[kind as PlainKind](rules, field)]] : [],
    ),
  ) as PlainReaders<T>;
}

type Readers = Readonly<Record<string, (record: unknown) => unknown>>;
type ReadBy<All extends Readers> = { [Name in keyof All]: ReturnType<All[Name]> };

/** What the rules find; where they find nothing, what is known already. */
export function readOver<All extends Readers>(readers: All, record: unknown, known: NoInfer<ReadBy<All>>): ReadBy<All> {
  const entries = Object.entries(readers).map(([name, read]) => {
    const value = read(record);
    return [name, value === null || (Array.isArray(value) && value.length === 0) ? known[name] : value];
  });
  return Object.fromEntries(entries) as ReadBy<All>;
}

/** `{"const": null}` says that nothing is to be known of a field, whatever a kind reads. `none` knows nothing. */
export function emptiedFields<Known extends object>({ keys }: RuleSet, none: Known): (known: Known) => Known {
  const names = Object.keys(keys).filter((name) => isNothing(keys[name]));
  const fields = names.flatMap((name) => (name === 'point' ? ['latitude', 'longitude'] : name === 'locate' ? [] : [name]));
  if (fields.length === 0) return (known) => known;
  const empty = Object.fromEntries(fields.map((name) => [name, (none as Record<string, unknown>)[name]]));
  return (known) => ({ ...known, ...empty });
}

function isNothing(rule: unknown): boolean {
  return (
    typeof rule === 'object' && rule !== null && Object.keys(rule).length === 1 && (rule as { const?: unknown }).const === null
  );
}

function optional(keys: Record<string, unknown>, name: string, at: string): Pick {
  return keys[name] === undefined ? () => undefined : compileRule(keys[name], `${at}.${name}`);
}

const FLAGS: Readonly<Record<string, boolean>> = {
  __proto__: null as never,
  true: true,
  yes: true,
  y: true,
  1: true,
  false: false,
  no: false,
  n: false,
  0: false,
};
