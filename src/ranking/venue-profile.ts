/** How large a venue is and how often it is a headliner's, from its own facts and from what plays there. */

import type { CapacityTier, VenueType } from '../records/index.ts';
import { DAY_MS } from '../values/duration.ts';
import { median } from './series.ts';
import type { Show } from './shows.ts';

export interface RatedVenue {
  type: VenueType;
  capacityTier: CapacityTier | null;
  isVerified: boolean;
}

export interface VenueProfile {
  /** 0–1. */
  value: number;
  series: number;
  headliners: number;
}

/**
 * A weighted average: what the venue is counts like a few shows, and each show adds what is known of it. So a venue of which little is
 * known is what its kind usually is, and one with many shows is what plays there. `shows` are those at the venue, in any order.
 */
export function venueProfile(facts: RatedVenue, shows: readonly Show[], now: number): VenueProfile {
  const series = shows.length;
  const pictured = shows.filter(({ picture }) => picture !== 'unknown');
  const own = pictured.filter(({ picture }) => picture === 'own').length;
  const paid = series === 0 ? 1 : shows.filter(({ isFree }) => !isFree).length / series;
  const ahead = shows.filter(({ isFree, next }) => !isFree && next !== null && next - now >= AHEAD_MS).length;
  const prices = shows.flatMap(({ price }) => price ?? []);
  const residency = topMean(shows.map((show) => show.residency));
  const production = shows.reduce((most, show) => Math.max(most, productionNights(show, shows)), 0);
  const evidence: readonly (readonly [weight: number, value: number])[] = [
    sizeEvidence(facts, paid),
    [EVIDENCE.picture * pictured.length, pictured.length === 0 ? 0 : own / pictured.length],
    [EVIDENCE.ahead * series * paid, paid === 0 ? 0 : Math.min(1, (ahead / (series * paid)) * AHEAD_SHARE)],
    [EVIDENCE.residency * series * paid * (residency === 0 ? 0.5 : 1), residency],
    [Math.min(MAX_PRODUCTION, EVIDENCE.production * production), 1],
    [EVIDENCE.price * prices.length, prices.length === 0 ? 0 : priceValue(median(prices))],
  ];
  const weights = evidence.reduce((sum, [weight]) => sum + weight, 0);
  const average = evidence.reduce((sum, [weight, value]) => sum + weight * value, 0) / weights;
  const isLargeHouse = LARGE_TYPES.includes(facts.type) && paid >= MOSTLY;
  const value = Math.max(average, isLargeHouse ? LARGE_TYPE_VALUE : 0);
  const verified = facts.isVerified ? VERIFIED_SHARE : 0;
  const headliners = shows.filter((show) => show.picture === 'own' || show.residency > 0).length;
  return { value: Math.min(1, value * (1 - VERIFIED_SHARE) + verified), series, headliners };
}

/** A theater that gives its stage to one show, night after night, is filled by it. */
function productionNights(show: Show, shows: readonly Show[]): number {
  if (!show.isTheater || show.residency === 0) return 0;
  const all = shows.reduce((sum, { starts }) => sum + starts.length, 0);
  return show.starts.length >= PRODUCTION_SHARE * all && show.starts.length >= MIN_PRODUCTION ? show.starts.length : 0;
}

/** A known capacity is believed more than a type. A type says little of a place whose events are free. */
function sizeEvidence({ type, capacityTier }: RatedVenue, paid: number): readonly [weight: number, value: number] {
  if (capacityTier !== null) return [EVIDENCE.capacity, CAPACITY_VALUES[capacityTier]];
  return [EVIDENCE.type, TYPE_VALUES[type] * (FREE_SHARE + (1 - FREE_SHARE) * paid)];
}

/** Of the best third: a house is known for its greatest shows. */
function topMean(values: readonly number[]): number {
  const top = [...values].sort((a, b) => b - a).slice(0, Math.max(1, Math.floor(values.length / 3)));
  return top.length === 0 ? 0 : top.reduce((sum, value) => sum + value, 0) / top.length;
}

/** 0–1; half at `HALF_PRICE`. */
export const priceValue = (price: number): number => price / (price + HALF_PRICE);

/** How many shows each kind of evidence counts for; those of shows are for each show. Listed in docs/scoring.md. */
export const EVIDENCE = { type: 2, capacity: 8, picture: 1.2, ahead: 0.5, residency: 1, production: 0.4, price: 0.4 } as const;
/** 0–1, where nothing else is known. */
export const TYPE_VALUES: Record<VenueType, number> = {
  stadium: 1,
  arena: 1,
  theater: 0.5,
  museum: 0.35,
  gallery: 0.3,
  club: 0.3,
  park: 0.3,
  bar: 0.2,
  brewery: 0.2,
  restaurant: 0.15,
};
export const CAPACITY_VALUES: Record<CapacityTier, number> = { intimate: 0.15, small: 0.35, medium: 0.65, large: 1 };
const LARGE_TYPES: readonly VenueType[] = ['stadium', 'arena'];
/** The least of a stadium or an arena that sells tickets. */
const LARGE_TYPE_VALUE = 0.75;
const MOSTLY = 0.8;
const PRODUCTION_SHARE = 0.8;
const MIN_PRODUCTION = 5;
/** However long it runs. */
const MAX_PRODUCTION = 4;
const FREE_SHARE = 0.2;
const VERIFIED_SHARE = 0.02;
/** Great houses announce most of their shows this long before. */
const AHEAD_MS = 30 * DAY_MS;
const AHEAD_SHARE = 1.3;
/** In the city's currency. */
const HALF_PRICE = 60;
