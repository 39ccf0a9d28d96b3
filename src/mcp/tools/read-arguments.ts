/** Arguments as a model wrote them, read by the schema of the tool. Small slips are read as meant, and said; others are mistakes. */

import { isDeepStrictEqual } from 'node:util';
import { nearestName } from '../../query/index.ts';
import { isObject, type JsonObject } from '../protocol/message.ts';
import { type ArgumentReading, readAs, showValue as show } from './readings.ts';
import type { ArgumentSchema, ToolInput } from './tool.ts';

export interface ReadArguments {
  values: JsonObject;
  /** What was read differently than written. */
  readings: ArgumentReading[];
  mistakes: string[];
}

export function readArguments({ properties }: ToolInput, given: unknown): ReadArguments {
  const readings: ArgumentReading[] = [];
  const mistakes: string[] = [];
  const values: Record<string, unknown> = {};
  const all = isEmpty(given) ? {} : parsedObject(given);
  if (!isObject(all)) return { values, readings, mistakes: ['arguments must be an object such as {"limit": 5}'] };
  const entries = Object.entries(all);
  if (entries.length > MAX_ARGUMENTS) {
    return { values, readings, mistakes: [`a call has at most ${MAX_ARGUMENTS} arguments, got ${entries.length}`] };
  }
  for (const [name, value] of entries) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema) mistakes.push(describeUnknown(name, Object.keys(properties)));
    else if (isNothing(name, value)) readings.push(readAs(name, value, undefined));
    else if (!isEmpty(value)) {
      const found: string[] = [];
      const read = readValue(name, schema, value, found);
      values[name] = read;
      mistakes.push(...found);
      if (found.length === 0) readings.push(...compare(name, schema, value, read));
    }
  }
  return { values: withDefaults(values, properties), readings, mistakes };
}

function withDefaults(values: JsonObject, properties: ToolInput['properties']): JsonObject {
  const defaults = Object.entries(properties).flatMap(([name, schema]) =>
    schema.default === undefined ? [] : [[name, schema.default]],
  );
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(defaults), ...Object.fromEntries(given) };
}

/** One rule for all arguments: what is used is what came, or it is said. */
const compare = (name: string, schema: ArgumentSchema, given: unknown, read: unknown): ArgumentReading[] =>
  isDeepStrictEqual(read, given) ? [] : [readAs(name, given, read, describeBound(schema, given, read))];

/** Why a number is another one. */
function describeBound({ minimum, maximum }: ArgumentSchema, given: unknown, read: unknown): string {
  if (read === maximum && Number(given) > Number(read)) return ', the maximum';
  return read === minimum && Number(given) < Number(read) ? ', the minimum' : '';
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** Words that programs print where there is no value. Only `q` may mean them. */
const isNothing = (name: string, value: unknown): boolean =>
  name !== 'q' && typeof value === 'string' && NOTHING.has(value.trim().toLowerCase());

function describeUnknown(name: string, known: readonly string[]): string {
  const lower = name.toLowerCase();
  const meant = [Object.hasOwn(MEANT, lower) ? MEANT[lower] : null, nearestName(name, known)].find(
    (each) => each !== undefined && each !== null,
  );
  const isKnown = meant !== undefined && meant !== null && known.includes(meant.split(' ', 1)[0] ?? '');
  const hint = isKnown ? `did you mean ${meant}?` : `the arguments are ${known.join(', ')}`;
  return `${show(name)} is not an argument of this tool; ${hint}`;
}

function readValue(name: string, schema: ArgumentSchema, given: unknown, mistakes: string[]): unknown {
  const value = schema.type === 'array' ? given : onlyOf(given);
  switch (schema.type) {
    case 'string':
      return readText(name, schema, value, mistakes);
    case 'boolean':
      return readBoolean(name, value, mistakes);
    case 'integer':
    case 'number':
      return readNumber(name, schema, value, mistakes);
    case 'array':
      return readList(name, schema, value, mistakes);
    case 'object':
      return readMembers(name, schema, value, mistakes);
  }
}

/** A list of one value where one is wanted. */
const onlyOf = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

function readText(name: string, { enum: allowed }: ArgumentSchema, value: unknown, mistakes: string[]): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') {
    mistakes.push(`${name} must be a text, got ${show(value)}`);
    return undefined;
  }
  const text = String(value).trim();
  if (!allowed) return text;
  const found = findWord(text, allowed);
  if (found !== null) return found;
  const meant = nearestName(text, allowed);
  mistakes.push(
    `${name} ${show(text)} is not known${meant === null ? '' : `; did you mean ${meant}?`} One of: ${allowed.join(', ')}`,
  );
  return undefined;
}

/** Case, spaces and the plural do not matter. */
function findWord(text: string, allowed: readonly string[]): string | null {
  const word = withoutQuotes(text)
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return allowed.find((each) => each === word || `${each}s` === word) ?? null;
}

function readBoolean(name: string, value: unknown, mistakes: string[]): boolean | undefined {
  const word = typeof value === 'string' ? withoutQuotes(value.trim()).toLowerCase() : String(value);
  const flag = typeof value === 'object' || !Object.hasOwn(FLAGS, word) ? undefined : FLAGS[word];
  if (flag !== undefined) return flag;
  mistakes.push(`${name} must be true or false, got ${show(value)}`);
  return undefined;
}

function readNumber(name: string, schema: ArgumentSchema, value: unknown, mistakes: string[]): number | undefined {
  const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const number = toNumber(value);
  if (!Number.isFinite(number)) {
    mistakes.push(`${name} must be a number, got ${show(value)}`);
    return undefined;
  }
  return Math.min(maximum, Math.max(minimum, type === 'integer' ? Math.round(number) : number));
}

/** A number, or one that is written as a text. */
function toNumber(value: unknown): number {
  if (typeof value === 'string' && value.trim() !== '') return Number(withoutQuotes(value.trim()));
  return typeof value === 'number' ? value : Number.NaN;
}

function readList(name: string, { items }: ArgumentSchema, value: unknown, mistakes: string[]): unknown[] | undefined {
  if (!items) return undefined;
  const list = [value]
    .flat()
    .filter((each) => !isEmpty(each))
    .flatMap((each) => (typeof each === 'string' ? splitList(each) : [each]));
  if (list.length > MAX_VALUES) {
    mistakes.push(`${name} has at most ${MAX_VALUES} values, got ${list.length}`);
    return undefined;
  }
  const read = list.map((each) => readValue(name, items, each, mistakes));
  const known = read.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : known;
}

/** A list that is written as a text: `jazz, rock` or `["jazz", "rock"]`. */
function splitList(text: string): string[] {
  const whole = text.trim();
  const inner = whole.startsWith('[') && whole.endsWith(']') ? whole.slice(1, -1) : whole;
  return inner
    .split(/[,;\n]/)
    .map((part) => withoutQuotes(part.trim()))
    .filter((part) => part !== '');
}

/** Members are named, never known by their position: half of all orders would be wrong. */
function readMembers(name: string, schema: ArgumentSchema, value: unknown, mistakes: string[]): JsonObject | undefined {
  const { properties = {} } = schema;
  const names = Object.keys(properties);
  const members = parsedObject(value);
  if (!isObject(members)) {
    mistakes.push(`${name} must be an object with ${names.join(', ')}, each a number in degrees; got ${show(value)}`);
    return undefined;
  }
  const read: Record<string, number> = {};
  for (const member of names) {
    const given = toNumber(members[member] ?? members[SHORT[member] ?? ''] ?? members[LONGER[member] ?? '']);
    const maximum = LATITUDES.has(member) ? MAX_LATITUDE : MAX_LONGITUDE;
    if (Math.abs(given) <= maximum) read[member] = given;
    else mistakes.push(describeDegrees(`${name}.${member}`, given, maximum));
  }
  return read;
}

/** An object that is written as a text, in JSON or with the quotes of Python, is that object; other values stay. */
function parsedObject(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  for (const text of [value, value.replaceAll("'", '"')]) {
    try {
      return JSON.parse(text);
    } catch {
      // Not in these quotes.
    }
  }
  return value;
}

const withoutQuotes = (text: string): string => text.replace(/^["']|["']$/g, '');

function describeDegrees(name: string, given: number, maximum: number): string {
  if (!Number.isFinite(given)) return `${name} must be a number from -${maximum} to ${maximum}`;
  const isSwapped = maximum === MAX_LATITUDE && Math.abs(given) <= MAX_LONGITUDE;
  const hint = isSwapped ? '; did you swap latitude and longitude?' : '';
  return `${name} must be from -${maximum} to ${maximum}, got ${given}${hint}`;
}

const NOTHING: ReadonlySet<string> = new Set(['null', 'none', 'nil', 'undefined']);
const FLAGS: Readonly<Record<string, boolean>> = { true: true, yes: true, 1: true, false: false, no: false, 0: false };
/** Names that other tools have for the same. */
const MEANT: Readonly<Record<string, string>> = {
  query: 'q',
  search: 'q',
  text: 'q',
  keyword: 'q',
  keywords: 'q',
  name: 'q',
  date: 'when or from and to',
  time: 'when or from and to',
  day: 'when or from and to',
  start: 'from',
  start_date: 'from',
  startdate: 'from',
  end: 'to',
  end_date: 'to',
  enddate: 'to',
  lat: 'near {"latitude", "longitude"}',
  lon: 'near {"latitude", "longitude"}',
  lng: 'near {"latitude", "longitude"}',
  latitude: 'near {"latitude", "longitude"}',
  longitude: 'near {"latitude", "longitude"}',
  location: 'neighborhood or near',
  area_name: 'neighborhood',
  district: 'neighborhood',
  neighbourhood: 'neighborhood',
  radius: 'radius_m',
  bbox: 'area {"west", "south", "east", "north"}',
  max_price: 'price_max',
  price: 'price_max',
  is_free: 'free',
  type: 'category',
  genre: 'category',
  categories: 'category',
  max_results: 'limit',
  count: 'limit',
  offset: 'cursor',
  page: 'cursor',
  event_id: 'id',
  venue_id: 'id',
  slug: 'url',
};
const SHORT: Readonly<Record<string, string>> = { latitude: 'lat', longitude: 'lon' };
const LONGER: Readonly<Record<string, string>> = { longitude: 'lng' };
const LATITUDES: ReadonlySet<string> = new Set(['latitude', 'south', 'north']);
const MAX_LATITUDE = 90;
const MAX_LONGITUDE = 180;
/** More than any tool has, and than any list has words. */
const MAX_ARGUMENTS = 40;
const MAX_VALUES = 40;
