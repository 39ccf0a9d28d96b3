/** What a venue is, of what its records say: each field is decided on its own, and the decision can be explained. A pure function. */

import type { CapacityTier, Venue } from '../../records/index.ts';
import { compareText } from '../../values/compare-text.ts';
import { distanceInCity } from '../../values/distance.ts';
import type { VenueDraft } from '../drafts.ts';
import { readAddress } from '../identity/place-address.ts';
import { chooseVenueType } from '../normalize/choose-venue-type.ts';
import type { Locate } from '../normalize/locate.ts';
import { FIRST_WORD, OWN_WORD } from './bundle-listing.ts';
import type { VenueRecord } from './record.ts';

export interface VenueWords {
  locate: Locate;
  /** Trust by source id, 0–1. */
  trustOf(sourceId: string): number;
  /** Ids of records that speak of a room: they do not name the house. */
  rooms: ReadonlySet<string>;
}

export type MergedVenue = Omit<Venue, 'id' | 'slug'>;

export type MergedVenueField =
  | 'name'
  | 'type'
  | 'address'
  | 'coordinates'
  | 'capacity'
  | 'verified'
  | 'website'
  | 'parking'
  | 'transit'
  | 'hours';

export interface VenueFieldChoice {
  field: MergedVenueField;
  value: unknown;
  /** The record whose word counts. */
  recordId: string;
  why: string;
  others: { recordId: string; value: unknown }[];
}

/** `members` has at least one. `explain` is told of each field as it is decided. */
export function mergeVenue(
  members: readonly VenueRecord[],
  { locate, trustOf, rooms }: VenueWords,
  explain?: (choice: VenueFieldChoice) => void,
): MergedVenue {
  const bundled = members.find(({ isBundle }) => isBundle);
  const ranked = bundled ? [bundled] : [...members].sort((a, b) => trustOf(b.sourceId) - trustOf(a.sourceId) || byContent(a, b));
  const [most] = ranked;
  if (!most) throw new Error('a venue has at least one record');
  const decide = <T>(field: MergedVenueField, winner: VenueRecord, said: (draft: VenueDraft) => T, why: string): T => {
    const value = said(winner.listing);
    if (explain) {
      const others = members
        .filter(({ id }) => id !== winner.id)
        .map(({ id, listing }) => ({ recordId: id, value: said(listing) }));
      const unlike = others.filter((other) => JSON.stringify(other.value) !== JSON.stringify(value));
      const isOwn = (id: string) => members.some((member) => member.id === id && member.isBundle);
      const own = unlike.some(({ recordId }) => isOwn(recordId)) ? FIRST_WORD : OWN_WORD;
      const agreed = others.length === 0 ? 'the only source' : 'all sources agree';
      explain({ field, value, recordId: winner.id, why: unlike.length > 0 ? (bundled ? own : why) : agreed, others });
    }
    return value;
  };
  const first = <T>(field: MergedVenueField, said: (draft: VenueDraft) => T | null): T | null =>
    decide(field, ranked.find(({ listing }) => said(listing) !== null) ?? most, said, 'the most trusted source that lists it');

  const at = bundled ?? agreedPoint(ranked, trustOf) ?? bestGuess(ranked);
  const named = bundled ?? shortestName(nameable(ranked, rooms));
  const capacity = largest(ranked);
  const verified = ranked.find(({ listing }) => listing.isVerified) ?? most;
  const transit = ranked.find(({ listing }) => listing.transitNearby.length > 0) ?? most;
  const point = decide(
    'coordinates',
    at,
    ({ latitude, longitude }) => ({ latitude, longitude }),
    'the exact location on which most sources agree, weighted by trust',
  );
  const isExact = at.listing.isApproximate !== true;
  const said = (isExact ? ranked.filter(({ listing }) => !listing.isApproximate) : [at, ...ranked]).map(
    ({ listing }) => listing.neighborhood,
  );
  const neighborhood = said.find((slug) => slug !== null) ?? null;
  return {
    name: decide('name', named, fullySpelled(named, members), 'the shortest name, which is the name of the building'),
    type: bundled ? decide('type', named, ({ type }) => type, OWN_WORD) : chosenType(members, named, rooms, explain),
    address: first('address', ({ address }) => address),
    ...point,
    capacityTier: decide('capacity', capacity ?? most, ({ capacityTier }) => capacityTier, 'the largest capacity counts'),
    isVerified: decide('verified', verified, ({ isVerified }) => isVerified, 'one source that verifies it is enough'),
    neighborhood: neighborhood ?? (isExact ? locate(point.latitude, point.longitude) : null),
    ...(isExact ? {} : { locationPrecision: at.listing.area ? ('area' as const) : ('approximate' as const) }),
    website: first('website', ({ website }) => website),
    parking: first('parking', ({ parking }) => parking),
    transitNearby: decide('transit', transit, ({ transitNearby }) => transitNearby, 'the most trusted source that lists it'),
    openingHours: first('hours', ({ openingHours }) => openingHours),
  };
}

/** A point in a street says more than one of a neighborhood, and that more than one that stands for nothing known. */
const bestGuess = (ranked: readonly VenueRecord[]): VenueRecord => {
  const isStreet = ({ listing }: VenueRecord) => listing.area === undefined;
  const isInArea = ({ listing }: VenueRecord) => listing.neighborhood !== null;
  const guess =
    ranked.find((each) => isStreet(each) && isInArea(each)) ?? ranked.find(isStreet) ?? ranked.find(isInArea) ?? ranked[0];
  if (!guess) throw new Error('a venue has at least one record');
  return guess;
};

/** Of all names and of all that sources list there: the records of rooms count for what plays there alone. */
function chosenType(
  members: readonly VenueRecord[],
  named: VenueRecord,
  rooms: ReadonlySet<string>,
  explain: ((choice: VenueFieldChoice) => void) | undefined,
): VenueDraft['type'] {
  const houses = members.filter(({ id }) => id !== named.id && !rooms.has(id));
  const { type, reason } = chooseVenueType({
    names: [named, ...houses].map(({ listing }) => listing.name),
    // A record of an earlier version has a type without the facts behind it.
    facts: members.map(({ listing }) => listing.typeFacts ?? { listed: listing.type, events: {}, free: {} }),
    capacityTier: largest(members)?.listing.capacityTier ?? null,
    isArea: named.listing.area === 'itself',
  });
  if (explain) {
    const others = members.filter(({ id }) => id !== named.id).map(({ id, listing }) => ({ recordId: id, value: listing.type }));
    explain({ field: 'type', value: type, recordId: named.id, why: reason, others });
  }
  return type;
}

/** Of the houses with a point of their own, if there are any. */
function nameable(members: readonly VenueRecord[], rooms: ReadonlySet<string>): readonly VenueRecord[] {
  const isHouse = ({ id }: VenueRecord) => !rooms.has(id);
  const isExact = ({ listing }: VenueRecord) => !listing.isApproximate;
  const choices = [members.filter((each) => isHouse(each) && isExact(each)), members.filter(isHouse), members.filter(isExact)];
  return choices.find(({ length }) => length > 0) ?? members;
}

/**
 * A name rather than the address that stands for one: `5 Quay St`. The house rather than one of its rooms: rooms and additions make names longer; `St. Mary's` rather than `St Marys`. Shouted names only
 * where there is no other.
 */
function shortestName(records: readonly VenueRecord[]): VenueRecord {
  const isAddress = ({ listing: { name } }: VenueRecord) => Number(readAddress(name)?.from != null);
  const loudness = ({ listing: { name } }: VenueRecord) => Number(name === name.toUpperCase() && /\p{Lu}{4}/u.test(name));
  const letters = ({ listing: { name } }: VenueRecord) => name.replace(/[^\p{L}\p{N}]/gu, '').length;
  const signs = ({ listing: { name } }: VenueRecord) => name.replace(/[^'’.-]/g, '').length;
  const [best] = [...records].sort(
    (a, b) =>
      isAddress(a) - isAddress(b) ||
      loudness(a) - loudness(b) ||
      letters(a) - letters(b) ||
      signs(b) - signs(a) ||
      (a.listing.name < b.listing.name ? -1 : 1),
  );
  if (!best) throw new Error('a venue has at least one name');
  return best;
}

/** `St. Mary's Park` for `St Marys Park`, also where it is only said in `Lawn (in St. Mary's Park)`. */
function fullySpelled({ listing: { name: chosen }, isBundle }: VenueRecord, members: readonly VenueRecord[]) {
  const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  const signs = (text: string) => text.replace(/[^'’.-]/g, '').length;
  const spellings = members
    .flatMap(({ listing: { name } }) => [name, /\(in ([^()]+)\)\s*$/i.exec(name)?.[1]?.trim() ?? ''])
    .filter((text) => letters(text) === letters(chosen) && signs(text) > signs(chosen) && text !== text.toUpperCase());
  const [best] = spellings.sort((a, b) => signs(b) - signs(a) || compareText(a, b));
  return ({ name }: VenueDraft): string => (isBundle || name !== chosen ? name : (best ?? name));
}

function largest(records: readonly VenueRecord[]): VenueRecord | undefined {
  const tier = TIERS_DOWN.find((each) => records.some(({ listing }) => listing.capacityTier === each));
  return tier && records.find(({ listing }) => listing.capacityTier === tier);
}

function byContent(a: VenueRecord, b: VenueRecord): number {
  return a.contentHash < b.contentHash ? -1 : Number(a.contentHash > b.contentHash);
}

const TIERS_DOWN = ['large', 'medium', 'small', 'intimate'] as const satisfies readonly CapacityTier[];

/**
 * The record whose exact point lies nearest to all others, each counted by the trust in its source: two that agree outvote a third that
 * is far off, and of two the more trusted counts. Undefined where no point is exact.
 *
 * @param ranked in the order of preference between equals.
 */
function agreedPoint(ranked: readonly VenueRecord[], trustOf: (sourceId: string) => number): VenueRecord | undefined {
  const exact = ranked.filter(({ listing }) => !listing.isApproximate);
  const cost = ({ listing }: VenueRecord): number =>
    exact.reduce(
      (sum, other) => sum + weightOf(other, trustOf) * Math.min(distanceInCity(listing, other.listing), MAX_METERS),
      0,
    );
  const [first, ...others] = exact;
  if (!first || others.length === 0) return first;
  return others.reduce(
    (best, record) => {
      const costs = cost(record);
      return costs < best.costs - SAME_COST ? { record, costs } : best;
    },
    { record: first, costs: cost(first) },
  ).record;
}

/** A source that nobody trusts has a voice all the same. */
const weightOf = ({ sourceId }: VenueRecord, trustOf: (sourceId: string) => number): number => MIN_WEIGHT + trustOf(sourceId);

const MIN_WEIGHT = 0.1;
/** Further off is no more wrong. */
const MAX_METERS = 2_000;
/** Meters: what rounding makes of equal sums. */
const SAME_COST = 1e-6;
