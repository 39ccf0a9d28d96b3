/** Ticketmaster's Discovery API, version 2 (developer.ticketmaster.com, "Discovery API"). */

import type { Category } from '../../records/index.ts';
import { addressOf, isAddress, keyedRequest, type ProviderApi, pageAfter, utcDay, withDefaults } from '../api-request.ts';
import { addressLine } from '../fields/address-line.ts';
import { capacityAt, flagAt, isObject, listAt, numberAt, textAt, textsOf, urlAt, valueAt } from '../fields/json-fields.ts';
import { pointOf } from '../fields/points.ts';
import { dayOf, momentOf } from '../fields/two-clocks.ts';
import { eventListing, type VenueListing } from '../listing.ts';
import type { OutgoingRequest, Provider, SourceFacts, SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { eventReading, type RecordReading, readRecords } from '../read-records.ts';
import { parseJson } from '../reading/parse-json.ts';

export const ticketmaster: Provider = {
  kind: 'ticketmaster',
  mapping: 'over',
  keySetting: 'TICKETMASTER_API_KEY',
  request: firstRequest,
  read(answer, source) {
    const document = parseJson(answer.body);
    const listings = readRecords(recordsOf(document), answer.body.length, readEvent);
    return { listings, next: nextRequests(document, answer, source) };
  },
};

/** The location is an address, or the query of an event search such as `dmaId=345&classificationName=music`. */
function firstRequest(source: SourceFacts): OutgoingRequest {
  const { location, window } = source;
  const url = isAddress(location) ? addressOf(location) : new URL(`?${new URLSearchParams(location)}`, API.base);
  const defaults = {
    size: String(PAGE_SIZE),
    sort: 'date,asc',
    locale: '*',
    includeTBA: 'yes',
    startDateTime: `${utcDay(window.from)}T00:00:00Z`,
    endDateTime: `${utcDay(window.until)}T00:00:00Z`,
  };
  return keyedRequest(withDefaults(url, defaults), source, API);
}

/** A page of a search, or the one event of an address that names it. */
function recordsOf(document: unknown): readonly unknown[] {
  if (isObject(document) && isObject(document.dates)) return [document];
  const isEmpty = isObject(document) && isObject(document.page) && document._embedded === undefined;
  const events = isEmpty ? [] : valueAt(document, '_embedded.events');
  if (Array.isArray(events)) return events;
  throw new ProviderError('not_of_the_kind', 'the response is not a page of Discovery API events');
}

/**
 * The API gives no page beyond the thousandth event, so a longer list is asked again from the start of the last event that it gave:
 * it is in the order of starts. The events of that moment come twice, which harms nothing.
 */
function nextRequests(document: unknown, answer: SourceResponse, source: SourceFacts): readonly OutgoingRequest[] {
  const [page, pages, size] = ['number', 'totalPages', 'size'].map((name) => numberAt(document, `page.${name}`) ?? 0);
  if (page === undefined || pages === undefined || size === undefined || page + 1 >= pages) return [];
  const first = firstRequest(source);
  const asked = URL.canParse(answer.url) ? new URL(answer.url).searchParams.get('startDateTime') : null;
  const since = asked ?? new URL(first.url).searchParams.get('startDateTime') ?? '';
  if ((page + 1) * size < MAX_LISTED) return pageAfter(answer, first, { page: String(page + 1), startDateTime: since });
  const starts = textsOf(listAt(document, '_embedded.events'), 'dates.start.dateTime');
  const last = starts.filter((start) => UTC_SECOND.test(start)).at(-1);
  if (last === undefined || last < since) return [];
  const from = last > since ? last : new Date(Date.parse(last) + MS_PER_SECOND).toISOString().replace('.000Z', 'Z');
  return pageAfter(answer, first, { page: '0', startDateTime: from });
}

function readEvent(record: unknown): RecordReading {
  if (flagAt(record, 'test') === true) return null;
  const venue = valueAt(record, '_embedded.venues.0');
  const attractions = listAt(record, '_embedded.attractions');
  return eventReading(
    eventListing({
      externalId: textAt(record, 'id'),
      title: textAt(record, 'name'),
      ...kindOf(record),
      ...timesOf(record, venue),
      description: joined([textAt(record, 'description'), textAt(record, 'info'), textAt(record, 'pleaseNote')]),
      image: imageOf(listAt(record, 'images')),
      url: urlAt(record, 'url'),
      ...pricesOf(listAt(record, 'priceRanges')),
      status: STATUSES[textAt(record, 'dates.status.code') ?? ''] ?? null,
      performers: textsOf(attractions, 'name'),
      organizer: textAt(record, 'promoter.name'),
      venue: readVenue(venue),
    }),
  );
}

/** A start whose time is to be announced is printed without one, or with one that means nothing. */
function timesOf(record: unknown, venue: unknown): { start: string | null; end: string | null; zone: string | null } {
  const zone = textAt(record, 'dates.timezone') ?? textAt(venue, 'timezone');
  return { start: timeOf(record, 'dates.start'), end: timeOf(record, 'dates.end'), zone };
}

function timeOf(record: unknown, at: string): string | null {
  const [day, time, utc] = ['localDate', 'localTime', 'dateTime'].map((name) => textAt(record, `${at}.${name}`) ?? null);
  const isOpen = OPEN_TIMES.some((name) => flagAt(record, `${at}.${name}`) === true);
  if (day && (isOpen || (!time && !utc))) return dayOf(day);
  return isOpen ? null : momentOf(day && time ? `${day}T${time}` : null, utc ?? null);
}

function kindOf(record: unknown): { category: Category | null; categoryWords: string[]; tags: string[] } {
  const kinds = listAt(record, 'classifications');
  const kind = kinds.find((each) => flagAt(each, 'primary') === true) ?? kinds[0];
  const [subGenre, genre, segment] = ['subGenre', 'genre', 'segment'].map((name) => wordAt(kind, `${name}.name`));
  const words = [subGenre, genre, segment].filter((word) => word !== null && word !== undefined);
  // Several days of music are a festival; several days of a match or a play are not.
  const isFestival = segment === 'Music' && flagAt(record, 'dates.spanMultipleDays') === true;
  return {
    category: isFestival ? 'festival' : (CATEGORIES[genre ?? ''] ?? CATEGORIES[segment ?? ''] ?? null),
    categoryWords: [...new Set(words)],
    tags: [...new Set([genre, subGenre].filter((word) => word !== null && word !== undefined))],
  };
}

function wordAt(kind: unknown, path: string): string | null {
  const word = textAt(kind, path);
  return word === null || NO_WORDS.includes(word) ? null : word;
}

/** A picture of its own before one of its genre (`fallback`), 16:9 before others, then the widest. */
function imageOf(images: readonly unknown[]): string | null {
  const rank = (image: unknown): number =>
    (flagAt(image, 'fallback') === true ? 0 : OWN_PICTURE) +
    (textAt(image, 'ratio') === '16_9' ? BEST_RATIO : 0) +
    Math.min(numberAt(image, 'width') ?? 0, WIDEST);
  const best = images.filter((image) => urlAt(image, 'url') !== null).sort((a, b) => rank(b) - rank(a))[0];
  return urlAt(best, 'url');
}

/** Ordinary tickets where they are told apart from packages and cost something; amounts of one currency only. */
function pricesOf(ranges: readonly unknown[]): { priceMin: number | null; priceMax: number | null } {
  const standard = ranges.filter((range) => textAt(range, 'type') === 'standard');
  const isPaid = standard.some((range) => (numberAt(range, 'max') ?? numberAt(range, 'min') ?? 0) > 0);
  const chosen = isPaid ? standard : ranges;
  const currency = textAt(chosen[0], 'currency');
  const alike = chosen.filter((range) => textAt(range, 'currency') === currency);
  const amounts = (name: string) => alike.map((range) => numberAt(range, name)).filter((amount) => amount !== null);
  const [least, most] = [amounts('min'), amounts('max')];
  return { priceMin: least.length > 0 ? Math.min(...least) : null, priceMax: most.length > 0 ? Math.max(...most) : null };
}

function readVenue(venue: unknown): Partial<VenueListing> {
  const point = pointOf(valueAt(venue, 'location.latitude'), valueAt(venue, 'location.longitude'));
  const region = [textAt(venue, 'state.stateCode'), textAt(venue, 'postalCode')];
  return {
    externalId: textAt(venue, 'id'),
    name: textAt(venue, 'name'),
    address: addressLine([textAt(venue, 'address.line1'), textAt(venue, 'address.line2'), textAt(venue, 'city.name'), region]),
    ...point,
    capacity: capacityAt(venue, 'capacity'),
  };
}

function joined(texts: readonly (string | null)[]): string | null {
  const said = texts.filter((text) => text !== null);
  return said.length > 0 ? said.join('\n\n') : null;
}

const API: ProviderApi = {
  base: 'https://app.ticketmaster.com/discovery/v2/events.json',
  keySetting: 'TICKETMASTER_API_KEY',
  keyIn: { query: 'apikey' },
};
/** The largest that the API takes. */
const PAGE_SIZE = 200;
/** "Deep Paging": size × page below it. */
const MAX_LISTED = 1000;
const MS_PER_SECOND = 1000;
const UTC_SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
/** Any of them true: the printed hour, if there is one, is a placeholder. */
const OPEN_TIMES = ['timeTBA', 'dateTBA', 'dateTBD', 'noSpecificTime'];
/** Codes of `dates.status`; the others (`onsale`, `offsale`) are about tickets. */
const STATUSES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  cancelled: 'cancelled',
  canceled: 'cancelled',
  postponed: 'postponed',
  rescheduled: 'rescheduled',
};
/** Genres and segments that leave no doubt. "Arts & Theatre" holds museums too; "Miscellaneous" holds anything. */
const CATEGORIES: Readonly<Record<string, Category>> = {
  __proto__: null as never,
  Music: 'concert',
  Sports: 'sports',
  Comedy: 'comedy',
  Theatre: 'theater',
  Opera: 'theater',
  Family: 'family',
  'Fine Art': 'art',
  'Food & Drink': 'food',
  'Fairs & Festivals': 'festival',
};
const NO_WORDS = ['Undefined', 'Other', 'Miscellaneous'];
/** Each outweighs all below it. Wider pictures than this are not better ones. */
const [OWN_PICTURE, BEST_RATIO, WIDEST] = [20_000, 10_000, 2048];
