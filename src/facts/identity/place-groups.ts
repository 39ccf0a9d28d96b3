/** From pairs to places: which listings of a set are one place, which are rooms of which, and what a person is to be asked. */

import { compareText } from '../../values/compare-text.ts';
import type { PairDecision, PairVerdict, PlaceFacts } from './compared-facts.ts';
import { createGroups, type PairStatus } from './groups.ts';
import { nameWords } from './names.ts';
import { compareAddresses } from './place-address.ts';
import { isNameWord } from './place-alignment.ts';
import { type Blocks, createBlocks, isLocated } from './place-blocks.ts';
import { ASK_METERS, QUARTER_METERS, SAME_FROM } from './place-limits.ts';
import { placeKey } from './place-name.ts';
import { metersBetween } from './place-point.ts';
import {
  areFarApart,
  type ComparedPlace,
  compareRead,
  type PlaceRelation,
  type PlaceVerdict,
  readPlace,
  relateRead,
  wouldBeSame,
} from './place-relation.ts';
import { KIND_WORDS } from './place-words.ts';

export interface PlaceListing extends PlaceFacts {
  id: string;
  provider: string;
}

export interface PlaceGroups {
  /** Ids, each in one group; sorted, in groups and between them. */
  groups: string[][];
  /** A group that is a room of another, each by its first id; a room has one house. */
  rooms: { room: string; house: string }[];
  /** Two groups, each by one of its ids, that may be one; the likeliest first. */
  asks: { left: string; right: string; verdict: PairVerdict }[];
}

/** A listing as the grouping sees it. */
export interface GroupCandidate extends ComparedPlace {
  id: string;
  provider: string;
}

export interface Pair {
  left: GroupCandidate;
  right: GroupCandidate;
  found: PlaceVerdict;
}

/** About which a person is to be asked. */
interface Doubt extends Pair {
  found: PlaceRelation;
}

type Groups = ReturnType<typeof createGroups>;

/**
 * A function of the set: the order of the places and of the decisions does not matter.
 *
 * First come the persons: what they held apart stays apart, and what they joined is joined. Then the pairs that are the same, the
 * likeliest first; a join is left out where it would bring together two whose names contradict each other. Then names alone: a place
 * without a point joins the only place of its name, and two places of one name that nobody else has are one with a bad point.
 * Listings with an id that occurs twice count once; decisions on ids that are not in the set are ignored.
 */
export function groupPlaces(places: readonly PlaceListing[], context: { decisions: readonly PairDecision[] }): PlaceGroups {
  const candidates = [...new Map(places.map((place) => [place.id, place])).values()]
    .map((place): GroupCandidate => ({ ...readPlace(place), id: place.id, provider: place.provider }))
    .sort((a, b) => compareText(a.id, b.id));
  const blocks = createBlocks(candidates);
  return joinPlaces(candidates, context.decisions, blocks, nearbyPairs(candidates, blocks));
}

/** Each pair of places of one quarter or one address that may be one, or house and room. */
function nearbyPairs(candidates: readonly GroupCandidate[], blocks: Blocks): Pair[] {
  const pairs: Pair[] = [];
  for (const [number, left] of candidates.entries())
    for (const other of new Set([
      ...blocks.nearAfter(number),
      ...blocks.addressed(left),
      ...(left.address ? blocks.named(left) : []),
    ])) {
      const right = candidates[other];
      if (other <= number || !right || areFarApart(left, right)) continue;
      const found = relateRead(left, right);
      if (found.relation !== 'different' && found.relation !== 'unknown') pairs.push({ left, right, found });
    }
  return pairs;
}

/** @param pairs those of the set that are the same, or house and room; in any order. */
export function joinPlaces(
  candidates: readonly GroupCandidate[],
  decisions: readonly PairDecision[],
  blocks: Blocks,
  pairs: readonly Pair[],
): PlaceGroups {
  const byId = new Map(candidates.map((each) => [each.id, each]));
  const standing = (left: string, right: string): PairStatus => {
    const [a, b] = [byId.get(left), byId.get(right)];
    return a && b ? standingOf(a, b) : 'open';
  };
  const groups = createGroups([...byId.keys()], standing);
  const known = decisions.filter(({ left, right }) => left !== right && byId.has(left) && byId.has(right)).sort(byIds);
  for (const { left, right, verdict } of known) if (verdict === 'different') groups.holdApart(left, right);
  for (const { left, right, verdict } of known) if (verdict === 'same') groups.joinByPerson(left, right);
  const sorted = [...pairs].sort(
    (a, b) => b.found.score - a.found.score || compareText(a.left.id, b.left.id) || compareText(a.right.id, b.right.id),
  );
  for (const { left, right, found } of sorted) if (found.relation === 'same') groups.join(left.id, right.id);
  joinAreas(candidates, groups);
  const doubts = joinNamesakes(
    candidates.filter(({ facts }) => !facts.isArea),
    groups,
  );
  return { groups: groups.all(), rooms: linkRooms(candidates, sorted, groups, blocks), asks: asksOf(doubts, groups, known) };
}

/** What does not clearly have one name stays out of a group, so that none grows from one name to another; the ground alone is no reason. */
function standingOf(a: GroupCandidate, b: GroupCandidate): PairStatus {
  if (relateRead(a, b).relation === 'same') return 'same';
  if (a.facts.isArea || b.facts.isArea) return a.facts.isArea && b.facts.isArea ? 'open' : 'different';
  if (placeKey(a.name) === placeKey(b.name)) return 'open';
  return isLocated(a) && isLocated(b) && wouldBeSame(a, b) ? 'open' : 'different';
}

/** Listings of one area, such as `Downtown`, are one place for lists. */
function joinAreas(candidates: readonly GroupCandidate[], groups: Groups): void {
  const areas = candidates.filter(({ facts }) => facts.isArea);
  for (const [first, ...others] of Map.groupBy(areas, ({ facts }) => nameWords(facts.name).join(' ')).values())
    for (const { id } of others) if (first) groups.join(first.id, id);
}

/** Joins places by their name alone where only one place has it; answers with the pairs about which a person is to be asked. */
function joinNamesakes(candidates: readonly GroupCandidate[], groups: Groups): Doubt[] {
  const doubts: Doubt[] = [];
  for (const namesakes of Map.groupBy(candidates, ({ name }) => placeKey(name)).values()) {
    const [first] = namesakes;
    if (!first || namesakes.length === 1 || !first.name.words.some(isNameWord)) continue;
    const located = namesakes.filter(isLocated);
    const doubt = joinTwoSites(located, first.name.words.length > 1, groups);
    if (doubt) doubts.push(doubt);
    const places = new Set(located.map(({ id }) => groups.nameOf(id)));
    if (places.size > 1) continue;
    const [target = first] = located;
    for (const each of namesakes)
      if (!isLocated(each) && relateRead(target, each).score >= SAME_FROM) groups.join(target.id, each.id);
  }
  return doubts;
}

/** Joins two sites of one name where they are close; answers with the pair where a person is to be asked. `isLong`: of several words. */
function joinTwoSites(located: readonly GroupCandidate[], isLong: boolean, groups: Groups): Doubt | null {
  const sites = Map.groupBy(located, ({ id }) => groups.nameOf(id));
  const [lefts, rights] = [...sites.values()];
  if (!lefts || !rights || sites.size !== 2 || areBranches(lefts, rights)) return null;
  const pair = nearestOf(lefts, rights);
  if (isLong && pair.meters <= ASK_METERS && (isOutvoted(lefts, rights) || isOutvoted(rights, lefts))) {
    groups.join(pair.left.id, pair.right.id);
    return null;
  }
  if (isLong && pair.meters <= QUARTER_METERS && !isOneProvidersPair(pair)) {
    groups.join(pair.left.id, pair.right.id);
    return null;
  }
  const limit = isLong && pair.left.provider !== pair.right.provider ? ASK_METERS : QUARTER_METERS;
  return pair.meters <= limit ? pair : null;
}

/** Each is listed with the area of the city that it is in, and these are two. */
function areBranches(lefts: readonly GroupCandidate[], rights: readonly GroupCandidate[]): boolean {
  const quartersOf = (places: readonly GroupCandidate[]) =>
    new Set(places.flatMap(({ facts }) => (facts.quarter === undefined ? [] : [nameWords(facts.quarter).join(' ')])));
  const [left, right] = [quartersOf(lefts), quartersOf(rights)];
  return left.size > 0 && right.size > 0 && left.isDisjointFrom(right);
}

/** Two providers or more agree on a site, and one that is not among them has another: its point is wrong. Other addresses are two places. */
function isOutvoted(few: readonly GroupCandidate[], many: readonly GroupCandidate[]): boolean {
  const [one, ...others] = new Set(few.map(({ provider }) => provider));
  const voters = new Set(many.map(({ provider }) => provider));
  if (one === undefined || others.length > 0 || voters.has(one) || voters.size < MIN_VOTERS) return false;
  return !few.some((a) => many.some((b) => compareAddresses(a.address, b.address).startsWith('different')));
}

const MIN_VOTERS = 2;

/** A provider that prints one name in one way at two points means two places. */
const isOneProvidersPair = ({ left, right }: Pair): boolean => left.provider === right.provider && plain(left) === plain(right);

const plain = ({ facts }: GroupCandidate): string => facts.name.trim().toLowerCase();

function nearestOf(lefts: readonly GroupCandidate[], rights: readonly GroupCandidate[]): Doubt & { meters: number } {
  const [nearest] = lefts
    .flatMap((left) =>
      rights.map((right) => ({ left, right, meters: metersBetween(left.facts, right.facts) ?? Number.POSITIVE_INFINITY })),
    )
    .sort((a, b) => a.meters - b.meters || compareText(a.left.id, b.left.id) || compareText(a.right.id, b.right.id));
  if (!nearest) throw new RangeError('a site has at least one place');
  return { ...nearest, found: compareRead(nearest.left, nearest.right) };
}

function asksOf(doubts: readonly Doubt[], groups: Groups, decided: readonly PairDecision[]): PlaceGroups['asks'] {
  const known = new Set(decided.map(({ left, right }) => pairKey(left, right)));
  return doubts
    .filter(({ left, right }) => groups.mayJoin(left.id, right.id) && !known.has(pairKey(left.id, right.id)))
    .map(({ left, right, found }) => {
      const [first, second] = left.id < right.id ? [left, right] : [right, left];
      const verdict: PairVerdict = { outcome: 'ask', score: found.score, evidence: found.evidence };
      return { left: first.id, right: second.id, verdict };
    })
    .sort((a, b) => b.verdict.score - a.verdict.score || compareText(pairKey(a.left, a.right), pairKey(b.left, b.right)));
}

const pairKey = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`);

const byIds = (a: PairDecision, b: PairDecision): number => compareText(pairKey(a.left, a.right), pairKey(b.left, b.right));

/**
 * Which house a room belongs to. A room is in the likeliest house near it; else in the only house of the directory that has the name of
 * its house; else in the only house of its own provider that has it, with or without a word for its kind: `Rugby, Meeting Room` is in the
 * `Rugby Library`.
 */
function linkRooms(
  candidates: readonly GroupCandidate[],
  pairs: readonly Pair[],
  groups: ReturnType<typeof createGroups>,
  blocks: Blocks,
): { room: string; house: string }[] {
  const houseOf = new Map<string, string>();
  const link = (room: string, house: string): void => {
    const [from, to] = [groups.nameOf(room), groups.nameOf(house)];
    if (from !== to && !houseOf.has(from) && houseOf.get(to) !== from) houseOf.set(from, to);
  };
  for (const { left, right, found } of pairs) {
    if (found.relation === 'room_of') link(left.id, right.id);
    if (found.relation === 'has_room') link(right.id, left.id);
  }
  const ofProvider = Map.groupBy(
    candidates.filter(({ name }) => name.kind === 'house' && name.room === null),
    ({ provider, name }) => `${provider}\n${withoutKind(name.houseWords)}`,
  );
  const onlyOne = (houses: readonly GroupCandidate[]): string | null => {
    const names = new Set(houses.map(({ id }) => groups.nameOf(id)));
    const [first] = names;
    return names.size === 1 && first !== undefined ? first : null;
  };
  for (const { id, provider, name } of candidates) {
    if (!name.isSureRoom) continue;
    const anywhere = blocks.houses(name.house).flatMap((number) => candidates[number] ?? []);
    const house = onlyOne(ofProvider.get(`${provider}\n${name.house}`) ?? []) ?? onlyOne(anywhere);
    if (house !== null) link(id, house);
  }
  return [...houseOf].map(([room, house]) => ({ room, house })).sort((a, b) => (a.room < b.room ? -1 : 1));
}

/** Without the one word at the end that says what kind of house it is. */
const withoutKind = (words: readonly string[]): string =>
  (words.length > 1 && KIND_WORDS.has(words.at(-1) ?? '') ? words.slice(0, -1) : words).join(' ');
