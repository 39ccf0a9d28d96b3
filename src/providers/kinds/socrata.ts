/** Data sets of the Socrata platform (dev.socrata.com), by default New York's permits of events in streets and parks. */

import { addressOf, pageAfter, withDefaults } from '../api-request.ts';
import { compileMapping, type Mapping } from '../mapping/mapping.ts';
import { readListings } from '../mapping/read-listings.ts';
import { type OutgoingRequest, type Provider, readingDay, type SourceFacts } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { utf8Of } from '../reading/decode-text.ts';

export const socrata: Provider = {
  kind: 'socrata',
  mapping: 'optional',
  keySetting: 'SOCRATA_APP_TOKEN',
  request: firstRequest,
  async read(answer, source) {
    const isCsv = /^text\/csv/i.test(answer.contentType ?? '') || /\.csv$/i.test(new URL(answer.url).pathname);
    const listings = await Array.fromAsync(readListings(isCsv ? 'csv' : 'json', once(utf8Of(answer)), mappingOf(source)));
    const first = firstRequest(source);
    const [limit, offset] = ['$limit', '$offset'].map((name) => Number(new URL(answer.url).searchParams.get(name) ?? 0));
    if (!limit || listings.length < limit) return { listings, next: [] };
    return { listings, next: pageAfter(answer, first, { $offset: String((offset ?? 0) + limit) }) };
  },
};

/** The location is the address of a resource, such as `https://data.cityofnewyork.us/resource/tvpp-9vvx.json`. */
function firstRequest({ location, key }: SourceFacts): OutgoingRequest {
  // Without an order the pages of a data set may overlap ("Paging through data").
  const url = withDefaults(addressOf(location), { $limit: String(PAGE_SIZE), $offset: '0', $order: ':id' });
  const request = { url: url.href, accept: 'application/json, text/csv;q=0.5' };
  const isToken = key !== null && url.protocol === 'https:';
  return isToken ? { ...request, headers: { 'x-app-token': key } } : request;
}

function mappingOf(source: SourceFacts): Mapping {
  const compiled = compileMapping(source.mapping ?? NYC_PERMITS, { today: readingDay(source) });
  if (!compiled.ok) throw new ProviderError('bad_mapping', `the mapping is not valid: ${compiled.field}: ${compiled.reason}`);
  return compiled.mapping;
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

const PAGE_SIZE = 1000;
const STARTS = ['start_date_time', 'Start Date/Time'];
/** Points that stand for a borough, where nothing tells more about a place. */
const NYC_BOROUGHS = {
  Manhattan: '40.7831,-73.9712',
  Brooklyn: '40.6501,-73.9496',
  Queens: '40.7282,-73.7949',
  Bronx: '40.8448,-73.8648',
  'Staten Island': '40.5795,-74.1502',
};
/** One permit is a row a day, with one id. The place is `park: field ,park: field` or a list of streets, cut at 500 characters. */
const NYC_PERMITS = {
  zone: 'America/New_York',
  fields: {
    externalId: { join: [{ path: ['event_id', 'Event ID'] }, { path: STARTS }], with: '@' },
    seriesId: { path: ['event_id', 'Event ID'] },
    title: { path: ['event_name', 'Event Name'] },
    categoryWords: { path: ['event_type', 'Event Type'] },
    start: { path: STARTS, date: ['iso', 'MM/DD/YYYY hh:mm:ss A'] },
    end: { path: ['end_date_time', 'End Date/Time'], date: ['iso', 'MM/DD/YYYY hh:mm:ss A'] },
    organizer: { path: ['event_agency', 'Event Agency'] },
    venue: {
      name: { path: ['event_location', 'Event Location'], before: [':', ','] },
      locate: [{ point: { path: ['event_borough', 'Event Borough'], table: NYC_BOROUGHS, as: 'lat,lon' } }],
    },
  },
} as const;
