/**
 * What is remembered of requests, because callers ask the same again and again: what a query means, what a target means with the head of
 * its answer, and the bodies that were just sent. Most answers stay right until an event starts or the directory changes.
 */

import { type Encoding, type ResponseBuffer, type SerializedHeaders, splitTarget } from '../http/index.ts';
import { absentValues, type ParameterTable, parseQuery, type ReadQuery, readParameters } from '../query/index.ts';
import type { Snapshot } from '../search/index.ts';
import { type CityTime, createCityTime } from '../values/city-time.ts';
import type { AnyRoute } from './route.ts';
import { matchRoute, type RouteMatch } from './route-table.ts';

interface ParsedQueries {
  /** `zone`: the city's; `strict`: see `ReadContext`. */
  of(route: AnyRoute, query: string, zone: string, strict: boolean): ReadQuery<ParameterTable>;
}

export function createParsedQueries(): ParsedQueries {
  let known = new Map<string, ReadQuery<ParameterTable>>();
  let city: CityTime | null = null;

  return {
    of(route, query, zone, strict) {
      if (query === '') return emptyQuery(route);
      if (city?.timezone !== zone || known.size >= MAX_KEPT) {
        if (city?.timezone !== zone) city = createCityTime(zone);
        known = new Map();
      }
      const key = `${strict ? '!' : ''}${route.operationId}?${query}`;
      const before = known.get(key);
      if (before) return before;
      const read = readParameters(route.parameters, parseQuery(query), { city, strict });
      if (read.ok && query.length <= MAX_QUERY_CHARS) known.set(key, read);
      return read;
    },
  };
}

/** What is read when nothing is asked: made once for each row. */
function emptyQuery(route: AnyRoute): ReadQuery<ParameterTable> {
  let read = emptyQueries.get(route);
  if (!read) {
    read = { ok: true, values: absentValues(route.parameters), sent: [] };
    emptyQueries.set(route, read);
  }
  return read;
}

export interface BodyCache {
  get(key: string): ResponseBuffer | undefined;
  put(key: string, body: ResponseBuffer): void;
}

/**
 * Two generations: when the young one holds half of `maxBytes` it becomes the old one, and what is asked for again moves back.
 * So the least used half is dropped at once, without bookkeeping on every hit.
 */
export function createBodyCache(maxBytes = MAX_BYTES): BodyCache {
  let young = new Map<string, ResponseBuffer>();
  let old = new Map<string, ResponseBuffer>();
  let youngBytes = 0;

  const put = (key: string, body: ResponseBuffer) => {
    const bytes = body.size + ENTRY_BYTES;
    if (bytes * 2 > maxBytes) return;
    if ((youngBytes + bytes) * 2 > maxBytes) {
      old = young;
      young = new Map();
      youngBytes = 0;
    }
    young.set(key, body);
    youngBytes += bytes;
  };
  return {
    get(key) {
      const body = young.get(key);
      if (body) return body;
      const aged = old.get(key);
      if (aged) {
        old.delete(key);
        put(key, aged);
      }
      return aged;
    },
    put,
  };
}

export interface RequestTarget {
  /** As sent. */
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly match: RouteMatch | null;
  /** Null until there is one. */
  readonly held: Held | null;
}

interface Held {
  answer: HeldAnswer;
  since: number;
  until: number;
  /** Of the snapshot that gave it; the snapshot itself is large and must be let go. */
  edition: number;
}

export interface HeldAnswer {
  etag: string;
  /** Names its body in the cache of bodies. */
  bodyKey: string;
  /** The headers of a 304, of a 200 whose body is sent plain, and of one that is compressed, as they are needed. */
  unchanged: SerializedHeaders;
  plain: SerializedHeaders;
  encoded?: Partial<Record<Encoding, SerializedHeaders>>;
}

export interface RequestTargets {
  of(target: string): RequestTarget;
  /** The answer held for the target, if the directory is the same and it is right at `now` (directory time, ms). */
  answerAt(target: RequestTarget, snapshot: Snapshot, now: number): HeldAnswer | undefined;
  /** `since`: when the answer was given; `until`: before when it is right. */
  hold(target: RequestTarget, snapshot: Snapshot, answer: HeldAnswer, since: number, until: number): void;
}

export function createRequestTargets(): RequestTargets {
  let known = new Map<string, RequestTarget>();
  let newest = Number.NaN;

  return {
    of: (target) => known.get(target) ?? readTarget(target),
    answerAt({ held }, { edition }, now) {
      // A clock that was set back knows nothing of what was right then.
      return held && held.edition === edition && now >= held.since && now < held.until ? held.answer : undefined;
    },
    hold(target, { edition }, answer, since, until) {
      if (target.target.length > MAX_TARGET_CHARS) return;
      if (edition !== newest || known.size >= MAX_KNOWN) known = new Map();
      newest = edition;
      known.set(target.target, { ...target, held: { answer, since, until, edition } });
    },
  };
}

function readTarget(target: string): RequestTarget {
  const { path, query } = splitTarget(target);
  return { target, path, query, match: matchRoute(path), held: null };
}

const emptyQueries = new Map<AnyRoute, ReadQuery<ParameterTable>>();

const MAX_KEPT = 2_000;
/** Characters; longer queries are seldom asked twice. */
const MAX_QUERY_CHARS = 500;
const MAX_BYTES = 32 * 2 ** 20;
/** A key and its place in a map, roughly. */
const ENTRY_BYTES = 256;
const MAX_KNOWN = 1_000;
/** Characters; longer addresses are seldom asked twice. */
const MAX_TARGET_CHARS = 300;
