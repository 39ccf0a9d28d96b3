/** Which of many answers can be among the first: the points of the others are too few, so nobody computes them. */

import type { SnapshotData } from '../snapshot-data.ts';
import { groupsOf } from '../structures/grouped-ranks.ts';
import { intersect, members, type RankSet, union } from '../structures/rank-set.ts';
import type { RelevanceUnits } from './relevance.ts';
import type { FieldSets } from './units.ts';
import { QUALITY } from './weights.ts';

/** Those of the members among which the first `count` must be; all, where that is not known. */
export function firstCandidates(
  events: SnapshotData['events'],
  matching: RankSet,
  { units, preferred = [], isComplete = false }: RelevanceUnits,
  count: number,
): RankSet {
  if (units.length === 0 || preferred.length > 0 || matching.size <= count) return matching;
  const typed = units.flatMap(({ fields: [first] }) => (first?.quality === QUALITY.exact ? [first] : []));
  if (typed.length < units.length) return matching;
  const named = allInNames(matching, typed, count, events.n);
  if (named) return named;
  const isOneSpelling = units.every(({ fields, category }) => fields.length === 1 && category.size === 0);
  return (isComplete && isOneSpelling && beyondText(events, matching, typed, count)) || matching;
}

/** If so many titles hold all words, nothing comes before them that has a word neither in its title nor in a name. */
function allInNames(matching: RankSet, typed: readonly FieldSets[], count: number, n: number): RankSet | null {
  const titled = intersect([matching, ...typed.map(({ title }) => title)], n);
  if (titled.size < count) return null;
  return intersect([matching, ...typed.map(({ title, names }) => (names.size === 0 ? title : union([title, names], n)))], n);
}

/** All words in nothing but descriptions: the fewest points that there are. */
function beyondText(
  { byVenue, n }: SnapshotData['events'],
  matching: RankSet,
  typed: readonly FieldSets[],
  count: number,
): RankSet | null {
  if (typed.some(({ slots }) => slots.size > MAX_VENUES)) return null;
  const sets = typed.flatMap(({ title, names, tags, slots }) => [title, names, tags, groupsOf(byVenue, members(slots))]);
  const found = intersect([matching, union(sets, n)], n);
  return found.size < count ? null : found;
}

/** The events of more are not put together. */
const MAX_VENUES = 50;
