/** From pairs to events: which listings of a set are one, and what a person is to be asked. */

import { compareText } from '../../values/compare-text.ts';
import { blockKeysOf, candidatePairs } from './candidate-pairs.ts';
import { type Judgement, judge } from './compare-events.ts';
import { type ComparedEvent, listingKey, nightOf, type ProviderClocks, readEvent } from './compared-event.ts';
import type { EventFacts, PairDecision, PairVerdict } from './compared-facts.ts';
import type { PlaceKinship } from './event-thresholds.ts';
import { explain } from './explain-judgement.ts';
import { createGroups, type PairStatus } from './groups.ts';
import { crowdedListings } from './houses.ts';
import { rememberedKinship } from './place-kinship.ts';

export interface Clusters {
  /** Ids, each in one group; sorted, in groups and between them. */
  groups: string[][];
  /** Between two groups the best review candidate alone; sorted by score, the likeliest first. */
  asks: { left: string; right: string; verdict: PairVerdict }[];
  /** Pairs that are one event but for their places. */
  coListings: CoListing[];
}

/**
 * A function of the set: the order of the facts and of the decisions does not matter.
 *
 * First come the persons: what they held apart stays apart, and what they joined is joined, in order of ids, as long as that keeps
 * apart what is to be. Then the pairs that are the same join their groups, the highest score first, then the titles that are more
 * alike, then by the providers' ids; a join is left out where it would bring together two that are firmly different (`compare-events`); two providers' titles that are merely
 * unlike may meet in a third.
 * What persons joined counts as one listing in this: it is different from another only where no pair between them is the same.
 *
 * Ids of facts are unique. Decisions on ids that are not in the set are ignored.
 */
export function clusterEvents(
  facts: readonly EventFacts[],
  context: {
    clocks: ProviderClocks;
    decisions: readonly PairDecision[];
    /** The event that a listing has been until now. Once one, always one, unless facts contradict. */
    earlierOf?: (id: string) => string | null;
    /** Remembers pairs of places, for callers that look at the same events again. */
    kinship?: ReturnType<typeof rememberedKinship>;
  },
): Clusters {
  const { clocks, decisions, kinship = rememberedKinship() } = context;
  const judgements: Judgement[] = [];
  const crowds = new Map<string, number>();
  const read = (fact: EventFacts) => readEvent(fact, clocks, crowds.get(fact.id));
  // Night by night, for what is read of an event is much larger than the event.
  const compared = facts.filter(({ isOwnWord }) => !isOwnWord);
  for (const night of Map.groupBy(compared, (fact) => nightOf(fact, clocks)).values()) {
    for (const [id, crowd] of crowdedListings(night, clocks)) crowds.set(id, crowd);
    for (const [a, b] of candidatePairs(night.map(read), blockKeysOf)) {
      const judgement = judge(a, b, kinship);
      if (judgement.outcome !== 'different') judgements.push(judgement);
    }
  }
  const wereOne = (left: string, right: string): boolean => {
    const earlier = context.earlierOf?.(left) ?? null;
    return earlier !== null && earlier === context.earlierOf?.(right);
  };
  if (context.earlierOf) judgements.push(...movedApart(compared, context.earlierOf, { read, kinship }));
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const known = new Map(judgements.flatMap(({ left, right }) => [left, right].map((event) => [event.fact.id, event])));
  const standing = (left: string, right: string): PairStatus => {
    const [a, b] = [byId.get(left), byId.get(right)];
    if (!a || !b || a.isOwnWord || b.isOwnWord) return 'open';
    const { outcome, isFirm } = judge(known.get(left) ?? read(a), known.get(right) ?? read(b), kinship, wereOne(left, right));
    return outcome === 'same' ? 'same' : outcome === 'different' && isFirm ? 'different' : 'open';
  };
  return join(createGroups([...byId.keys()], standing), judgements, decisions);
}

/** Pairs that were one event, of which one provider has moved the start: joined last, if they would be one but for that. */
function movedApart(
  facts: readonly EventFacts[],
  earlierOf: (id: string) => string | null,
  { read, kinship }: { read: (fact: EventFacts) => ComparedEvent; kinship: ReturnType<typeof rememberedKinship> },
): Judgement[] {
  const moved: Judgement[] = [];
  for (const [earlier, members] of Map.groupBy(facts, ({ id }) => earlierOf(id))) {
    if (earlier === null || members.every(({ startsAt }) => startsAt === members[0]?.startsAt)) continue;
    const events = members.map(read);
    for (const [index, left] of events.entries())
      for (const right of events.slice(0, index)) {
        const judgement = judge(left, right, kinship, true);
        if (judgement.outcome === 'same' && judge(left, right, kinship).outcome !== 'same')
          moved.push({ ...judgement, score: 0 });
      }
  }
  return moved;
}

/** @param judgements those that are the same or a review candidate; in any order. */
function join(
  groups: ReturnType<typeof createGroups>,
  judgements: readonly Judgement[],
  decisions: readonly PairDecision[],
): Clusters {
  const ids = new Set(groups.all().flat());
  const known = decisions.filter(({ left, right }) => left !== right && ids.has(left) && ids.has(right)).sort(byIds);
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
    coListings: judgements.flatMap((judgement) => coListingOf(judgement) ?? []).sort(byIds),
    asks: [...asks.values()].map((judgement) => ({
      left: judgement.left.fact.id,
      right: judgement.right.fact.id,
      verdict: explain(judgement),
    })),
  };
}

const pairKey = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`);

const byIds = (a: Pick<PairDecision, 'left' | 'right'>, b: Pick<PairDecision, 'left' | 'right'>): number =>
  compareText(pairKey(a.left, a.right), pairKey(b.left, b.right));

/** Equal scores: the titles that are more alike, then what the providers call their listings; our own ids say nothing about events. */
const byScore = (a: Judgement, b: Judgement): number =>
  b.score - a.score ||
  (b.titles?.likeness ?? 0) - (a.titles?.likeness ?? 0) ||
  compareText(listedKey(a), listedKey(b)) ||
  compareText(pairKey(a.left.fact.id, a.right.fact.id), pairKey(b.left.fact.id, b.right.fact.id));

const listedKey = ({ left, right }: Judgement): string => pairKey(listingKey(left.fact), listingKey(right.fact));

export type CoListingKinship = Extract<PlaceKinship, 'alias' | 'namesake' | 'near' | 'different'>;

export interface CoListing {
  /** Ids of the two listings. */
  left: string;
  right: string;
  /** What names and points say of the two places. */
  kinship: CoListingKinship;
}

/**
 * Pairs of listings that are one event but for their places: evidence that two names are of one venue. Null where the places are one
 * already, where one is unknown, or where more than the place is in doubt.
 */
function coListingOf({ left, right, start, place, titles, outcome }: Judgement): CoListing | null {
  if (outcome === 'different' || start !== 'exact' || titles === null || titles.doubt !== null) return null;
  if (left.fact.provider === right.fact.provider) return null;
  if (place === null || place === 'same' || place === 'room' || place === 'unknown') return null;
  const [likeness, told] = place === 'different' ? APART_LIMIT : NEAR_LIMIT;
  if (titles.likeness < likeness || titles.told < told) return null;
  return { left: left.fact.id, right: right.fact.id, kinship: place === 'similar' ? 'near' : place };
}

/** Least likeness of the titles, and the least weight of the words that they share. */
const NEAR_LIMIT = [0.75, 1] as const;
const APART_LIMIT = [0.9, 2.5] as const;
