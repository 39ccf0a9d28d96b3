/** Queries that were just read. Callers ask the same again and again, and what a query means depends on nothing but the city's zone. */

import { type CityTime, createCityTime } from '../../city/index.ts';
import { absentValues, type ParameterTable, parseQuery, type ReadQuery, readParameters } from '../../query/index.ts';
import type { AnyRoute } from '../route.ts';

export interface ParsedQueries {
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
const emptyQueries = new Map<AnyRoute, ReadQuery<ParameterTable>>();

const MAX_KEPT = 2_000;
/** Characters; longer queries are seldom asked twice. */
const MAX_QUERY_CHARS = 500;
