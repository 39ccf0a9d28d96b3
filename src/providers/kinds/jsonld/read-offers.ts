/** `offers` of an event into prices. */

import { readAmount } from '../../fields/amount.ts';
import type { EventListing } from '../../listing.ts';
import { type Graph, get, isNode, listOf, type Node, textOf, textsOf } from './node.ts';
import { isSoldOut, termsOf } from './vocabulary.ts';

export interface ReadOffers extends Pick<EventListing, 'priceMin' | 'priceMax' | 'priceText'> {
  /** Every offer that says so says that it is sold out. */
  isSoldOut: boolean;
}

/** Offer and AggregateOffer, one or many, nested or not. Prices in words are kept as words; the currency is the city's business. */
export function readOffers(value: unknown, graph: Graph): ReadOffers {
  const offers = listOf(value)
    .map((each) => graph.resolve(each))
    .filter(isNode)
    .flatMap((offer) => [offer, ...nodesAt(offer, 'offers', graph)]);
  // Some write the price where the offer stands.
  const said = [...offers.flatMap((offer) => pricesOf(offer, graph)), ...textsOf(value)];
  const known = said.map(readAmount).filter((amount) => amount !== null);
  // A lowest price of 0 alone says nothing of the other classes of tickets.
  const isLowestAlone = known.every((amount) => amount === 0) && offers.every((offer) => hasLowestAlone(offer));
  const amounts = isLowestAlone ? [] : known;
  const words = said.filter((price) => readAmount(price) === null);
  const availability = offers.flatMap((offer) => termsOf(get(offer, 'availability'), graph));
  return {
    priceMin: amounts.length === 0 ? null : Math.min(...amounts.slice(0, MAX_PRICES)),
    priceMax: amounts.length === 0 ? null : Math.max(...amounts.slice(0, MAX_PRICES)),
    priceText: amounts.length === 0 ? (words[0] ?? null) : null,
    isSoldOut: isSoldOut(availability),
  };
}

function pricesOf(offer: Node, graph: Graph): string[] {
  const nodes = [offer, ...nodesAt(offer, 'priceSpecification', graph)];
  return nodes.flatMap((node) => PRICE_KEYS.flatMap((key) => textsOf(get(node, key))));
}

function nodesAt(node: Node, key: string, graph: Graph): Node[] {
  return listOf(get(node, key))
    .map((each) => graph.resolve(each))
    .filter(isNode);
}

const hasLowestAlone = (offer: Node): boolean =>
  LOWEST_KEYS.some((key) => textOf(get(offer, key)) !== null) && OTHER_KEYS.every((key) => textOf(get(offer, key)) === null);

const LOWEST_KEYS = ['lowPrice', 'minPrice'] as const;
const OTHER_KEYS = ['price', 'highPrice', 'maxPrice', 'priceSpecification', 'offers'] as const;
const PRICE_KEYS = ['price', 'lowPrice', 'highPrice', 'minPrice', 'maxPrice'] as const;
/** As many as a call takes arguments without harm. */
const MAX_PRICES = 10_000;
