/** Which venue each venue record is, and what the venues are after it. */

import type { CapacityTier, VenueWrite } from '../../catalog/index.ts';
import { groupPlaces, type PlaceGroups } from '../../identity/index.ts';
import type { VenueDraft } from '../drafts.ts';
import type { Locate } from '../locate.ts';
import { assignTargets, byAge } from './assign.ts';
import { publicIdOf } from './ids.ts';
import { placeFacts, type VenueRecord } from './record.ts';

export interface VenueGroup {
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

/** `records` are all present ones, those of this run in their new state. */
export function planVenues(records: readonly VenueRecord[], { locate, trustOf, decisions }: VenueContext): VenuePlan {
  const byId = new Map(records.map((record) => [record.id, record]));
  const grouped = groupPlaces(records.map(placeFacts), { decisions });
  const { groups: houses, rooms } = withRooms(grouped, byId);
  const groups = houses.flatMap(apart);
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
    groups: touched.map(({ targetId, members }) => ({
      venue: { id: targetId, ...mergeVenue(members, { locate, trustOf, rooms }) },
      members,
      isRevived: members.every((member) => member.targetId !== targetId),
    })),
    mergers: assigned.mergers,
    venueOf: (recordId) => venueOf.get(recordId),
    venueOfKey: (sourceId, externalId) => byKey.get(`${sourceId} ${externalId}`),
    asks: grouped.asks.map(({ left, right, verdict }) => ({ left, right, score: verdict.score, evidence: verdict.evidence })),
  };
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
    for (let step = 0; step < MOST_NESTED && home.has(at); step++) at = home.get(at) ?? at;
    return at;
  };
  for (const { room, house } of rooms) {
    const [inner, outer] = [exactPoint(members.get(room)), exactPoint(members.get(house))];
    if (inner && outer && metresBetween(inner, outer) <= SAME_SITE_METRES && homeOf(house) !== room) home.set(room, house);
  }
  return {
    groups: [...Map.groupBy(members, ([id]) => homeOf(id)).values()].map((entries) => entries.flatMap(([, records]) => records)),
    rooms: new Set([...members].flatMap(([id, records]) => (homeOf(id) === id ? [] : records.map((record) => record.id)))),
  };
}

function exactPoint(records: readonly VenueRecord[] | undefined): VenueDraft | undefined {
  return records?.map(({ listing }) => listing).find(({ isApproximate }) => !isApproximate);
}

/** Metres between two points of a city: a degree is nearly a constant there. */
function metresBetween(a: VenueDraft, b: VenueDraft): number {
  const north = (a.latitude - b.latitude) * METRES_PER_DEGREE;
  const east = (a.longitude - b.longitude) * METRES_PER_DEGREE * Math.cos((a.latitude * Math.PI) / 180);
  return Math.hypot(north, east);
}

/** Venues of a bundle are the operator's own word: each is a venue of its own, and what others list there joins the oldest. */
function apart(members: readonly VenueRecord[]): VenueRecord[][] {
  const [first, ...others] = members.filter(({ isBundle }) => isBundle).sort(byAge);
  if (!first) return [[...members]];
  return [[first, ...members.filter(({ isBundle }) => !isBundle)], ...others.map((venue) => [venue])];
}

/** `rooms` are ids of records that speak of a room: they do not name the house. */
function mergeVenue(
  members: readonly VenueRecord[],
  { locate, trustOf, rooms }: Pick<VenueContext, 'locate' | 'trustOf'> & { rooms: ReadonlySet<string> },
): Omit<VenueWrite, 'id'> {
  const bundled = members.find(({ isBundle }) => isBundle);
  const ranked = bundled ? [bundled] : [...members].sort((a, b) => trustOf(b.sourceId) - trustOf(a.sourceId) || byContent(a, b));
  const drafts = ranked.map(({ listing }) => listing);
  const first = <T>(value: (draft: (typeof drafts)[number]) => T | null): T | null => {
    for (const draft of drafts) {
      const said = value(draft);
      if (said !== null) return said;
    }
    return null;
  };
  const exact = drafts.filter(({ isApproximate }) => !isApproximate);
  const at = exact[0] ?? drafts[0];
  if (!at) throw new Error('a venue has at least one record');
  const named = bundled ? at : shortestName(nameable(ranked, rooms));
  const capacity = largest(drafts.map(({ capacityTier }) => capacityTier));
  return {
    name: named.name,
    type: named.type,
    address: first(({ address }) => address),
    latitude: at.latitude,
    longitude: at.longitude,
    capacityTier: capacity,
    isVerified: drafts.some(({ isVerified }) => isVerified),
    neighborhood: first(({ neighborhood }) => neighborhood) ?? (at.isApproximate ? null : locate(at.latitude, at.longitude)),
    website: first(({ website }) => website),
    parking: first(({ parking }) => parking),
    transitNearby: drafts.find(({ transitNearby }) => transitNearby.length > 0)?.transitNearby ?? [],
    openingHours: first(({ openingHours }) => openingHours),
  };
}

/** Of the houses with a point of their own, if there are any. */
function nameable(members: readonly VenueRecord[], rooms: ReadonlySet<string>): VenueDraft[] {
  const isHouse = ({ id }: VenueRecord) => !rooms.has(id);
  const isExact = ({ listing }: VenueRecord) => !listing.isApproximate;
  const choices = [members.filter((each) => isHouse(each) && isExact(each)), members.filter(isHouse), members.filter(isExact)];
  return (choices.find(({ length }) => length > 0) ?? members).map(({ listing }) => listing);
}

/**
 * The house rather than one of its rooms: rooms and additions make names longer; `St. Mary's` rather than `St Marys`. Shouted names only
 * where there is no other.
 */
function shortestName<T extends { name: string }>(drafts: readonly T[]): T {
  const loudness = ({ name }: T) => Number(name === name.toUpperCase() && /\p{Lu}{4}/u.test(name));
  const letters = ({ name }: T) => name.replace(/[^\p{L}\p{N}]/gu, '').length;
  const signs = ({ name }: T) => name.replace(/[^'’.-]/g, '').length;
  const [best] = [...drafts].sort(
    (a, b) => loudness(a) - loudness(b) || letters(a) - letters(b) || signs(b) - signs(a) || (a.name < b.name ? -1 : 1),
  );
  if (!best) throw new Error('a venue has at least one name');
  return best;
}

function largest(tiers: readonly (CapacityTier | null)[]): CapacityTier | null {
  return TIERS_DOWN.find((tier) => tiers.includes(tier)) ?? null;
}

function byContent(a: VenueRecord, b: VenueRecord): number {
  return a.contentHash < b.contentHash ? -1 : Number(a.contentHash > b.contentHash);
}

/** A large building with all its doors. */
const SAME_SITE_METRES = 250;
const METRES_PER_DEGREE = 111_320;
/** A room in a room in a house. */
const MOST_NESTED = 3;
const TIERS_DOWN = ['large', 'medium', 'small', 'intimate'] as const satisfies readonly CapacityTier[];
