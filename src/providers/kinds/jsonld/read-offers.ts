/** `offers` of an event into prices. */

import { readAmount } from '../../fields/amount.ts';
import type { EventListing } from '../../listing.ts';
import { type Graph, get, isNode, listOf, localName, type Node, textOf, textsOf } from './node.ts';

export interface ReadOffers extends Pick<EventListing, 'priceMin' | 'priceMax' | 'priceText'> {
  /** Every offer that says so says that it is sold out. */
  isSoldOut: boolean;
}

/** Offer and AggregateOffer, one or many, nested or not. Prices in words are kept as words; the currency is the city's business. */
export function readOffers(value: unknown, graph: Graph): ReadOffers {
  const offers = listOf(value)
    .map((each) => graph.resolve(each))
    .filter(isNode)
    .flatMap((offer) => [offer, ...listOf(get(offer, 'offers')).filter(isNode)]);
  const said = offers.flatMap((offer) => pricesOf(offer, graph));
  const known = said.map(readAmount).filter((amount) => amount !== null);
  // A lowest price of 0 alone says nothing of the other classes of tickets.
  const isLowestAlone = known.every((amount) => amount === 0) && offers.every((offer) => hasLowestAlone(offer));
  const amounts = isLowestAlone ? [] : known;
  const words = said.filter((price) => readAmount(price) === null);
  const availability = offers.flatMap((offer) => textsOf(get(offer, 'availability'))).map(localName);
  return {
    priceMin: amounts.length === 0 ? null : Math.min(...amounts.slice(0, MAX_PRICES)),
    priceMax: amounts.length === 0 ? null : Math.max(...amounts.slice(0, MAX_PRICES)),
    priceText: amounts.length === 0 ? (words[0] ?? null) : null,
    isSoldOut: availability.length > 0 && availability.every((name) => name === 'SoldOut'),
  };
}

function pricesOf(offer: Node, graph: Graph): string[] {
  const specifications = listOf(get(offer, 'priceSpecification'))
    .map((each) => graph.resolve(each))
    .filter(isNode);
  return [offer, ...specifications].flatMap((node) => PRICE_KEYS.flatMap((key) => textOf(get(node, key)) ?? []));
}

const hasLowestAlone = (offer: Node): boolean =>
  LOWEST_KEYS.some((key) => textOf(get(offer, key)) !== null) && OTHER_KEYS.every((key) => textOf(get(offer, key)) === null);

const LOWEST_KEYS = ['lowPrice', 'minPrice'] as const;
const OTHER_KEYS = ['price', 'highPrice', 'maxPrice', 'priceSpecification', 'offers'] as const;
const PRICE_KEYS = ['price', 'lowPrice', 'highPrice', 'minPrice', 'maxPrice'] as const;
/** As many as a call takes arguments without harm. */
const MAX_PRICES = 10_000;
