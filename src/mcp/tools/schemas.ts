/** Arguments and outputs that several tools have. Few words: a model reads all of it before the first call. */

import {
  CATEGORIES,
  EVENT_FIELDS,
  type FieldKind,
  type FieldRow,
  type FieldTable,
  VENUE_FIELDS,
  VENUE_TYPES,
} from '../../records/index.ts';
import { NAMED_WINDOWS, WEEKDAYS } from '../../values/named-window.ts';
import type { JsonObject } from '../protocol/message.ts';
import type { ArgumentSchema } from './tool.ts';

/** Without `enum`: people say more words for times than any list has, and a date is one too. */
const SPANS = NAMED_WINDOWS.filter((name) => !WEEKDAYS.some((weekday) => weekday === name));
export const WHEN: ArgumentSchema = { type: 'string', description: `${SPANS.join(', ')}, a weekday or a date` };
export const CATEGORY: ArgumentSchema = { type: 'array', items: { type: 'string', enum: CATEGORIES } };
export const VENUE_TYPE: ArgumentSchema = { type: 'array', items: { type: 'string', enum: VENUE_TYPES } };
export const TEXT: ArgumentSchema = { type: 'string' };
export const NEIGHBORHOOD: ArgumentSchema = { type: 'string', description: 'slug or name' };
/** The names say the bounds: `read-arguments.ts` holds them. */
const DEGREES: ArgumentSchema = { type: 'number' };
export const NEAR: ArgumentSchema = {
  type: 'object',
  properties: { latitude: DEGREES, longitude: DEGREES },
  required: ['latitude', 'longitude'],
};
export const AREA: ArgumentSchema = {
  type: 'object',
  properties: { west: DEGREES, south: DEGREES, east: DEGREES, north: DEGREES },
  required: ['west', 'south', 'east', 'north'],
};
export const RADIUS: ArgumentSchema = { type: 'integer', minimum: 1, maximum: 50_000 };
export const MAX_CHARS: ArgumentSchema = { type: 'integer', minimum: 2_000, maximum: 20_000, default: 6_000 };
export const limitOf = (maximum: number, fallback: number): ArgumentSchema => ({
  type: 'integer',
  minimum: 1,
  maximum,
  default: fallback,
});

const STRING: JsonObject = { type: 'string' };
const NUMBER: JsonObject = { type: 'number' };
const BOOLEAN: JsonObject = { type: 'boolean' };
export const INTEGER: JsonObject = { type: 'integer' };
const orNull = ({ type, ...rest }: JsonObject): JsonObject => ({ type: [type, 'null'], ...rest });
export const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const STRINGS = listOf(STRING);
export const NOTES = STRINGS;

/** All members are there, but those of `optional`. */
function objectOf(properties: Readonly<Record<string, JsonObject>>, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

const EXCEPTION = {
  from: STRING,
  to: STRING,
  closed: BOOLEAN,
  opens: orNull(STRING),
  closes: orNull(STRING),
  reason: orNull(STRING),
};
/** Other kinds are texts. */
const SCHEMA_OF_KIND: Partial<Record<FieldKind, JsonObject>> = {
  flag: BOOLEAN,
  amount: NUMBER,
  degrees: NUMBER,
  count: INTEGER,
  texts: STRINGS,
  hours: objectOf({
    timezone: STRING,
    weekly: listOf(objectOf({ days: STRINGS, opens: STRING, closes: STRING })),
    exceptions: listOf(objectOf(EXCEPTION)),
  }),
};
/** By the names of the API. */
const SHORTER_NAMES: Readonly<Record<string, string>> = { startDatetime: 'start', endDatetime: 'end' };

/** A field of events or of venues, as answers show it. */
export interface ShownField {
  name: string;
  /** In records of the API. */
  from: string;
  kind: FieldKind;
  schema: JsonObject;
}

/** `names`: in the order of the answers. */
const fieldsOf = <T extends FieldTable>(table: T, names: readonly (keyof T & string)[]): ShownField[] =>
  names.map((field) => {
    const { kind, name, nullable }: FieldRow = table[field] as FieldRow;
    const from = name ?? field;
    const schema = SCHEMA_OF_KIND[kind] ?? STRING;
    return { name: SHORTER_NAMES[from] ?? from, from, kind, schema: nullable ? orNull(schema) : schema };
  });

const membersOf = (fields: readonly ShownField[]): Record<string, JsonObject> =>
  Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));

/** Only its area is known, and the point stands for it. */
const IN_AREA = { type: 'boolean', const: true };
const PLACE = ['neighborhood', 'latitude', 'longitude'] as const;
export const VENUE_OF_EVENT = fieldsOf(VENUE_FIELDS, ['id', 'name', ...PLACE]);
export const BRIEF_EVENT = [
  ...fieldsOf(EVENT_FIELDS, ['id', 'title', 'category', 'startsAt', 'precision']),
  ...fieldsOf(EVENT_FIELDS, ['venueId']).map((field) => ({
    ...field,
    schema: objectOf({ ...membersOf(VENUE_OF_EVENT), isInArea: IN_AREA }, ['isInArea']),
  })),
  ...fieldsOf(EVENT_FIELDS, ['isFree', 'priceMin', 'priceMax', 'status', 'url']),
];
const SOMETIMES = ['startPrecision'];
export const EVENT = objectOf(membersOf(BRIEF_EVENT), SOMETIMES);

const DETAILS = membersOf(fieldsOf(EVENT_FIELDS, ['endsAt', 'description']));
/** With `detail: full` they have their details. */
export const FOUND_EVENT = objectOf({ ...membersOf(BRIEF_EVENT), ...DETAILS }, [...SOMETIMES, ...Object.keys(DETAILS)]);
export const WHOLE_EVENT = objectOf(
  {
    ...membersOf(BRIEF_EVENT),
    ...DETAILS,
    ...membersOf(fieldsOf(VENUE_FIELDS, ['address'])),
    ...membersOf(fieldsOf(EVENT_FIELDS, ['performers', 'tags', 'sources'])),
    currency: STRING,
  },
  SOMETIMES,
);

export const BRIEF_VENUE = fieldsOf(VENUE_FIELDS, [
  'id',
  'name',
  'address',
  'type',
  ...PLACE,
  'capacityTier',
  'upcomingEventCount',
  'url',
]);
export const FOUND_VENUE = objectOf({
  ...membersOf(BRIEF_VENUE),
  nextEvent: orNull(objectOf({ id: STRING, title: STRING, start: STRING, url: STRING })),
});
const METADATA = (Object.keys(VENUE_FIELDS) as (keyof typeof VENUE_FIELDS)[]).filter(
  (field) => VENUE_FIELDS[field].form === 'metadata',
);
export const WHOLE_VENUE = objectOf(membersOf([...BRIEF_VENUE, ...fieldsOf(VENUE_FIELDS, METADATA)]));

/** Members of events or of venues alone, and the link, which an event that just left the lists has not. */
const OF_SOME = {
  ...{ title: STRING, venue: STRING, category: STRING, start: STRING },
  ...{ name: STRING, type: STRING, neighborhood: orNull(STRING) },
  url: STRING,
};
export const TRENDING = objectOf({ id: STRING, trendScore: NUMBER, reason: STRING, ...OF_SOME }, Object.keys(OF_SOME));

const COUNTS_BY_NAME: JsonObject = { type: 'object', additionalProperties: INTEGER };
export const COUNTS = objectOf({ category: COUNTS_BY_NAME, day: COUNTS_BY_NAME, neighborhood: COUNTS_BY_NAME }, ['neighborhood']);

/** What a tool gives: all members are there, and beside a total and what is shown of it the cursor of the rest. */
export function outputOf(members: Readonly<Record<string, JsonObject>>): JsonObject {
  const hasPages = 'total' in members && 'shown' in members;
  return hasPages ? objectOf({ ...members, nextCursor: STRING }, ['nextCursor']) : objectOf(members);
}
