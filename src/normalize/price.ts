/** What an event costs: numbers are believed over words, words over flags. */

import type { EventListing } from '../providers/index.ts';
import type { Fix } from './model.ts';
import { readPriceText } from './price-text.ts';
import { oneLine } from './text.ts';

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
    if (least === null || most === null || least <= most) return { isFree: false, priceMin: least, priceMax: most };
    fix('prices_exchanged');
    return { isFree: false, priceMin: most, priceMax: least };
  }
  const said = listing.priceText === null ? null : readPriceText(oneLine(listing.priceText));
  // What may be given is not asked for: `free, donations welcome`.
  const isAsked = said?.isFree === false && (listing.isFree !== true || said.min !== 0 || said.max !== null);
  if (said && isAsked) {
    fix('price_from_text');
    if (listing.isFree === true) fix('free_corrected');
    return { isFree: false, priceMin: said.min, priceMax: said.max };
  }
  if (said?.isFree === true && listing.isFree !== true) fix('price_from_text');
  const isFree = said?.isFree === true || (listing.isFree ?? (least === 0 || most === 0));
  return isFree ? FREE : UNKNOWN;
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
