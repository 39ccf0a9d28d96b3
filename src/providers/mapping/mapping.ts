/** A mapping file: how the records of one provider become listings. Its keys are listed in docs/providers.md. */

import { createCityTime } from '../../city/index.ts';
import { eventListing, type Listing, type PlaceHint, type VenueListing, venueListing } from '../listing.ts';
import { compileLocales, type DateContext, dateField, endAfter } from './date-field.ts';
import {
  capacityField,
  flagField,
  numberField,
  pointField,
  type RuleSet,
  textField,
  textsField,
  urlField,
} from './field-readers.ts';
import { compileTest, knownKeys, list, MappingError } from './rules.ts';

export interface Mapping {
  target: 'events' | 'venues';
  /** Path of the list of records in a JSON document; '' is the document itself. */
  records: string;
  /** Path of a list inside a record, each element of which is an occurrence of its own; null without one. */
  each: string | null;
  /** A JSON document that stands behind a JavaScript assignment. */
  unwrap: 'assignment' | null;
  /** Of CSV; null where the file shows it. */
  delimiter: string | null;
  /** All texts of its rules, of which some are names of columns. */
  paths: ReadonlySet<string>;
  /** Several where its date lists several days; null for a record that the mapping drops. */
  read(record: unknown): MappedRecord | null;
}

export type MappedRecord = readonly Listing[] | { refused: { field: string; reason: string; externalId: string | null } };

/**
 * Checks a mapping and prepares it. The refusal says which part is wrong and what was wanted there. `today`: `YYYY-MM-DD`, the day on which
 * records are read, for dates without a year.
 */
export function compileMapping(
  value: unknown,
  { today = null }: { today?: string | null } = {},
): { ok: true; mapping: Mapping } | { ok: false; field: string; reason: string } {
  try {
    return { ok: true, mapping: compile(value, today) };
  } catch (error) {
    if (error instanceof MappingError) return { ok: false, field: error.field, reason: error.message };
    throw error;
  }
}

function compile(value: unknown, today: string | null): Mapping {
  const keys = knownKeys(value, 'mapping', MAPPING_KEYS);
  const { target = 'events', records = '', each = null, unwrap = null, delimiter = null, zone = null } = keys;
  if (target !== 'events' && target !== 'venues') throw new MappingError('target', 'wanted events or venues');
  if (typeof records !== 'string') throw new MappingError('records', 'wanted a path such as data.events');
  if (each !== null && (typeof each !== 'string' || each === '')) throw new MappingError('each', 'wanted a path such as dates');
  if (unwrap !== null && unwrap !== 'assignment') throw new MappingError('unwrap', 'wanted assignment');
  if (delimiter !== null && (typeof delimiter !== 'string' || delimiter.length !== 1))
    throw new MappingError('delimiter', 'wanted one character');
  if (zone !== null && !isZone(zone)) throw new MappingError('zone', 'wanted an IANA time zone');
  const drop = keys.drop === undefined ? [] : list(keys.drop, 'drop').map((test, index) => compileTest(test, `drop[${index}]`));
  const dates = { locales: compileLocales(keys.locale), today };
  const fields = target === 'events' ? compileEvent(keys.fields, zone, dates) : compileVenueTarget(keys.fields);
  return {
    target,
    records,
    each,
    unwrap,
    delimiter,
    paths: new Set(textsIn([keys.fields, keys.drop])),
    read: (record) => (drop.some((test) => test(record)) ? null : fields(record)),
  };
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}

type ReadRecord = (record: unknown) => MappedRecord;

function compileEvent(value: unknown, zone: string | null, dates: DateContext): ReadRecord {
  const keys = knownKeys(value, 'fields', EVENT_KEYS);
  const rules: RuleSet = { keys, at: 'fields' };
  for (const name of ['externalId', 'title', 'start', 'venue']) {
    if (keys[name] === undefined) throw new MappingError(`fields.${name}`, 'wanted a rule, got nothing');
  }
  const [externalId, start] = [textField(rules, 'externalId'), dateField(rules, 'start', dates)];
  const end = compileEnd(rules, dates);
  const [isOnline, isAllDay] = [flagField(rules, 'isOnline'), flagField(rules, 'isAllDay')];
  const ownZone = textField(rules, 'zone');
  const venue = compileVenue(keys.venue, 'fields.venue');
  const said = {
    seriesId: textField(rules, 'seriesId'),
    title: textField(rules, 'title'),
    category: textField(rules, 'category'),
    categoryWords: textsField(rules, 'categoryWords'),
    description: textField(rules, 'description'),
    image: urlField(rules, 'image'),
    url: urlField(rules, 'url'),
    isFree: flagField(rules, 'isFree'),
    priceMin: numberField(rules, 'priceMin'),
    priceMax: numberField(rules, 'priceMax'),
    priceText: textField(rules, 'priceText'),
    status: textField(rules, 'status'),
    performers: textsField(rules, 'performers'),
    tags: textsField(rules, 'tags'),
    sources: textsField(rules, 'sources'),
    organizer: textField(rules, 'organizer'),
  };
  return (record) => {
    const id = externalId(record);
    const found = start(record);
    if (!found.ok) return { refused: { field: 'start', reason: found.reason, externalId: id } };
    const values = {
      ...readAll(said, record),
      zone: ownZone(record) ?? zone,
      isOnline: isOnline(record) ?? false,
      isAllDay: isAllDay(record) ?? false,
      venue: venue(record),
    };
    const { occurrences } = found;
    const isSeries = occurrences.length > 1 && id !== null;
    const events = (occurrences.length > 0 ? occurrences : [null]).map((occurrence) => ({
      ...values,
      externalId: isSeries ? `${id}@${occurrence?.start}` : id,
      seriesId: values.seriesId ?? (isSeries ? id : null),
      start: occurrence?.start ?? null,
      // An end beside several days is that of the last one.
      end: (isSeries ? null : end(record, occurrence?.start ?? null)) ?? occurrence?.end ?? null,
    }));
    return events.map((event) => ({ target: 'events', event: eventListing(event) }));
  };
}

/** An end may be an hour alone, after its start. One that cannot be read is unknown. */
function compileEnd(rules: RuleSet, dates: DateContext): (record: unknown, start: string | null) => string | null {
  const [read, text] = [dateField(rules, 'end', dates), endText(rules)];
  return (record, start) => {
    const found = read(record);
    if (found.ok) return found.occurrences.at(-1)?.end ?? found.occurrences.at(-1)?.start ?? null;
    const printed = text(record);
    return printed === null || start === null ? null : endAfter(start, printed, dates);
  };
}

/** The rule of the end as text, without the keys of dates. */
function endText({ keys, at }: RuleSet): (record: unknown) => string | null {
  const rule = keys.end;
  if (typeof rule !== 'object' || rule === null) return textField({ keys, at }, 'end');
  const { date: _, ignoreOffset: __, hour: ___, ...plain } = rule as Record<string, unknown>;
  return textField({ keys: { end: plain }, at }, 'end');
}

function compileVenueTarget(value: unknown): ReadRecord {
  const read = compileVenue(value, 'fields');
  return (record) => [{ target: 'venues', venue: read(record) }];
}

function compileVenue(value: unknown, at: string): (record: unknown) => VenueListing {
  const keys = knownKeys(value, at, VENUE_KEYS);
  if (keys.name === undefined) throw new MappingError(`${at}.name`, 'wanted a rule, got nothing');
  const rules: RuleSet = { keys, at };
  const point = pointField(rules);
  const locate =
    keys.locate === undefined
      ? []
      : list(keys.locate, `${at}.locate`).map((hint, index) => compileHint(hint, `${at}.locate[${index}]`));
  const said = {
    externalId: textField(rules, 'externalId'),
    name: textField(rules, 'name'),
    type: textField(rules, 'type'),
    address: textField(rules, 'address'),
    capacityTier: textField(rules, 'capacityTier'),
    capacity: capacityField(rules, 'capacity'),
    isVerified: flagField(rules, 'isVerified'),
    website: urlField(rules, 'website'),
    neighborhood: textField(rules, 'neighborhood'),
  };
  return (record) =>
    venueListing({
      ...readAll(said, record),
      latitude: point(record)?.latitude ?? null,
      longitude: point(record)?.longitude ?? null,
      hints: locate.flatMap((hint) => hint(record) ?? []),
    });
}

function readAll<Readers extends Record<string, (record: unknown) => unknown>>(
  readers: Readers,
  record: unknown,
): { [Name in keyof Readers]: ReturnType<Readers[Name]> } {
  const entries = Object.entries(readers).map(([name, read]) => [name, read(record)]);
  return Object.fromEntries(entries) as { [Name in keyof Readers]: ReturnType<Readers[Name]> };
}

function compileHint(value: unknown, at: string): (record: unknown) => PlaceHint | null {
  const keys = knownKeys(value, at, ['venue', 'neighborhood', 'point']);
  for (const kind of ['venue', 'neighborhood'] as const) {
    if (keys[kind] === undefined) continue;
    const read = textField({ keys, at }, kind);
    return (record) => {
      const name = read(record);
      return name === null ? null : { kind, name };
    };
  }
  const read = pointField({ keys, at });
  return (record) => {
    const point = read(record);
    return point && { kind: 'point', ...point };
  };
}

function isZone(value: unknown): value is string {
  try {
    return typeof value === 'string' && createCityTime(value) !== null;
  } catch {
    return false;
  }
}

export const MAPPING_KEYS = ['target', 'records', 'each', 'unwrap', 'delimiter', 'zone', 'locale', 'drop', 'fields'] as const;
export const VENUE_KEYS = [
  'externalId',
  'name',
  'type',
  'address',
  'latitude',
  'longitude',
  'point',
  'capacity',
  'capacityTier',
  'isVerified',
  'website',
  'neighborhood',
  'locate',
] as const;
export const EVENT_KEYS = [
  'externalId',
  'seriesId',
  'title',
  'category',
  'categoryWords',
  'start',
  'end',
  'zone',
  'isAllDay',
  'description',
  'image',
  'url',
  'isFree',
  'priceMin',
  'priceMax',
  'priceText',
  'status',
  'performers',
  'tags',
  'sources',
  'organizer',
  'isOnline',
  'venue',
] as const;
