/** A mapping file: how the records of one provider become listings. Its keys are listed in docs/providers.md. */

import { createCityTime } from '../../values/city-time.ts';
import { eventListing, type Listing, venueListing } from '../listing.ts';
import { compileLocales } from './date-field.ts';
import { compileEvent, type MappedRecord } from './event-fields.ts';
import { compileNext, type FindNextPage } from './next-page.ts';
import { compileTest, knownKeys, list, MappingError } from './rules.ts';
import { compileShift } from './shift.ts';
import { compileVenue } from './venue-fields.ts';

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
  /** IANA zone of wall clocks; null: the city's. */
  zone: string | null;
  /** Languages of dates in words; empty: the city's. */
  locales: readonly string[];
  /** Of a JSON document. */
  next: FindNextPage;
  /**
   * Several where its date lists several days; null for a record that the mapping drops. `listing`: what is known of the record without
   * the mapping.
   */
  read(record: unknown, listing?: Listing): MappedRecord | null;
}

export type CompiledMapping = { ok: true; mapping: Mapping } | { ok: false; field: string; reason: string };

/** `over`: what the kind reads by itself, where the mapping lies over it. `today`: `YYYY-MM-DD`, for dates without a year. */
export interface MappingContext {
  today?: string | null;
  over?: Mapping['target'] | null;
}

/** Checks a mapping and prepares it. The refusal says which part is wrong and what was wanted there. */
export function compileMapping(value: unknown, context: MappingContext = {}): CompiledMapping {
  try {
    return { ok: true, mapping: compile(value, context) };
  } catch (error) {
    if (error instanceof MappingError) return { ok: false, field: error.field, reason: error.message };
    throw error;
  }
}

function compile(value: unknown, { today = null, over = null }: MappingContext): Mapping {
  const keys = knownKeys(value, 'mapping', MAPPING_KEYS);
  const target = targetOf(keys.target, over);
  const recordKeys = compileRecordKeys(keys, over);
  const { zone = null } = keys;
  if (zone !== null && !isZone(zone)) throw new MappingError('zone', 'wanted an IANA time zone');
  const drop = keys.drop === undefined ? [] : list(keys.drop, 'drop').map((test, index) => compileTest(test, `drop[${index}]`));
  const locales = compileLocales(keys.locale);
  const shift = compileShift(keys.shift);
  const fields = over === null ? keys.fields : (keys.fields ?? {});
  const context = { dates: { locales, today }, zone, shift, isOver: over !== null };
  const read = target === 'events' ? compileEventTarget(fields, context) : compileVenueTarget(fields, context);
  return {
    target,
    ...recordKeys,
    zone,
    locales,
    paths: new Set(textsIn([keys.fields, keys.drop])),
    read: (record, listing) => (drop.some((test) => test(record)) ? null : read(record, listing)),
  };
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}

function targetOf(value: unknown, over: Mapping['target'] | null): Mapping['target'] {
  const target = value ?? over ?? 'events';
  if (over !== null && target !== over) throw new MappingError('target', `wanted ${over}, as the kind reads them`);
  if (target !== 'events' && target !== 'venues') throw new MappingError('target', 'wanted events or venues');
  return target;
}

type RecordKeys = Pick<Mapping, 'records' | 'each' | 'unwrap' | 'delimiter' | 'next'>;

/** How the records of a document are found. A mapping that lies over a kind does not say that. */
function compileRecordKeys(keys: Record<string, unknown>, over: Mapping['target'] | null): RecordKeys {
  const known = over === null ? undefined : RECORD_KEYS.find((name) => keys[name] !== undefined);
  if (known !== undefined) throw new MappingError(known, `wanted no ${known}: the kind finds its records itself`);
  const { records = '', each = null, unwrap = null, delimiter = null } = keys;
  if (typeof records !== 'string') throw new MappingError('records', 'wanted a path such as data.events');
  if (each !== null && (typeof each !== 'string' || each === '')) throw new MappingError('each', 'wanted a path such as dates');
  if (unwrap !== null && unwrap !== 'assignment') throw new MappingError('unwrap', 'wanted assignment');
  if (delimiter !== null && (typeof delimiter !== 'string' || delimiter.length !== 1))
    throw new MappingError('delimiter', 'wanted one character');
  return { records, each, unwrap, delimiter, next: compileNext(keys.next) };
}

type ReadTarget = (record: unknown, listing?: Listing) => MappedRecord;

function compileEventTarget(value: unknown, context: Parameters<typeof compileEvent>[1]): ReadTarget {
  const read = compileEvent(value, context);
  return (record, listing) => read(record, listing?.target === 'events' ? listing.event : eventListing({}));
}

function compileVenueTarget(value: unknown, context: { isOver: boolean }): ReadTarget {
  const read = compileVenue(value, 'fields', context);
  return (record, listing) => {
    const known = listing?.target === 'venues' ? listing.venue : venueListing({});
    return [{ target: 'venues', venue: read(record, known) }];
  };
}

function isZone(value: unknown): value is string {
  try {
    return typeof value === 'string' && createCityTime(value) !== null;
  } catch {
    return false;
  }
}

/** How records are found, for a mapping that reads them. */
export const RECORD_KEYS = ['records', 'each', 'unwrap', 'delimiter', 'next'] as const;
export const MAPPING_KEYS = [
  'target',
  'records',
  'each',
  'unwrap',
  'delimiter',
  'next',
  'zone',
  'locale',
  'shift',
  'drop',
  'fields',
] as const;
