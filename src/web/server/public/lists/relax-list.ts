/** Why a list is empty: each filter is left out once, and the search counts what would be found. */

import type { ListRelaxation } from '../../../model/lists/list-facts.ts';
import { type ListQuery, TIME_NAMES, without } from '../../../model/lists/list-paths.ts';

/** The best first; empty where leaving out one filter does not help. */
export function relaxList(
  query: ListQuery,
  { count, pathOf }: { count: (query: ListQuery) => number; pathOf: (query: ListQuery) => string },
): ListRelaxation[] {
  const names = Object.keys(query).filter((name) => !NO_FILTERS.has(name));
  const groups = names.map((name) => [name, ...(isTime(name) ? names.filter((other) => other !== name && isTime(other)) : [])]);
  const seen = new Set<string>();
  return groups
    .flatMap((group) => {
      const [name = ''] = group;
      const key = group.toSorted().join();
      if (seen.has(key)) return [];
      seen.add(key);
      const rest = without(query, ...group);
      return [{ name, value: query[name] ?? '', total: count(rest), path: pathOf(rest) }];
    })
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total)
    .slice(0, MAX_OFFERED);
}

const isTime = (name: string): boolean => (TIME_NAMES as readonly string[]).includes(name);
/** They exclude nothing by themselves. */
const NO_FILTERS: ReadonlySet<string> = new Set(['sort', 'limit', 'offset', 'radius', 'verified']);
const MAX_OFFERED = 3;
