/** Arguments and outputs that several tools have. Few words: a model reads all of it before the first call. */

import { CATEGORIES, VENUE_TYPES } from '../../catalog/index.ts';
import { NAMED_WINDOWS, WEEKDAYS } from '../../city/index.ts';
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

const RECORDS: JsonObject = { type: 'array', items: { type: 'object' } };
const NOTES: JsonObject = { type: 'array', items: { type: 'string' } };

/** An object with lists of records, numbers and notes; all are there. */
export function outputOf(members: Readonly<Record<string, 'records' | 'integer' | 'object' | 'notes'>>): JsonObject {
  const cursor = 'total' in members && 'shown' in members ? { nextCursor: { type: 'string' } } : {};
  const schemas = { records: RECORDS, notes: NOTES, integer: { type: 'integer' }, object: { type: 'object' } };
  const properties = Object.fromEntries(Object.entries(members).map(([name, kind]) => [name, schemas[kind]]));
  return { type: 'object', properties: { ...properties, ...cursor }, required: Object.keys(members) };
}
