/** Arguments as a model wrote them, read by the schema of the tool. Small slips are read as meant, and said; others are mistakes. */

import { nearestName } from '../../api/index.ts';
import { isObject, type JsonObject } from '../protocol/message.ts';
import type { ArgumentSchema, ToolInput } from './tool.ts';

export interface ReadArguments {
  values: JsonObject;
  /** What was read differently than written. */
  notes: string[];
  mistakes: string[];
}

interface Reading {
  notes: string[];
  mistakes: string[];
}

export function readArguments({ properties }: ToolInput, given: unknown): ReadArguments {
  const reading: Reading = { notes: [], mistakes: [] };
  const values: Record<string, unknown> = {};
  if (given !== undefined && !isObject(given)) {
    return { values, notes: [], mistakes: ['arguments must be an object such as {"limit": 5}'] };
  }
  const entries = Object.entries(given ?? {});
  if (entries.length > MAX_ARGUMENTS) {
    return { values, notes: [], mistakes: [`a call has at most ${MAX_ARGUMENTS} arguments, got ${entries.length}`] };
  }
  for (const [name, value] of entries) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema) reading.mistakes.push(describeUnknown(name, Object.keys(properties)));
    else if (!isEmpty(value)) values[name] = readValue(name, schema, value, reading);
  }
  for (const [name, schema] of Object.entries(properties)) {
    if (values[name] === undefined && schema.default !== undefined) values[name] = schema.default;
  }
  return { values, ...reading };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function describeUnknown(name: string, known: readonly string[]): string {
  const lower = name.toLowerCase();
  const meant = [Object.hasOwn(MEANT, lower) ? MEANT[lower] : null, nearestName(name, known)].find(
    (each) => each !== undefined && each !== null,
  );
  const isKnown = meant !== undefined && meant !== null && known.includes(meant.split(' ', 1)[0] ?? '');
  const hint = isKnown ? `did you mean ${meant}?` : `the arguments are ${known.join(', ')}`;
  return `${show(name)} is not an argument of this tool; ${hint}`;
}

function readValue(name: string, schema: ArgumentSchema, value: unknown, reading: Reading): unknown {
  switch (schema.type) {
    case 'string':
      return readText(name, schema, value, reading);
    case 'boolean':
      return readBoolean(name, value, reading);
    case 'integer':
    case 'number':
      return readNumber(name, schema, value, reading);
    case 'array':
      return readList(name, schema, value, reading);
    case 'object':
      return readMembers(name, schema, value, reading);
  }
}

function readText(name: string, { enum: allowed }: ArgumentSchema, value: unknown, { mistakes }: Reading): string | undefined {
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
  const word = text.toLowerCase().replace(/[\s-]+/g, '_');
  return allowed.find((each) => each === word || `${each}s` === word) ?? null;
}

function readBoolean(name: string, value: unknown, { mistakes }: Reading): boolean | undefined {
  if (value === true || value === 'true' || value === 1) return true;
  if (value === false || value === 'false' || value === 0) return false;
  mistakes.push(`${name} must be true or false, got ${show(value)}`);
  return undefined;
}

function readNumber(name: string, schema: ArgumentSchema, value: unknown, { notes, mistakes }: Reading): number | undefined {
  const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    mistakes.push(`${name} must be a number, got ${show(value)}`);
    return undefined;
  }
  const within = Math.min(maximum, Math.max(minimum, type === 'integer' ? Math.round(number) : number));
  if (within !== number) notes.push(`${name} ${number} was read as ${within}${within === maximum ? ', the maximum' : ''}.`);
  return within;
}

function readList(name: string, { items }: ArgumentSchema, value: unknown, reading: Reading): unknown[] | undefined {
  if (!items) return undefined;
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
  if (list.length > MAX_VALUES) {
    reading.mistakes.push(`${name} has at most ${MAX_VALUES} values, got ${list.length}`);
    return undefined;
  }
  const read = list.map((each) => readValue(name, items, each, reading));
  return read.filter((each) => each !== undefined);
}

/** Members are named, never known by their position: half of all orders would be wrong. */
function readMembers(name: string, schema: ArgumentSchema, value: unknown, { mistakes }: Reading): JsonObject | undefined {
  const { properties = {} } = schema;
  const names = Object.keys(properties);
  if (!isObject(value)) {
    mistakes.push(`${name} must be an object with ${names.join(', ')}, each a number in degrees; got ${show(value)}`);
    return undefined;
  }
  const read: Record<string, number> = {};
  for (const member of names) {
    const listed = value[member] ?? value[SHORT[member] ?? ''] ?? value[LONGER[member] ?? ''];
    const given = typeof listed === 'number' || typeof listed === 'string' ? Number(listed) : Number.NaN;
    const maximum = LATITUDES.has(member) ? MAX_LATITUDE : MAX_LONGITUDE;
    if (Math.abs(given) <= maximum) read[member] = given;
    else mistakes.push(describeDegrees(`${name}.${member}`, given, maximum));
  }
  return read;
}

function describeDegrees(name: string, given: number, maximum: number): string {
  if (!Number.isFinite(given)) return `${name} must be a number from -${maximum} to ${maximum}`;
  const isSwapped = maximum === MAX_LATITUDE && Math.abs(given) <= MAX_LONGITUDE;
  const hint = isSwapped ? '; did you swap latitude and longitude?' : '';
  return `${name} must be from -${maximum} to ${maximum}, got ${given}${hint}`;
}

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
};

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
const MAX_SHOWN = 64;
/** More than any tool has, and than any list has words. */
const MAX_ARGUMENTS = 40;
const MAX_VALUES = 40;
