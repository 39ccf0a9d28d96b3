/** A mapping file: how the records of one provider become listings. Its keys are listed in docs/providers.md. */

import { createCityTime } from '../catalog/index.ts';
import { createDateReader } from './dates.ts';
import { eventListing, type Listing, type PlaceHint, type VenueListing, venueListing } from './listing.ts';
import { POINT_FORMATS, type PointFormat, pointOf, readPoint } from './points.ts';
import { compileRule, compileTest, knownKeys, list, MappingError, type Pick } from './rules.ts';

export interface Mapping {
  target: 'events' | 'venues';
  /** Path of the list of records in a JSON document; '' is the document itself. */
  records: string;
  /** Of CSV. */
  delimiter: string;
  /** Null for a record that the mapping drops. */
  read(record: unknown): Listing | { refused: { field: string; reason: string; externalId: string | null } } | null;
}

/** Checks a mapping and prepares it. The refusal says which part is wrong and what was wanted there. */
export function compileMapping(value: unknown): { ok: true; mapping: Mapping } | { ok: false; field: string; reason: string } {
  try {
    return { ok: true, mapping: compile(value) };
  } catch (error) {
    if (error instanceof MappingError) return { ok: false, field: error.field, reason: error.message };
    throw error;
  }
}

function compile(value: unknown): Mapping {
  const keys = knownKeys(value, 'mapping', MAPPING_KEYS);
  const { target = 'events', records = '', delimiter = ',', zone } = keys;
  if (target !== 'events' && target !== 'venues') throw new MappingError('target', 'wanted events or venues');
  if (typeof records !== 'string') throw new MappingError('records', 'wanted a path such as data.events');
  if (typeof delimiter !== 'string' || delimiter.length !== 1) throw new MappingError('delimiter', 'wanted one character');
  const resolve = zone === undefined ? undefined : resolver(zone);
  const drop = keys.drop === undefined ? [] : list(keys.drop, 'drop').map((test, index) => compileTest(test, `drop[${index}]`));
  const fields = target === 'events' ? compileEvent(keys.fields, resolve) : compileVenueTarget(keys.fields);
  return {
    target,
    records,
    delimiter,
    read(record) {
      if (drop.some((test) => test(record))) return null;
      try {
        return fields(record);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        const { field, message, externalId } = error;
        return { refused: { field, reason: message, externalId } };
      }
    },
  };
}

type ReadText = (record: unknown) => string | null;

function compileEvent(value: unknown, resolve: ((local: string) => string) | undefined): (record: unknown) => Listing {
  const keys = knownKeys(value, 'fields', EVENT_KEYS);
  const text = (name: string) => textOf(keys, name, 'fields');
  const many = (name: string) => textsOf(keys, name, 'fields');
  const number = (name: string) => numberOf(keys, name, 'fields');
  for (const name of ['externalId', 'title', 'start', 'venue']) {
    if (keys[name] === undefined) throw new MappingError(`fields.${name}`, 'wanted a rule, got nothing');
  }
  const externalId = text('externalId');
  const start = dateOf(keys, 'start', resolve);
  const end = dateOf(keys, 'end', resolve);
  const isFree = flagOf(keys, 'isFree', 'fields');
  const venue = compileVenue(keys.venue, 'fields.venue');
  const rest = {
    title: text('title'),
    category: text('category'),
    description: text('description'),
    image: text('image'),
    status: text('status'),
    priceMin: number('priceMin'),
    priceMax: number('priceMax'),
    performers: many('performers'),
    tags: many('tags'),
    sources: many('sources'),
  };
  return (record) => {
    const id = externalId(record);
    const event = eventListing({
      externalId: id,
      title: rest.title(record),
      category: rest.category(record),
      start: start(record, id),
      end: end(record, id),
      description: rest.description(record),
      image: rest.image(record),
      isFree: isFree(record),
      priceMin: rest.priceMin(record),
      priceMax: rest.priceMax(record),
      status: rest.status(record),
      performers: rest.performers(record),
      tags: rest.tags(record),
      sources: rest.sources(record),
      venue: venue(record),
    });
    return { target: 'events', event };
  };
}

function compileVenueTarget(value: unknown): (record: unknown) => Listing {
  const read = compileVenue(value, 'fields');
  return (record) => ({ target: 'venues', venue: read(record) });
}

function compileVenue(value: unknown, at: string): (record: unknown) => VenueListing {
  const keys = knownKeys(value, at, VENUE_KEYS);
  if (keys.name === undefined) throw new MappingError(`${at}.name`, 'wanted a rule, got nothing');
  const text = (name: string) => textOf(keys, name, at);
  const point = pointRule(keys, at);
  const isVerified = flagOf(keys, 'isVerified', at);
  const locate =
    keys.locate === undefined
      ? []
      : list(keys.locate, `${at}.locate`).map((hint, index) => compileHint(hint, `${at}.locate[${index}]`));
  const rest = {
    externalId: text('externalId'),
    name: text('name'),
    type: text('type'),
    address: text('address'),
    capacityTier: text('capacityTier'),
    website: text('website'),
    neighborhood: text('neighborhood'),
  };
  return (record) =>
    venueListing({
      externalId: rest.externalId(record),
      name: rest.name(record),
      type: rest.type(record),
      address: rest.address(record),
      latitude: point(record)?.latitude ?? null,
      longitude: point(record)?.longitude ?? null,
      capacityTier: rest.capacityTier(record),
      isVerified: isVerified(record),
      website: rest.website(record),
      neighborhood: rest.neighborhood(record),
      hints: locate.flatMap((hint) => hint(record) ?? []),
    });
}

function compileHint(value: unknown, at: string): (record: unknown) => PlaceHint | null {
  const keys = knownKeys(value, at, ['venue', 'neighborhood', 'point']);
  for (const kind of ['venue', 'neighborhood'] as const) {
    if (keys[kind] === undefined) continue;
    const read = textOf(keys, kind, at);
    return (record) => {
      const name = read(record);
      return name === null ? null : { kind, name };
    };
  }
  const read = pointRule(keys, at);
  return (record) => {
    const point = read(record);
    return point && { kind: 'point', ...point };
  };
}

function pointRule(
  keys: Record<string, unknown>,
  at: string,
): (record: unknown) => { latitude: number; longitude: number } | null {
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

function dateOf(
  keys: Record<string, unknown>,
  name: string,
  resolve: ((local: string) => string) | undefined,
): (record: unknown, externalId: string | null) => string | null {
  const rule = keys[name];
  if (rule === undefined) return () => null;
  const { date = 'iso', ignoreOffset = false } =
    typeof rule === 'object' ? (rule as { date?: unknown; ignoreOffset?: unknown }) : {};
  if (typeof ignoreOffset !== 'boolean') throw new MappingError(`fields.${name}.ignoreOffset`, 'wanted true or false');
  const read = typeof date === 'string' ? createDateReader(date, { ignoreOffset }) : null;
  if (!read)
    throw new MappingError(`fields.${name}.date`, 'wanted iso, epoch, epoch-ms or a pattern such as MM/DD/YYYY hh:mm:ss A');
  const pick = compileRule(rule, `fields.${name}`, ['date', 'ignoreOffset']);
  return (record, externalId) => {
    const value = pick(record);
    if (value === undefined) return null;
    const iso = read(String(value));
    if (iso === null && name === 'end') return null;
    if (iso === null) {
      throw new Unreadable(
        name,
        `wanted a date-time (${date}), got ${JSON.stringify(String(value).slice(0, MOST_PRINTED))}`,
        externalId,
      );
    }
    return resolve && !/(?:Z|[+-]\d\d:\d\d)$/.test(iso) ? resolve(iso) : iso;
  };
}

/** Floating times of a provider that writes those of another zone than the city's. */
function resolver(zone: unknown): (local: string) => string {
  try {
    const time = createCityTime(String(zone));
    return (local) => new Date(time.resolve(local)).toISOString();
  } catch {
    throw new MappingError('zone', 'wanted an IANA time zone');
  }
}

function optional(keys: Record<string, unknown>, name: string, at: string): Pick {
  return keys[name] === undefined ? () => undefined : compileRule(keys[name], `${at}.${name}`);
}

function textOf(keys: Record<string, unknown>, name: string, at: string): ReadText {
  const pick = optional(keys, name, at);
  return (record) => {
    const value = pick(record);
    return value === undefined || value === null || typeof value === 'object' ? null : String(value);
  };
}

function textsOf(keys: Record<string, unknown>, name: string, at: string): (record: unknown) => string[] {
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
function numberOf(keys: Record<string, unknown>, name: string, at: string): (record: unknown) => number | null {
  const pick = optional(keys, name, at);
  return (record) => {
    const value = pick(record);
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    const match = typeof value === 'string' ? AMOUNT.exec(value) : null;
    return match?.[1] === undefined ? null : Number(match[1].replaceAll(',', ''));
  };
}

function flagOf(keys: Record<string, unknown>, name: string, at: string): (record: unknown) => boolean | null {
  const pick = optional(keys, name, at);
  return (record) => {
    const value = pick(record);
    if (typeof value === 'boolean') return value;
    return value === undefined ? null : (FLAGS[String(value).toLowerCase()] ?? null);
  };
}

class Unreadable extends Error {
  readonly field: string;
  readonly externalId: string | null;

  constructor(field: string, reason: string, externalId: string | null) {
    super(reason);
    this.field = field;
    this.externalId = externalId;
  }
}

const AMOUNT = /^\s*\p{Sc}?\s?(-?(?:\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.\d{1,6})?)\s?(?:\p{Sc}|[A-Z]{3})?\s*$/u;
const FLAGS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  y: true,
  1: true,
  false: false,
  no: false,
  n: false,
  0: false,
};
const MOST_PRINTED = 64;

export const MAPPING_KEYS = ['target', 'records', 'delimiter', 'zone', 'drop', 'fields'] as const;
export const VENUE_KEYS = [
  'externalId',
  'name',
  'type',
  'address',
  'latitude',
  'longitude',
  'point',
  'capacityTier',
  'isVerified',
  'website',
  'neighborhood',
  'locate',
] as const;
export const EVENT_KEYS = [
  'externalId',
  'title',
  'category',
  'start',
  'end',
  'description',
  'image',
  'isFree',
  'priceMin',
  'priceMax',
  'status',
  'performers',
  'tags',
  'sources',
  'venue',
] as const;
