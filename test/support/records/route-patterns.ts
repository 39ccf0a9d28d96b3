/** The routes of the pages, as one list. */

import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '../../../src/web/routes.ts';

/** Patterns such as `/desk/events/:id`, with the file that answers. */
export function routePatterns(): { pattern: string; file: string }[] {
  const walk = (entries: readonly RouteConfigEntry[], above: string): { pattern: string; file: string }[] =>
    entries.flatMap(({ path = '', file, children = [] }) => {
      const pattern = `${above}/${path}`.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
      return children.length > 0 ? walk(children, pattern) : [{ pattern, file }];
    });
  return walk(routes as RouteConfigEntry[], '');
}
