/** What a provider made of an answer, held to a size that the rest can bear. */

import type { ReadListing } from '../listing.ts';
import type { ListingPage } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { ReaderLimits } from './reader-limits.ts';

/**
 * A text that is too long is unknown; where a listing is nothing without it, the listing is refused. Throws a `ProviderError` of code
 * `too_large` for too many listings, or too much of them together: half a source would look like events that vanished.
 */
export function capPage(page: ListingPage, limits: ReaderLimits, mostListings: number): ListingPage {
  const most = Math.min(mostListings, limits.listings);
  if (page.listings.length > most) throw new ProviderError('too_large', `the response has more than ${most} listings`);
  const texts = { left: limits.allChars };
  return {
    listings: page.listings.map((record) => capRecord(record, limits, texts)),
    next: page.next.slice(0, limits.nextRequests),
  };
}

function capRecord(record: ReadListing, limits: ReaderLimits, texts: { left: number }): ReadListing {
  if (record.ok === 'dropped') return record;
  if (!record.ok) return { ...record, reason: record.reason.slice(0, MAX_REASON_CHARS) };
  const { listing, index, bytes } = record;
  const said: object = listing.target === 'events' ? listing.event : listing.venue;
  for (const [field, value] of Object.entries(said)) {
    if (NEEDED.includes(field) && typeof value === 'string' && value.length > limits.textChars) {
      const reason = `longer than ${limits.textChars} characters`;
      return { ok: false, index, bytes, field, reason, externalId: null };
    }
  }
  return { ...record, listing: capped(listing, limits, texts) as typeof listing };
}

function capped(value: unknown, limits: ReaderLimits, texts: { left: number }): unknown {
  if (typeof value === 'string') {
    if (value.length > limits.textChars) return null;
    texts.left -= value.length;
    if (texts.left < 0)
      throw new ProviderError('too_large', `the listings have more than ${limits.allChars} characters together`);
    return value;
  }
  if (Array.isArray(value)) {
    const items = value.slice(0, limits.textItems).map((item) => capped(item, limits, texts));
    return items.filter((item) => item !== null);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, capped(each, limits, texts)]));
}

/** Of a listing itself, not of its venue. */
const NEEDED = ['externalId', 'title', 'start', 'name'];
const MAX_REASON_CHARS = 500;
