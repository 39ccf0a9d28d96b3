/** What a caller asks of MCP Events, read and checked. */

import { readSavedQuery } from '../../query/index.ts';
import { McpError } from '../protocol/errors.ts';
import { isObject, type JsonObject, textOf } from '../protocol/message.ts';
import { describeProblems } from '../tools/event-query.ts';
import type { ToolPlace } from '../tools/tool.ts';
import { EVENT_KINDS, type EventKind } from './event-kinds.ts';

export interface EventRequest {
  kind: EventKind;
  /** The filters in their one form: a query string of `GET /events`. Empty: everything. */
  query: string;
}

export interface BoundedRequest {
  request: EventRequest;
  /** Of now, directory time, milliseconds; a stream asks again for each page. */
  notBefore: number;
  maxAgeMs: number;
}

/** Throws `McpError`. */
export function readRequest(params: JsonObject, { snapshot, now, opens }: ToolPlace): BoundedRequest {
  const request = readEventRequest(params, { timezone: snapshot.city.timezone, now });
  // The whole log is `GET /changes`, which needs Enterprise: decisions.
  const max = opens('enterprise') ? Number.MAX_SAFE_INTEGER : REPLAY_MS;
  const maxAgeMs = readCount(params, 'maxAgeMs', { min: 0, max, fallback: max });
  return { request, notBefore: now - maxAgeMs, maxAgeMs };
}

/** Throws `McpError`. `now`: directory time, milliseconds. */
function readEventRequest(params: JsonObject, place: { timezone: string; now: number }): EventRequest {
  const kind = EVENT_KINDS.find(({ name }) => name === params.name);
  if (!kind) {
    const names = EVENT_KINDS.map(({ name }) => name).join(', ');
    throw new McpError('event_not_found', `no type of event ${show(params.name)}; the types are ${names}`);
  }
  const given = params.arguments ?? {};
  if (!isObject(given)) throw new McpError('invalid_params', 'arguments must be an object');
  const pairs = Object.entries(given).map(([name, value]): [string, string] => [name, writeValue(name, value)]);
  const read = readSavedQuery(new URLSearchParams(pairs).toString(), place);
  if (read.ok) return { kind, query: read.query };
  throw new McpError('invalid_params', describeProblems(read.errors).join('; '));
}

function writeValue(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  if (isObject(value)) throw new McpError('invalid_params', `argument ${show(name)} must be a text, a number or a list`);
  return String(value ?? '');
}

/** Absent: `fallback`. Throws `McpError`. */
export function readCount(params: JsonObject, name: string, range: { min: number; max: number; fallback: number }): number {
  const value = params[name] ?? range.fallback;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < range.min) {
    throw new McpError('invalid_params', `${name} must be a number from ${range.min}`);
  }
  return Math.min(range.max, Math.floor(value));
}

const show = (value: unknown): string => JSON.stringify(textOf(value).slice(0, MAX_SHOWN));
const MAX_SHOWN = 64;
/** How far back callers without an Enterprise key may begin. */
const REPLAY_MS = 86_400_000;
