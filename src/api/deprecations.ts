/**
 * What callers should stop using, and until when it works. Answers say so in `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), the OpenAPI
 * document and the page about deprecations say it too. All of them follow one table.
 */

import { DAY_MS } from '../values/duration.ts';
import type { AnyRoute } from './route.ts';
import type { RouteMatch } from './route-table.ts';

export interface Deprecation {
  /** Of an endpoint, as in the route table: `/events`. */
  path: string;
  /** A query parameter of it, also in the other forms of the list. Absent: the endpoint itself. */
  parameter?: string;
  /** The day of the notice, UTC: `YYYY-MM-DD`. */
  announced: string;
  /** From this day on (UTC) it may be gone: `YYYY-MM-DD`. */
  ends: string;
  /** One sentence: what to use from now on. */
  instead: string;
}

/** Nothing yet. A row is an announcement: it stays until what it names is gone. */
export const DEPRECATIONS: readonly Deprecation[] = [];

/** No part of version 1 ends sooner after its notice. */
export const MIN_NOTICE_DAYS = 180;

export interface DeprecationHeaders {
  /** Names and values in turn. */
  list: readonly string[];
  /** For `Link`. */
  link: string;
}

/** Of a match, and the parameters that were used; null where nothing is deprecated. */
export type FindDeprecations = (
  match: RouteMatch | null,
  sent: readonly (readonly [name: string, value: string])[],
) => DeprecationHeaders | null;

/** Throws for a row that names nothing of the API, or ends too soon. `publicUrl` has no trailing slash. */
export function createFindDeprecations(
  deprecations: readonly Deprecation[],
  routes: readonly AnyRoute[],
  publicUrl: () => string,
): FindDeprecations {
  for (const row of deprecations) checkDeprecation(row, routes);
  if (deprecations.length === 0) return () => null;
  return (match, sent) => {
    if (!match) return null;
    const names = new Set(sent.map(([name]) => name));
    const found = deprecations.filter(
      (row) => isOf(row, match.route) && (row.parameter === undefined || names.has(row.parameter)),
    );
    if (found.length === 0) return null;
    // The earliest of several: by then a caller must have changed something.
    const announced = Math.min(...found.map(({ announced }) => Date.parse(announced)));
    const ends = Math.min(...found.map(({ ends }) => Date.parse(ends)));
    const links = found.map(
      (row) => `<${publicUrl()}/docs/deprecation#${deprecationAnchor(row)}>; rel="deprecation"; type="text/html"`,
    );
    return { list: ['Deprecation', `@${announced / 1000}`, 'Sunset', new Date(ends).toUTCString()], link: links.join(', ') };
  };
}

/** The rows about an endpoint or its parameters. */
export function deprecationsOf(route: AnyRoute, deprecations: readonly Deprecation[]): readonly Deprecation[] {
  return deprecations.filter((row) => isOf(row, route));
}

/** Names a row on the page about deprecations: `events-q`, `venues-id-events`. */
export const deprecationAnchor = ({ path, parameter }: Pick<Deprecation, 'path' | 'parameter'>): string =>
  [
    path
      .replace(/[^a-z]+/g, ' ')
      .trim()
      .replaceAll(' ', '-'),
    ...(parameter === undefined ? [] : [parameter]),
  ].join('-');

const isOf = ({ path, parameter }: Deprecation, route: AnyRoute): boolean =>
  route.path === path || (parameter !== undefined && route.form?.of === path && parameter in route.parameters);

function checkDeprecation({ path, parameter, announced, ends }: Deprecation, routes: readonly AnyRoute[]): void {
  const route = routes.find((each) => each.path === path);
  if (!route) throw new Error(`a deprecation names ${path}, which is no endpoint`);
  if (parameter !== undefined && !(parameter in route.parameters))
    throw new Error(`a deprecation names ${parameter}, which is no parameter of ${path}`);
  const days = (Date.parse(ends) - Date.parse(announced)) / DAY_MS;
  if (!(days >= MIN_NOTICE_DAYS))
    throw new Error(`${path} must work for ${MIN_NOTICE_DAYS} days after the notice, not from ${announced} to ${ends}`);
}
