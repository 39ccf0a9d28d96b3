/** The tiers as pages show them. */

import type { TierName } from '../../accounts/index.ts';

export interface TierFacts {
  name: TierName;
  label: string;
  priceUsd: number;
  perDay: number;
  perMinute: number;
  /** How many of the endpoints it opens. */
  opens: number;
}

export interface PlanFacts {
  tiers: TierFacts[];
  /** Every endpoint, and the tiers that open it. */
  endpoints: { path: string; summary: string; metered: boolean; tiers: TierName[] }[];
  /** What a tier has beside endpoints; what is coming is never shown without saying so. */
  extras: { name: string; isComing: boolean; tiers: TierName[] }[];
  trial: { days: number; tier: string };
}
