/** Whether Stripe would charge what the tiers cost. */

import type Stripe from 'stripe';
import { TIER_NAMES, TIERS, type TierName } from '../../accounts/index.ts';
import { isMissing } from './client.ts';

/** What is wrong, a sentence each; rejects when Stripe does not answer. */
export async function checkPrices(stripe: Pick<Stripe, 'prices'>, prices: Readonly<Record<TierName, string>>): Promise<string[]> {
  const wrong: string[] = [];
  for (const tier of TIER_NAMES) {
    const id = prices[tier];
    const price = await stripe.prices.retrieve(id).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return null;
    });
    const fault = price ? faultOf(price, TIERS[tier].priceUsd) : 'Stripe has no such price';
    if (fault) wrong.push(`STRIPE_PRICE_${tier.toUpperCase()} (${id}): ${fault}.`);
  }
  return wrong;
}

function faultOf(price: Stripe.Price, usd: number): string | null {
  const { active, currency, recurring, unit_amount: cents } = price;
  if (!active) return 'it is not active';
  if (recurring?.interval !== 'month' || recurring.interval_count !== 1) return 'it is not paid monthly';
  if (currency !== 'usd' || cents !== usd * 100)
    return `it costs ${(cents ?? 0) / 100} ${currency}, but the tier costs ${usd} usd`;
  return null;
}
