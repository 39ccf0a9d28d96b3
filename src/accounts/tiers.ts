/** The tiers, as the contract (§8) prices them. */

export const TIERS = {
  starter: { priceUsd: 49, perDay: 1_000, perMinute: 60, rank: 1 },
  growth: { priceUsd: 149, perDay: 10_000, perMinute: 300, rank: 2 },
  enterprise: { priceUsd: 299, perDay: 100_000, perMinute: 1_000, rank: 3 },
} as const;

export type TierName = keyof typeof TIERS;
export const TIER_NAMES = Object.keys(TIERS) as readonly TierName[];
export const isTierName = (name: string): name is TierName => Object.hasOwn(TIERS, name);
/**
 * What a tier has beside its endpoints (contract §8). `coming` is shown wherever the tier is sold, until it is `available`: nobody pays for
 * what is not there.
 */
export const TIER_EXTRAS: readonly TierExtra[] = [
  { name: 'Custom event feeds', tier: 'enterprise', state: 'available' },
  { name: 'Webhook notifications', tier: 'enterprise', state: 'available' },
  { name: 'Custom data exports', tier: 'enterprise', state: 'available' },
];

interface TierExtra {
  name: string;
  tier: TierName;
  state: 'coming' | 'available';
}

/** Whether `tier` opens what needs `required`. */
export const tierOpens = (tier: TierName, required: TierName): boolean => TIERS[tier].rank >= TIERS[required].rank;
