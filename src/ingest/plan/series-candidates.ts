/** Two series that are listed together night after night are one candidate, and its answer counts for all of their nights. */

import type { Kysely } from 'kysely';
import { type EventPlan, type EventRecord, planEvents, type VenueRecord } from '../../facts/index.ts';
import { runKey } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { compareText } from '../../values/compare-text.ts';
import { loadOpenPairs, type ReviewCandidate } from '../decisions/decisions.ts';
import { loadEventRecords } from '../records/read-records.ts';

/** Records to match again. */
export interface ChangesToMatch {
  staged: {
    events: readonly EventRecord[];
    venues: readonly VenueRecord[];
    vanished: readonly { id: string; targetId: string | null }[];
  };
  /** Records whose matches are to be looked at again though nothing about them has changed. */
  revisit?: ReadonlySet<string>;
  /** What is revisited counts though its night is over. */
  reachesBack?: boolean;
  /** Events without a record are removed, not unconfirmed: they were never meant to be. */
  isUndo?: boolean;
}

interface Pair {
  left: string;
  right: string;
}

interface Decision extends Pair {
  verdict: 'same' | 'different';
}

export interface SeriesContext {
  /** All event records that take part in matching, as they are after the run. */
  current: readonly EventRecord[];
  /** Others that a candidate or a decision names: over, or listed no longer. */
  earlier: readonly EventRecord[];
  /** Open candidates about events. */
  open: readonly Pair[];
  /** What people have decided about events, the latest last. */
  decisions: readonly Decision[];
  /** The night that is going on or comes next, `YYYY-MM-DD`. */
  today: string;
}

export interface SeriesCandidates {
  /** Open candidates that are asked no longer: a listing is over or gone, or another night of the series is asked about. */
  stale: readonly Pair[];
  /** Records of coming nights of the same series as these records. */
  comingWith(ids: Iterable<string>): Set<string>;
  /** What people have decided about another night, as decisions about these pairs. */
  answersTo(asks: readonly Pair[]): Decision[];
  /** Of new candidates about events one for each series, none about what is over, and none where one is open on another night. */
  once(candidates: readonly ReviewCandidate[], lookedAt: ReadonlySet<string>): ReviewCandidate[];
}

function seriesCandidates({ current, earlier, open, decisions, today }: SeriesContext): SeriesCandidates {
  const records = new Map([...earlier, ...current].map((record) => [record.id, record]));
  const coming = new Map(current.filter(({ night }) => night >= today).map((record) => [record.id, record]));
  const keyOf = ({ left, right }: Pair): string => {
    const [a, b] = [left, right].map((id) => records.get(id)).map((record) => (record ? listingKey(record) : ''));
    return a && b ? [a, b].sort().join('\n') : `${left}\n${right}`;
  };
  const isComing = ({ left, right }: Pair): boolean => coming.has(left) && coming.has(right);
  const byNight = (a: Pair, b: Pair): number =>
    compareText(coming.get(a.left)?.night ?? '', coming.get(b.left)?.night ?? '') ||
    compareText(a.left + a.right, b.left + b.right);
  const openOf = new Map<string, Pair>();
  for (const pair of open.filter(isComing).sort(byNight)) if (!openOf.has(keyOf(pair))) openOf.set(keyOf(pair), pair);
  const isStale = (pair: Pair): boolean => !isComing(pair) || openOf.get(keyOf(pair)) !== pair;

  return {
    stale: open.filter(isStale),

    comingWith(ids) {
      const keys = new Set([...ids].flatMap((id) => records.get(id) ?? []).map(listingKey));
      if (keys.size === 0) return new Set();
      return new Set([...coming.values()].filter((record) => keys.has(listingKey(record))).map(({ id }) => id));
    },

    answersTo(asks) {
      const answers = new Map(decisions.map((decision) => [keyOf(decision), decision.verdict]));
      return asks.flatMap(({ left, right }) => {
        const verdict = answers.get(keyOf({ left, right }));
        return verdict === undefined ? [] : [{ left, right, verdict }];
      });
    },

    once(candidates, lookedAt) {
      const about = candidates.filter((candidate) => candidate.kind === 'venue' || isComing(candidate));
      const series = Map.groupBy(about, (candidate) => (candidate.kind === 'venue' ? candidate : keyOf(candidate)));
      return [...series].flatMap(([key, group]): ReviewCandidate[] => {
        if (typeof key !== 'string') return group;
        const asked = openOf.get(key);
        if (asked && !(lookedAt.has(asked.left) && lookedAt.has(asked.right))) return [];
        const [first, ...others] = group.toSorted(byNight);
        const chosen = group.find((candidate) => asked !== undefined && isOnePair(candidate, asked)) ?? first;
        if (!chosen || others.length === 0) return group;
        return [{ ...chosen, evidence: [...chosen.evidence, COUNTS_FOR_ALL] }];
      });
    },
  };
}

/** With the records that open candidates and decisions name. */
export async function loadSeries(
  db: Kysely<Database>,
  context: Omit<SeriesContext, 'open' | 'earlier'>,
): Promise<SeriesCandidates> {
  const open = await loadOpenPairs(db, 'event');
  const known = new Set(context.current.map(({ id }) => id));
  const named = new Set([...open, ...context.decisions].flatMap(({ left, right }) => [left, right]));
  return seriesCandidates({ ...context, open, earlier: await loadEventRecords(db, [...named.difference(known)]) });
}

/** All that are listed after the run. */
export function currentRecords(held: readonly EventRecord[], { events, vanished }: ChangesToMatch['staged']): EventRecord[] {
  const replaced = new Set([...events, ...vanished].map(({ id }) => id));
  return [...held.filter(({ id, isGone }) => !isGone && !replaced.has(id)), ...events];
}

/** An answer about one night of two series joins the others; what is answered is not asked. */
export function planWithAnswers(series: SeriesCandidates, input: Parameters<typeof planEvents>[0]): EventPlan {
  const first = planEvents(input);
  const same = series.answersTo(first.asks).filter(({ verdict }) => verdict === 'same');
  const plan = same.length === 0 ? first : planEvents({ ...input, decisions: [...input.decisions, ...same] });
  const answered = new Set(series.answersTo(plan.asks).map(({ left, right }) => `${left} ${right}`));
  return { ...plan, asks: plan.asks.filter(({ left, right }) => !answered.has(`${left} ${right}`)) };
}

/** The same for each performance of a series that a provider lists. */
const listingKey = ({ facts: { provider, title, place } }: EventRecord): string =>
  JSON.stringify([provider, runKey(title), place.name.normalize('NFKC').toLowerCase().trim()]);

const isOnePair = (a: Pair, b: Pair): boolean =>
  (a.left === b.left && a.right === b.right) || (a.left === b.right && a.right === b.left);

const COUNTS_FOR_ALL = {
  kind: 'series',
  speaksFor: 'neither',
  detail: 'These two are listed together more than once. Your answer counts for all of their dates.',
};
