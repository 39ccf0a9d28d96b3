/** Pages with JSON-LD for the tests, read as answers to a source. */

import { expect } from 'vitest';
import { jsonld } from '../../../src/providers/kinds/jsonld.ts';
import type { EventListing } from '../../../src/providers/listing.ts';
import type { ListingPage, SourceFacts } from '../../../src/providers/provider.ts';

export const SOURCE: SourceFacts = {
  name: 'harbour',
  location: 'https://harbour.example/calendar',
  mapping: null,
  key: null,
  zone: 'America/New_York',
  locales: ['en-US'],
  window: { from: 0, until: Date.UTC(2100, 0) },
};
export const PAGE = 'https://harbour.example/calendar';

export function readText(text: string, { location = SOURCE.location, url = PAGE } = {}): ListingPage {
  return jsonld.read(
    { url, body: Buffer.from(text), contentType: 'text/html; charset=utf-8' },
    { ...SOURCE, location },
  ) as ListingPage;
}
export const script = (json: unknown) =>
  `<script type="application/ld+json">${typeof json === 'string' ? json : JSON.stringify(json)}</script>`;
export const html = (...parts: string[]) => `<!doctype html><title>Calendar</title>${parts.join('\n')}<p>Hello</p>`;
export const read = (...documents: unknown[]) => readText(html(...documents.map(script)));
export const eventsOf = (page: ListingPage): EventListing[] =>
  page.listings.flatMap((each) => (each.ok === true && each.listing.target === 'events' ? [each.listing.event] : []));
export const reasonsOf = (page: ListingPage) =>
  page.listings.flatMap((each) => (each.ok === false ? [`${each.field}: ${each.reason}`] : []));
export const one = (event: object): EventListing => {
  const [listing, ...more] = eventsOf(read(event));
  expect(more).toEqual([]);
  if (!listing) throw new Error('the event is not listed');
  return listing;
};
export const SHOW = {
  '@context': 'https://schema.org',
  '@type': 'Event',
  name: 'Quay Songs',
  startDate: '2026-07-04T20:00:00-04:00',
};
