/** SeatGeek's Platform API, version 2 (platform.seatgeek.com). */

import type { Category } from '../../records/index.ts';
import { addressOf, isAddress, keyedRequest, type ProviderApi, pageAfter, utcDay, withDefaults } from '../api-request.ts';
import { addressLine } from '../fields/address-line.ts';
import { capacityAt, flagAt, isObject, listAt, numberAt, textAt, textsOf, urlAt, valueAt } from '../fields/json-fields.ts';
import { pointOf } from '../fields/points.ts';
import { dayOf, momentOf } from '../fields/two-clocks.ts';
import { eventListing, type VenueListing } from '../listing.ts';
import type { OutgoingRequest, Provider, SourceFacts } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { eventReading, type RecordReading, readRecords } from '../read-records.ts';
import { parseJson } from '../reading/parse-json.ts';

export const seatgeek: Provider = {
  kind: 'seatgeek',
  mapping: 'over',
  keySetting: 'SEATGEEK_CLIENT_ID',
  request: firstRequest,
  read(answer, source) {
    const document = parseJson(answer.body);
    const listings = readRecords(recordsOf(document), answer.body.length, readEvent);
    const [page, size, total] = ['page', 'per_page', 'total'].map((name) => numberAt(document, `meta.${name}`) ?? 0);
    const isLast = !page || !size || !total || page * size >= total;
    return { listings, next: isLast ? [] : pageAfter(answer, firstRequest(source), { page: String(page + 1) }) };
  },
};

/** The location is an address, or the query of an event search such as `venue.city=New York`. */
function firstRequest(source: SourceFacts): OutgoingRequest {
  const { location, window } = source;
  const url = isAddress(location) ? addressOf(location) : new URL(`?${new URLSearchParams(location)}`, API.base);
  const defaults = {
    per_page: String(PAGE_SIZE),
    sort: 'datetime_utc.asc',
    'datetime_utc.gte': utcDay(window.from),
    'datetime_utc.lt': utcDay(window.until),
  };
  return keyedRequest(withDefaults(url, defaults), source, API);
}

/** A page of a search, or the one event of an address that names it. */
function recordsOf(document: unknown): readonly unknown[] {
  if (isObject(document) && Array.isArray(document.events)) return document.events;
  if (isObject(document) && 'datetime_utc' in document) return [document];
  throw new ProviderError('not_of_the_kind', 'the response is not a page of SeatGeek events');
}

function readEvent(record: unknown): RecordReading {
  const performers = listAt(record, 'performers');
  const [local, utc] = [textAt(record, 'datetime_local'), textAt(record, 'datetime_utc')];
  const hasNoHour = OPEN_TIMES.some((name) => flagAt(record, name) === true);
  return eventReading(
    eventListing({
      externalId: textAt(record, 'id'),
      title: textAt(record, 'title') ?? textAt(record, 'short_title'),
      ...kindOf(record, performers),
      start: hasNoHour ? dayOf(local ?? utc) : momentOf(local, utc),
      end: hasNoHour ? null : momentOf(null, textAt(record, 'enddatetime_utc')),
      zone: textAt(record, 'venue.timezone'),
      description: textAt(record, 'description'),
      image: imageOf(performers),
      url: urlAt(record, 'url'),
      // 0 stands for no ticket on sale.
      priceMin: numberAt(record, 'stats.lowest_price') || null,
      priceMax: numberAt(record, 'stats.highest_price') || null,
      status: STATUSES[textAt(record, 'status') ?? ''] ?? null,
      performers: textsOf(performers, 'name'),
      venue: readVenue(valueAt(record, 'venue')),
    }),
  );
}

/** `type` is the narrowest of its taxonomies; "theater" and "family" hold shows for tourists and trade fairs, so they leave a doubt. */
function kindOf(
  record: unknown,
  performers: readonly unknown[],
): { category: Category | null; categoryWords: string[]; tags: string[] } {
  const taxonomies = textsOf(listAt(record, 'taxonomies'), 'name');
  const type = textAt(record, 'type');
  const words = [...new Set([...(type === null ? [] : [type]), ...taxonomies.toReversed()])];
  const category = words.map((word) => CATEGORIES[word]).find((known) => known !== undefined) ?? null;
  return {
    category,
    categoryWords: words,
    tags: textsOf(
      performers.flatMap((each) => listAt(each, 'genres')),
      'name',
    ),
  };
}

/** Of the first named performer; others are in small print. */
function imageOf(performers: readonly unknown[]): string | null {
  const first = performers.find((each) => flagAt(each, 'primary') === true) ?? performers[0];
  return urlAt(first, 'image');
}

function readVenue(venue: unknown): Partial<VenueListing> {
  const point = pointOf(valueAt(venue, 'location.lat'), valueAt(venue, 'location.lon'));
  return {
    externalId: textAt(venue, 'id'),
    name: textAt(venue, 'name'),
    address: addressLine([textAt(venue, 'address'), textAt(venue, 'extended_address')]),
    ...point,
    capacity: capacityAt(venue, 'capacity'),
  };
}

const API: ProviderApi = {
  base: 'https://api.seatgeek.com/2/events',
  keySetting: 'SEATGEEK_CLIENT_ID',
  keyIn: { query: 'client_id' },
};
const PAGE_SIZE = 100;
/** Any of them true: the printed hour (03:30) is a placeholder. */
const OPEN_TIMES = ['time_tbd', 'date_tbd', 'datetime_tbd'];
const STATUSES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  canceled: 'cancelled',
  cancelled: 'cancelled',
  postponed: 'postponed',
  rescheduled: 'rescheduled',
};
/** Taxonomies that leave no doubt. */
const CATEGORIES: Readonly<Record<string, Category>> = {
  __proto__: null as never,
  comedy: 'comedy',
  music_festival: 'festival',
  concert: 'concert',
  classical: 'concert',
  broadway_tickets_national: 'theater',
  classical_opera: 'theater',
  dance_performance_tour: 'theater',
  sports: 'sports',
};
