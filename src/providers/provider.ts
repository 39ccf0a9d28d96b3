/** What a provider is: one outside format. A new one is one file, one line in `PROVIDERS` and one section in docs/providers.md. */

import { DAY_MS } from '../values/duration.ts';
import type { ReadListing } from './listing.ts';

export interface Provider {
  readonly kind: string;
  /**
   * What the operator's mapping file does: it says how records are read (`needed`), it lies over what the kind reads (`over`), or either
   * of the two (`optional`).
   */
  readonly mapping: 'needed' | 'optional' | 'over';
  /** What the kind reads without a mapping; default: events. */
  readonly target?: 'events' | 'venues';
  /** Name of the setting that holds the key of its API; null when it needs none. */
  readonly keySetting: string | null;
  /** Where fewer listings than usual are believed of one answer. */
  readonly mostListings?: number;
  /** What to ask for first. Throws a `ProviderError` when the location is none that it can use. Pure. */
  request(source: SourceFacts): OutgoingRequest;
  /**
   * One answer into listings. Pure and without I/O: it runs in a worker with little time and memory. Throws a `ProviderError` when
   * the bytes as a whole are not of the kind; a bad record is a `ReadListing` with a reason and stops nothing.
   */
  read(answer: SourceResponse, source: SourceFacts): ListingPage | Promise<ListingPage>;
}

/** What a provider is told of the source that it is read for. Plain data: it is copied into a worker. */
export interface SourceFacts {
  name: string;
  /** A web address, a `file:` address, or what the kind documents (such as `dmaId=345`). */
  location: string;
  /** Untrusted content of the mapping file; null without one. */
  mapping: unknown;
  /** The key of the provider's API, never to be written into a listing, an error or a log. */
  key: string | null;
  /** IANA zone of the city: that of wall clocks without a zone of their own. */
  zone: string;
  /** Language tags of the city, for dates in words; the first that reads a text decides. */
  locales: readonly string[];
  /** Occurrences are expanded inside it only. Milliseconds since 1970 UTC, from inclusive, until exclusive. */
  window: { from: number; until: number };
}

export interface OutgoingRequest {
  url: string;
  /** Value of `Accept`. */
  accept: string;
  /** Others, such as the provider's own authorization. They are not sent on to another host. */
  headers?: Readonly<Record<string, string>>;
  /** A page made for people: robots.txt is asked before. */
  isPage?: boolean;
}

export interface SourceResponse {
  /** The address that answered in the end. */
  url: string;
  body: Uint8Array;
  /** Value of `Content-Type`. */
  contentType: string | null;
}

export interface ListingPage {
  listings: ReadListing[];
  /** What to ask for next (the next page, pages that this one lists), best first; the run takes as many as its limits allow. */
  next: readonly OutgoingRequest[];
}

/** The day on which a source is read, `YYYY-MM-DD` in its zone: the window begins a day before. */
export function readingDay({ window, zone }: Pick<SourceFacts, 'window' | 'zone'>): string {
  return Temporal.Instant.fromEpochMilliseconds(window.from + DAY_MS)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString();
}
