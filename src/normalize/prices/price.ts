/** What an event costs: numbers are believed over words, words over flags. */

import type { EventListing } from '../../providers/index.ts';
import type { Fix } from '../model.ts';
import { oneLine } from '../text.ts';
import { readPriceText } from './price-text.ts';

export interface Price {
  /** True exactly when both amounts are 0. */
  isFree: boolean;
  priceMin: number | null;
  priceMax: number | null;
}

type PriceFacts = Pick<EventListing, 'isFree' | 'priceMin' | 'priceMax' | 'priceText'>;

/** What costs something is not free, what costs nothing is. Impossible amounts are unknown. */
export function normalizePrice(listing: PriceFacts, fix: Fix): Price {
  const least = possible(listing.priceMin, fix);
  const most = possible(listing.priceMax, fix);
  if ((least ?? 0) > 0 || (most ?? 0) > 0) {
    if (listing.isFree === true) fix('free_corrected');
    return inOrder(least, most, fix);
  }
  return priceWithoutAmounts(listing, least === 0 || most === 0, fix);
}

/** By words and flags. `isNothing`: an amount of 0 is listed. */
function priceWithoutAmounts(listing: PriceFacts, isNothing: boolean, fix: Fix): Price {
  const text = listing.priceText === null ? null : readPriceText(oneLine(listing.priceText));
  if (text && isAsked(text, listing)) {
    fix('price_from_text');
    if (listing.isFree === true) fix('free_corrected');
    return { isFree: false, priceMin: text.min, priceMax: text.max };
  }
  if (text?.isFree === true && listing.isFree !== true) fix('price_from_text');
  const isFree = text?.isFree === true || (listing.isFree ?? isNothing);
  return isFree ? FREE : UNKNOWN;
}

function inOrder(least: number | null, most: number | null, fix: Fix): Price {
  if (least === null || most === null || least <= most) return { isFree: false, priceMin: least, priceMax: most };
  fix('prices_exchanged');
  return { isFree: false, priceMin: most, priceMax: least };
}

/** What may be given is not asked for: `free, donations welcome`. */
function isAsked({ isFree, min, max }: NonNullable<ReturnType<typeof readPriceText>>, listing: PriceFacts): boolean {
  return !isFree && (listing.isFree !== true || min !== 0 || max !== null);
}

/** To four places, as the store keeps it. */
function possible(price: number | null, fix: Fix): number | null {
  if (price === null) return null;
  if (price >= 0 && price <= MAX_PRICE) return Math.round(price * PARTS) / PARTS;
  fix('price_dropped');
  return null;
}

const FREE: Price = { isFree: true, priceMin: 0, priceMax: 0 };
const UNKNOWN: Price = { isFree: false, priceMin: null, priceMax: null };
/** Above it a number is no price of a ticket. */
const MAX_PRICE = 1_000_000;
const PARTS = 10_000;
