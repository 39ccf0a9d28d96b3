/** Which venue each venue record is, and what the venues are after it. */

import type { VenueWrite } from '../../records/index.ts';
import { distanceInCity } from '../../values/distance.ts';
import type { VenueDraft } from '../drafts.ts';
import { groupPlaces, type PlaceGroups } from '../identity/place-groups.ts';
import type { Locate } from '../normalize/locate.ts';
import { assignTargets, byAge, publicIdOf } from './assign.ts';
import { mergeVenue } from './merge-venue.ts';
import { placeFacts, type VenueRecord } from './record.ts';

/** A venue as its sources describe it. */
export type VenueFacts = Omit<VenueWrite, 'isHidden'>;

export interface VenueGroup {
  /** As its sources say it. */
  said: VenueFacts;
  /** The same with the operator's corrections. */
  venue: VenueWrite;
  members: readonly VenueRecord[];
  /** Stood for another, or for nothing, and stands for itself again. */
  isRevived: boolean;
}

export interface VenuePlan {
  /** Those that differ from what is held: a member is new or changed, or belongs elsewhere than before. */
  groups: VenueGroup[];
  mergers: { id: string; into: string }[];
  /** The venue of every present record, by record and by source and external id. */
  venueOf(recordId: string): string | undefined;
  venueOfKey(sourceId: string, externalId: string): string | undefined;
  asks: { left: string; right: string; score: number; evidence: readonly object[] }[];
}

export interface VenueContext {
  locate: Locate;
  /** Trust by source id, 0–1. */
  trustOf(sourceId: string): number;
  decisions: readonly { left: string; right: string; verdict: 'same' | 'different' }[];
}

/** `records` are all present ones, those of this run in their new state. The operator's corrections are not in it yet. */
export function planVenues(records: readonly VenueRecord[], { locate, trustOf, decisions }: VenueContext): VenuePlan {
  const byId = new Map(records.map((record) => [record.id, record]));
  const grouped = groupPlaces(records.map(placeFacts), { decisions });
  const { groups: houses, rooms } = withRooms(grouped, byId);
  const groups = houses.flatMap((members) => apart(members, decisions));
  const assigned = assignTargets(groups, ({ id, firstSeenAt }) => publicIdOf(`${id} again`, firstSeenAt));
  const venueOf = new Map(assigned.groups.flatMap(({ targetId, members }) => members.map(({ id }) => [id, targetId] as const)));
  const byKey = new Map(records.map(({ sourceId, externalId, id }) => [`${sourceId} ${externalId}`, venueOf.get(id)]));
  const losers = new Set(
    records.flatMap(({ id, targetId }) => (targetId !== null && venueOf.get(id) !== targetId ? [targetId] : [])),
  );
  const touched = assigned.groups.filter(
    ({ targetId, members }) => losers.has(targetId) || members.some((member) => member.isChanged || member.targetId !== targetId),
  );
  return {
    groups: touched.map(({ targetId, members }) => {
      const said = { id: targetId, ...mergeVenue(members, { locate, trustOf, rooms }) };
      const isRevived = members.every((member) => member.targetId !== targetId);
      return { said, venue: said, members, isRevived };
    }),
    mergers: assigned.mergers,
    venueOf: (recordId) => venueOf.get(recordId),
    venueOfKey: (sourceId, externalId) => byKey.get(`${sourceId} ${externalId}`),
    asks: grouped.asks.map(({ left, right, verdict }) => ({ left, right, score: verdict.score, evidence: verdict.evidence })),
  };
}

/** Ids of those that speak of a room of a house that is among them. */
export function roomsAmong(records: readonly VenueRecord[], decisions: VenueContext['decisions']): ReadonlySet<string> {
  const byId = new Map(records.map((record) => [record.id, record]));
  return withRooms(groupPlaces(records.map(placeFacts), { decisions }), byId).rooms;
}

/** Rooms are no venues of their own where the house is listed, too: they join it. A meadow far inside a park stays itself. */
function withRooms(
  { groups, rooms }: PlaceGroups,
  byId: ReadonlyMap<string, VenueRecord>,
): { groups: VenueRecord[][]; rooms: ReadonlySet<string> } {
  const members = new Map(groups.map((ids) => [ids[0] ?? '', ids.flatMap((id) => byId.get(id) ?? [])]));
  const home = new Map<string, string>();
  const homeOf = (id: string): string => {
    let at = id;
    for (let step = 0; step < MAX_NESTED && home.has(at); step++) at = home.get(at) ?? at;
    return at;
  };
  for (const { room, house } of rooms) {
    const [inner, outer] = [exactPoint(members.get(room)), exactPoint(members.get(house))];
    if (inner && outer && distanceInCity(inner, outer) <= SAME_SITE_METERS && homeOf(house) !== room) home.set(room, house);
  }
  return {
    groups: [...Map.groupBy(members, ([id]) => homeOf(id)).values()].map((entries) => entries.flatMap(([, records]) => records)),
    rooms: new Set([...members].flatMap(([id, records]) => (homeOf(id) === id ? [] : records.map((record) => record.id)))),
  };
}

function exactPoint(records: readonly VenueRecord[] | undefined): VenueDraft | undefined {
  return records?.map(({ listing }) => listing).find(({ isApproximate }) => !isApproximate);
}

/**
 * Venues of a bundle are the operator's own word: each is a venue of its own, unless a person has said that two are one, and what others
 * list there joins the oldest.
 */
function apart(members: readonly VenueRecord[], decisions: VenueContext['decisions']): VenueRecord[][] {
  const bundled = members.filter(({ isBundle }) => isBundle).sort(byAge);
  if (bundled.length < 2) return [[...members]];
  const joined = joinedByPersons(members, decisions);
  const [first = [], ...others] = Map.groupBy(bundled, ({ id }) => joined.get(id)).values();
  return [[...first, ...members.filter(({ isBundle }) => !isBundle)], ...others];
}

/** By record, the one that stands for all with which persons have made it one. */
function joinedByPersons(members: readonly VenueRecord[], decisions: VenueContext['decisions']): Map<string, string> {
  const leads = new Map(members.map(({ id }) => [id, id]));
  for (const { left, right, verdict } of decisions) {
    const [one, other] = [leads.get(left), leads.get(right)];
    if (verdict !== 'same' || one === undefined || other === undefined) continue;
    for (const [id, lead] of leads) if (lead === other) leads.set(id, one);
  }
  return leads;
}

/** A large building with all its doors. */
const SAME_SITE_METERS = 250;
/** A room in a room in a house. */
const MAX_NESTED = 3;
