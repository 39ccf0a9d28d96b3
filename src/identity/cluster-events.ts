/** From pairs to events: which listings of a set are one, and what a person is to be asked. */

import type { Clocks } from './clocks.ts';
import { explain, type Judgement, judge, placeKinship, type ReadEvent, readEvent } from './compare-events.ts';
import type { PlaceKinship } from './event-thresholds.ts';
import type { EventFacts, PlaceFacts, Verdict } from './model.ts';
import { blockKeys } from './nights.ts';

export interface Decision {
  left: string;
  right: string;
  verdict: 'same' | 'different';
}

export interface Clusters {
  /** Ids, each in one group; sorted, in groups and between them. */
  groups: string[][];
  /** Between two groups the best question alone; sorted by score, the likeliest first. */
  asks: { left: string; right: string; verdict: Verdict }[];
}

/**
 * A function of the set: the order of the facts and of the decisions does not matter.
 *
 * First come the persons: what they held apart stays apart, and what they joined is joined, in order of ids, as long as that keeps
 * apart what is to be. Then the pairs that are the same join their groups, the highest score first, then by ids; a join is left out
 * where it would bring together two that are firmly different (`compare-events`); two whose titles are merely unlike may meet in a third.
 * What persons joined counts as one listing in this: it is different from another only where no pair between them is the same.
 *
 * Facts with an id that occurs twice count once. Decisions on ids that are not in the set are ignored.
 */
export function clusterEvents(
  facts: readonly EventFacts[],
  context: { clocks: Clocks; decisions: readonly Decision[] },
): Clusters {
  const events = new Map(facts.map((fact) => [fact.id, readEvent(fact, context.clocks)]));
  const blocks = Map.groupBy(
    [...events.values()].flatMap((event) => blockKeys(event.fact, context.clocks).map((key) => ({ key, event }))),
    ({ key }) => key,
  );
  const judged = new Map<string, Judgement>();
  const kinship = rememberedKinship();
  for (const block of blocks.values())
    for (const [index, { event: a }] of block.entries())
      for (const { event: b } of block.slice(0, index)) {
        const key = pairKey(a.fact.id, b.fact.id);
        if (!judged.has(key)) judged.set(key, judge(a, b, kinship));
      }
  return join(events, judged, kinship, context.decisions);
}

function join(
  events: ReadonlyMap<string, ReadEvent>,
  judged: ReadonlyMap<string, Judgement>,
  kinship: typeof placeKinship,
  decisions: readonly Decision[],
): Clusters {
  const judgements = [...judged.values()];
  const groups = createGroups([...events.keys()], (left, right) => {
    const [a, b] = [events.get(left), events.get(right)];
    return judged.get(pairKey(left, right)) ?? (a && b ? judge(a, b, kinship) : null);
  });
  const known = decisions.filter(({ left, right }) => left !== right && events.has(left) && events.has(right)).sort(byIds);
  for (const { left, right, verdict } of known) if (verdict === 'different') groups.holdApart(left, right);
  for (const { left, right, verdict } of known) if (verdict === 'same') groups.joinByPerson(left, right);
  const candidates = judgements.filter(({ outcome }) => outcome === 'same').sort(byScore);
  for (const { left, right } of candidates) groups.join(left.fact.id, right.fact.id);
  const decided = new Set(known.map(({ left, right }) => pairKey(left, right)));
  const asks = new Map<string, Judgement>();
  for (const judgement of judgements.filter(({ outcome }) => outcome === 'ask').sort(byScore)) {
    const [left, right] = [judgement.left.fact.id, judgement.right.fact.id];
    if (decided.has(pairKey(left, right)) || !groups.mayJoin(left, right)) continue;
    const between = pairKey(groups.nameOf(left), groups.nameOf(right));
    if (!asks.has(between)) asks.set(between, judgement);
  }
  return {
    groups: groups.all(),
    asks: [...asks.values()].map((judgement) => ({
      left: judgement.left.fact.id,
      right: judgement.right.fact.id,
      verdict: explain(judgement),
    })),
  };
}

interface Group {
  /** The least of its ids. */
  name: string;
  members: string[];
  /** What persons joined: each a part of the group that counts as one listing. */
  units: Set<string>;
}

function createGroups(ids: readonly string[], judgementOf: (left: string, right: string) => Judgement | null) {
  const groupOf = new Map<string, Group>(ids.map((id) => [id, { name: id, members: [id], units: new Set([id]) }]));
  const membersOfUnit = new Map<string, string[]>(ids.map((id) => [id, [id]]));
  const heldApart = new Set<string>();

  const group = (id: string): Group => groupOf.get(id) ?? { name: id, members: [id], units: new Set([id]) };

  function merge(a: Group, b: Group): void {
    const [kept, other] = a.name < b.name ? [a, b] : [b, a];
    kept.members.push(...other.members);
    for (const unit of other.units) kept.units.add(unit);
    for (const id of other.members) groupOf.set(id, kept);
  }

  const isHeldApart = (a: Group, b: Group): boolean =>
    a.members.some((left) => b.members.some((right) => heldApart.has(pairKey(left, right))));

  function areDifferent(a: string, b: string): boolean {
    const [left, right] = [membersOfUnit.get(a) ?? [], membersOfUnit.get(b) ?? []];
    const between = left.flatMap((one) => right.map((other) => judgementOf(one, other)));
    return (
      !between.some((each) => each?.outcome === 'same') && between.some((each) => each?.outcome === 'different' && each.isFirm)
    );
  }

  const mayJoin = (left: string, right: string): boolean => {
    const [a, b] = [group(left), group(right)];
    if (a === b || isHeldApart(a, b)) return false;
    return ![...a.units].some((one) => [...b.units].some((other) => areDifferent(one, other)));
  };

  return {
    holdApart: (left: string, right: string) => void heldApart.add(pairKey(left, right)),

    /** Before any other join: each group is one unit then. */
    joinByPerson(left: string, right: string): void {
      const [a, b] = [group(left), group(right)];
      if (a === b || isHeldApart(a, b)) return;
      merge(a, b);
      const whole = group(left);
      whole.units = new Set([whole.name]);
      membersOfUnit.set(whole.name, whole.members.slice());
    },

    join(left: string, right: string): void {
      if (mayJoin(left, right)) merge(group(left), group(right));
    },

    mayJoin,
    nameOf: (id: string): string => group(id).name,
    all: (): string[][] =>
      [...new Set(groupOf.values())].map(({ members }) => members.sort()).sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1)),
  };
}

/** Places repeat: each pair of them is compared once. */
function rememberedKinship(): typeof placeKinship {
  const numbers = new Map<string, number>();
  const known = new Map<number, PlaceKinship>();
  const numberOf = (place: PlaceFacts): number => {
    const key = [place.name, place.address, place.latitude, place.longitude, place.isApproximate].join('\n');
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  return (a, b) => {
    const [one, other] = [numberOf(a), numberOf(b)];
    const key = Math.min(one, other) * MOST_PLACES + Math.max(one, other);
    const found = known.get(key) ?? placeKinship(a, b);
    known.set(key, found);
    return found;
  };
}

const pairKey = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`);
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byIds = (a: Decision, b: Decision): number => compareText(pairKey(a.left, a.right), pairKey(b.left, b.right));
const byScore = (a: Judgement, b: Judgement): number =>
  b.score - a.score || compareText(pairKey(a.left.fact.id, a.right.fact.id), pairKey(b.left.fact.id, b.right.fact.id));

/** More than any city has; the key of a pair stays an exact integer. */
const MOST_PLACES = 10_000_000;
