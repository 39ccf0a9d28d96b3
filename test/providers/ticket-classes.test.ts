import { describe, expect, it } from 'vitest';
import { type NormalEvent, normalizeEvent } from '../../src/facts/index.ts';
import { PROVIDERS } from '../../src/providers/index.ts';

const CITY = { timezone: 'America/New_York', name: 'Elm City', locale: 'en-US', bounds: null };

/** What an answer of one event is said to cost. */
async function priceOf(kind: string, body: string): Promise<string> {
  const provider = PROVIDERS.find((each) => each.kind === kind);
  const source = {
    ...{ name: kind, location: 'https://example.org/', mapping: null, key: null, zone: CITY.timezone, locales: [CITY.locale] },
    window: { from: 0, until: Number.MAX_SAFE_INTEGER },
  };
  const page = await provider!.read({ url: 'https://example.org/', body: Buffer.from(body), contentType: null }, source);
  const [read] = page.listings;
  if (read?.ok !== true || read.listing.target !== 'events') throw new Error(JSON.stringify(read));
  const result = normalizeEvent(read.listing.event, { city: CITY, sourceName: kind });
  if (!result.ok) throw new Error(result.reason);
  const { isFree, priceMin, priceMax }: NormalEvent = result.event;
  return isFree ? 'free' : `${priceMin ?? '?'} to ${priceMax ?? '?'}`;
}

const eventbrite = (more: object) =>
  JSON.stringify({
    events: [
      {
        ...{ id: '1', name: { text: 'Lantern Night' }, start: { local: '2026-07-01T20:00:00', utc: '2026-07-02T00:00:00Z' } },
        ...{ venue: { name: 'Cellar' }, ...more },
      },
    ],
  });
const page = (offers: unknown) =>
  JSON.stringify({
    ...{ '@context': 'https://schema.org', '@type': 'Event', name: 'Lantern Night', startDate: '2026-07-01T20:00' },
    ...{ url: 'https://example.org/lantern', location: { '@type': 'Place', name: 'Cellar' }, offers },
  });
const ticketmaster = (priceRanges: object[]) =>
  JSON.stringify({
    _embedded: {
      events: [
        {
          ...{ id: '1', name: 'Lantern Night', dates: { start: { localDate: '2026-07-01', localTime: '20:00:00' } } },
          ...{ priceRanges, _embedded: { venues: [{ name: 'Cellar' }] } },
        },
      ],
    },
  });
const ticket = (value: string) => ({ free: value === '0', cost: { major_value: value } });

describe('a ticket class of 0', () => {
  it.each<[string, string, string, string]>([
    ['beside paid ones', 'eventbrite', eventbrite({ is_free: true, ticket_classes: [ticket('0'), ticket('20')] }), '0 to 20'],
    ['that is the only one', 'eventbrite', eventbrite({ ticket_classes: [ticket('0')] }), 'free'],
    ['that is a lowest price alone', 'jsonld', page({ '@type': 'AggregateOffer', lowPrice: 0 }), '? to ?'],
    ['beside a highest price', 'jsonld', page({ '@type': 'AggregateOffer', lowPrice: 0, highPrice: 30 }), '0 to 30'],
    ['of two offers', 'jsonld', page([{ price: '0' }, { price: '15' }]), '0 to 15'],
    ['that is the only offer', 'jsonld', page({ '@type': 'Offer', price: 0 }), 'free'],
    [
      'of ordinary tickets beside packages',
      'ticketmaster',
      ticketmaster([
        { type: 'standard', currency: 'USD', min: 0, max: 0 },
        { type: 'vip', currency: 'USD', min: 50, max: 90 },
      ]),
      '0 to 90',
    ],
  ])('%s', async (_, kind, body, expected) => {
    expect(await priceOf(kind, body)).toBe(expected);
  });
});
