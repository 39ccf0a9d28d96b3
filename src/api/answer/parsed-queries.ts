/** Queries that were just read. Callers ask the same again and again, and what a query means depends on nothing but the city's zone. */

import { type ParameterTable, type ReadContext, type ReadQuery, readParameters } from '../parameters/parameter.ts';
import { parseQuery } from '../parameters/query-string.ts';
import type { AnyRoute } from '../route.ts';

export interface Readings {
  of(route: AnyRoute, query: string, context: ReadContext): ReadQuery<ParameterTable>;
}

export function createReadings(): Readings {
  let known = new Map<string, ReadQuery<ParameterTable>>();
  let zone = '';

  return {
    of(route, query, context) {
      if (context.city.timezone !== zone || known.size >= MAX_KEPT) {
        known = new Map();
        zone = context.city.timezone;
      }
      const key = `${context.strict ? '!' : ''}${route.operationId}?${query}`;
      const before = known.get(key);
      if (before) return before;
      const read = readParameters(route.parameters, parseQuery(query), context);
      if (read.ok && query.length <= MAX_QUERY_CHARS) known.set(key, read);
      return read;
    },
  };
}

const MAX_KEPT = 2_000;
/** Characters; longer queries are seldom asked twice. */
const MAX_QUERY_CHARS = 500;
