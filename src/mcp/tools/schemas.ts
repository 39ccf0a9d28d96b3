/** Arguments and outputs that several tools have. Few words: a model reads all of it before the first call. */

import { CATEGORIES, VENUE_TYPES } from '../../records/index.ts';
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

/** See `briefFacts`. */
const BRIEF_EVENT = {
  id: STRING,
  title: STRING,
  category: STRING,
  start: STRING,
  startPrecision: STRING,
  venue: objectOf({ id: STRING, name: STRING, neighborhood: orNull(STRING), latitude: NUMBER, longitude: NUMBER }),
  isFree: BOOLEAN,
  priceMin: orNull(NUMBER),
  priceMax: orNull(NUMBER),
  status: STRING,
  url: STRING,
};
const SOMETIMES = ['startPrecision'];
export const EVENT = objectOf(BRIEF_EVENT, SOMETIMES);

const DETAILS = { end: orNull(STRING), description: orNull(STRING) };
/** With `detail: full` they have their details. */
export const FOUND_EVENT = objectOf({ ...BRIEF_EVENT, ...DETAILS }, [...SOMETIMES, ...Object.keys(DETAILS)]);
export const WHOLE_EVENT = objectOf(
  {
    ...BRIEF_EVENT,
    ...DETAILS,
    address: orNull(STRING),
    performers: STRINGS,
    tags: STRINGS,
    sources: STRINGS,
    currency: STRING,
  },
  SOMETIMES,
);

/** See `venueFacts`. */
const BRIEF_VENUE = {
  id: STRING,
  name: STRING,
  address: orNull(STRING),
  type: STRING,
  neighborhood: orNull(STRING),
  latitude: NUMBER,
  longitude: NUMBER,
  capacityTier: orNull(STRING),
  upcomingEventCount: INTEGER,
  url: STRING,
};
export const FOUND_VENUE = objectOf({
  ...BRIEF_VENUE,
  nextEvent: orNull(objectOf({ id: STRING, title: STRING, start: STRING, url: STRING })),
});
const EXCEPTION = {
  from: STRING,
  to: STRING,
  closed: BOOLEAN,
  opens: orNull(STRING),
  closes: orNull(STRING),
  reason: orNull(STRING),
};
export const WHOLE_VENUE = objectOf({
  ...BRIEF_VENUE,
  website: orNull(STRING),
  parking: orNull(STRING),
  transitNearby: STRINGS,
  openingHours: orNull(
    objectOf({
      timezone: STRING,
      weekly: listOf(objectOf({ days: STRINGS, opens: STRING, closes: STRING })),
      exceptions: listOf(objectOf(EXCEPTION)),
    }),
  ),
});

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
