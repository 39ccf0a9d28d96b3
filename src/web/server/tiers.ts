/** The tiers as the code knows them: prices and limits from their table, endpoints from the table of routes. */

import { TIER_EXTRAS, TIER_NAMES, TIERS, type TierName, TRIAL_MS, tierOpens } from '../../accounts/index.ts';
import { ROUTES } from '../../api/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { PlanFacts } from '../model/tiers.ts';

export function readTiers(): PlanFacts {
  return {
    tiers: TIER_NAMES.map((name) => {
      const { priceUsd, perDay, perMinute } = TIERS[name];
      const opens = ROUTES.filter(({ tier }) => tierOpens(name, tier)).length;
      return { name, label: labelOf(name), priceUsd, perDay, perMinute, opens };
    }),
    endpoints: ROUTES.map(({ path, summary, metered, tier }) => ({
      path,
      summary,
      metered,
      tiers: TIER_NAMES.filter((name) => tierOpens(name, tier)),
    })),
    extras: TIER_EXTRAS.map(({ name, tier, state }) => ({
      name,
      isComing: state === 'coming',
      tiers: TIER_NAMES.filter((each) => tierOpens(each, tier)),
    })),
    // The trial is of the first tier (contract §1).
    trial: { days: TRIAL_MS / DAY_MS, tier: labelOf('starter') },
  };
}

const labelOf = (name: TierName): string => name.charAt(0).toUpperCase() + name.slice(1);
