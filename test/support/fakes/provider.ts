/** A provider asked and read without network: documents in, listings out. */

import { existsSync, readFileSync } from 'node:fs';
import { PROVIDERS } from '../../../src/providers/index.ts';
import type { EventListing, ReadListing, VenueListing } from '../../../src/providers/listing.ts';
import type { ListingPage, OutgoingRequest, Provider, SourceFacts } from '../../../src/providers/provider.ts';

export const EVENT_DATA = new URL('../../../../shared/data/events/', import.meta.url).pathname;
export const noEventData = !existsSync(EVENT_DATA);
/** Nobody's key; no listing and no error may have it. */
export const KEY = 'k3y-of-nobody';

export function facts(said: Partial<SourceFacts> = {}): SourceFacts {
  const window = { from: Date.parse('2026-06-16T20:00:00Z'), until: Date.parse('2027-07-21T20:00:00Z') };
  return {
    name: 'feed',
    location: 'file:///feed',
    mapping: null,
    key: KEY,
    zone: 'America/New_York',
    locales: ['en-US'],
    window,
    ...said,
  };
}

/** Every moment of history, for records of past years. */
export const ALWAYS = { window: { from: 0, until: Date.parse('2100-01-01T00:00:00Z') } };

export function provider(kind: string): Provider {
  const found = PROVIDERS.find((each) => each.kind === kind);
  if (!found) throw new Error(`no provider of kind ${kind}`);
  return found;
}

/** The answer to the first request of the source, or to `url`. */
export async function readPage(
  kind: string,
  document: unknown,
  said: Partial<SourceFacts> & { url?: string; contentType?: string } = {},
): Promise<ListingPage> {
  const { url, contentType = null, ...source } = said;
  const body = document instanceof Uint8Array ? document : Buffer.from(JSON.stringify(document));
  const asked = url ?? provider(kind).request(facts(source)).url;
  return provider(kind).read({ url: asked, body, contentType }, facts(source));
}

/** A recorded answer. Only where `noEventData` is false. */
export async function readCapture(kind: string, file: string, said: Partial<SourceFacts> = {}): Promise<ListingPage> {
  const url = `file://${EVENT_DATA}${file}`;
  return readPage(kind, readFileSync(EVENT_DATA + file), { ...ALWAYS, ...said, location: url, url });
}

export function eventsIn({ listings }: Pick<ListingPage, 'listings'>): EventListing[] {
  return listings.flatMap((each) => (each.ok === true && each.listing.target === 'events' ? [each.listing.event] : []));
}

export function venuesIn({ listings }: Pick<ListingPage, 'listings'>): VenueListing[] {
  return listings.flatMap((each) => (each.ok === true && each.listing.target === 'venues' ? [each.listing.venue] : []));
}

/** What became of each record: `listed`, `dropped`, or the field that was wrong. */
export function fates({ listings }: Pick<ListingPage, 'listings'>): string[] {
  const fate = (each: ReadListing) =>
    each.ok === true ? 'listed' : each.ok === 'dropped' ? 'dropped' : (each.field ?? each.reason);
  return listings.map(fate);
}

/** The parameters of a request's address. */
export function query(request: OutgoingRequest | undefined): Record<string, string> {
  return Object.fromEntries(new URL(request?.url ?? 'file:///').searchParams);
}
