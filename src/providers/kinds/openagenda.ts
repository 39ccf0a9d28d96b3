/** OpenAgenda's API, version 2 (developers.openagenda.com, "Lecture"). One record is an event with all its dates. */

import { addressOf, isAddress, keyedRequest, type ProviderApi, pageAfter, utcDay, withDefaults } from '../api-request.ts';
import { addressLine } from '../fields/address-line.ts';
import { isObject, listAt, numberAt, textAt, textsOf, urlAt, valueAt } from '../fields/json-fields.ts';
import { createTextReader, listIn } from '../fields/languages.ts';
import { pointOf } from '../fields/points.ts';
import { momentOf, spanOf } from '../fields/two-clocks.ts';
import { webAddress } from '../fields/web-address.ts';
import { eventListing, kindAndTags, type VenueListing } from '../listing.ts';
import type { OutgoingRequest, Provider, SourceFacts, SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { type RecordReading, readRecords } from '../read-records.ts';
import { parseJson } from '../reading/parse-json.ts';

export const openagenda: Provider = {
  kind: 'openagenda',
  mapping: 'over',
  keySetting: 'OPENAGENDA_KEY',
  request: firstRequest,
  read(answer, source) {
    const document = parseJson(answer.body);
    const listings = readRecords(recordsOf(document), answer.body.length, (record) => readEvent(record, source.window));
    return { listings, next: nextRequests(document, answer, source) };
  },
};

/** The location is an address, or the uid of an agenda. */
function firstRequest(source: SourceFacts): OutgoingRequest {
  const { location, window } = source;
  const isAgenda = /^\d{1,20}$/.test(location);
  const url = isAgenda && !isAddress(location) ? new URL(`${API.base}/${location}/events`) : addressOf(location);
  const defaults = {
    detailed: '1',
    size: String(PAGE_SIZE),
    'timings[gte]': `${utcDay(window.from)}T00:00:00.000Z`,
    'timings[lte]': `${utcDay(window.until)}T00:00:00.000Z`,
  };
  return keyedRequest(withDefaults(url, defaults), source, API);
}

/** A page of an agenda, a list of events, or one event. */
function recordsOf(document: unknown): readonly unknown[] {
  const found = [document, valueAt(document, 'events')].find(Array.isArray);
  if (found) return found;
  const one = [valueAt(document, 'event'), document].find((each) => isObject(each) && DATE_FIELDS.some((name) => name in each));
  if (one !== undefined) return [one];
  throw new ProviderError('not_of_the_kind', 'the response is not a page of OpenAgenda events');
}

/** `after` is a list of sort values that is sent back as it came. */
function nextRequests(document: unknown, answer: SourceResponse, source: SourceFacts): readonly OutgoingRequest[] {
  const after = listAt(document, 'after').map((mark) => (mark === null ? 'null' : (textAt(mark, '') ?? '')));
  if (after.length === 0 || listAt(document, 'events').length === 0) return [];
  return pageAfter(answer, firstRequest(source), Object.fromEntries(after.map((mark, index) => [`after[${index}]`, mark])));
}

function readEvent(record: unknown, window: SourceFacts['window']): RecordReading {
  const isHidden = HIDING.some((name) => [true, 1].includes(valueAt(record, name) as boolean | number));
  if (isHidden || (numberAt(record, 'state') ?? PUBLISHED) !== PUBLISHED) return null;
  const uid = textAt(record, 'uid');
  if (uid === null) return { field: 'externalId', reason: 'wanted a uid, got nothing', externalId: null };
  const textIn = createTextReader(record, 'title', ['description', 'longDescription', 'conditions']);
  const text = (path: string) => textIn(valueAt(record, path));
  const title = text('title');
  if (title === null) return { field: 'title', reason: 'wanted a title, got nothing', externalId: uid };
  const timings = timingsOf(record);
  if (timings.length === 0) return { field: 'start', reason: 'wanted timings, got none that can be read', externalId: uid };
  const attendance = codeAt(record, 'attendanceMode');
  const status = codeAt(record, 'status');
  const keywords = textsOf(listIn(valueAt(record, 'keywords')), '');
  const event = eventListing({
    seriesId: uid,
    title,
    zone: textAt(record, 'timezone') ?? textAt(record, 'location.timezone'),
    description: text('longDescription') ?? text('description'),
    image: imageOf(valueAt(record, 'image')),
    url: urlAt(record, 'canonicalUrl'),
    priceText: text('conditions'),
    status: STATUSES[status ?? 0] ?? null,
    ...kindAndTags(keywords),
    organizer: textAt(record, 'originAgenda.title'),
    isOnline: attendance === ONLINE || status === MOVED_ONLINE,
    venue: readVenue(valueAt(record, 'location')),
  });
  const coming = timings.filter(({ from, until }) => until >= window.from && from < window.until).slice(0, MAX_TIMINGS);
  if (coming.length === 0) return null;
  return coming.map(({ begin, start, end }) => {
    const isAllDay = MIDNIGHT.test(start) && end !== null && LAST_MINUTE.test(end);
    return { target: 'events', event: { ...event, externalId: `${uid}@${begin}`, ...spanOf(start, end, isAllDay) } };
  });
}

interface Timing {
  /** As the provider wrote it. */
  begin: string;
  start: string;
  end: string | null;
  from: number;
  until: number;
}

/** All dates; an answer without details has the first, the next and the last of them only. */
function timingsOf(record: unknown): Timing[] {
  const all = listAt(record, 'timings');
  const some = DATE_FIELDS.slice(1).map((name) => valueAt(record, name));
  const timings = (all.length > 0 ? all : some).flatMap((timing): [string, Timing][] => {
    const begin = textAt(timing, 'begin');
    const [start, end] = [momentOf(begin, null), momentOf(textAt(timing, 'end'), null)];
    const from = Date.parse(start ?? '');
    if (begin === null || start === null || Number.isNaN(from)) return [];
    return [[begin, { begin, start, end, from, until: Math.max(from, Date.parse(end ?? start)) }]];
  });
  return [...new Map(timings).values()];
}

/** A number, or an object with it as `id` where labels were asked for. */
function codeAt(record: unknown, name: string): number | null {
  return numberAt(record, name) ?? numberAt(record, `${name}.id`);
}

function imageOf(image: unknown): string | null {
  const [base, file] = [textAt(image, 'base'), textAt(image, 'filename')];
  return base === null || file === null ? urlAt(image, '') : webAddress(base + file);
}

function readVenue(location: unknown): Partial<VenueListing> {
  if (!isObject(location)) return {};
  const point = pointOf(location.latitude, location.longitude);
  const address = textAt(location, 'address');
  const [city, postalCode] = [textAt(location, 'city'), textAt(location, 'postalCode')];
  const isComplete = city !== null && address?.includes(city);
  return {
    externalId: textAt(location, 'uid'),
    name: textAt(location, 'name'),
    address: isComplete ? address : addressLine([address, [postalCode, city]]),
    ...point,
    website: urlAt(location, 'website'),
    neighborhood: textAt(location, 'district'),
  };
}

const API: ProviderApi = {
  base: 'https://api.openagenda.com/v2/agendas',
  keySetting: 'OPENAGENDA_KEY',
  keyIn: { query: 'key' },
};
/** "Il n'est pas possible de récupérer plus de 300 événements par appel"; with all details an answer of 100 is large enough. */
const PAGE_SIZE = 100;
/** Of one event in the window: once a day for more than two years. */
const MAX_TIMINGS = 750;
/** The full list, and what an answer without details has of it. */
const DATE_FIELDS = ['timings', 'firstTiming', 'nextTiming', 'lastTiming'];
/** A whole day is printed as 00:00 to 23:59. */
const [MIDNIGHT, LAST_MINUTE] = [/T00:00:00/, /T23:59:/];
const HIDING = ['private', 'draft'];
/** Of `state`: published on the agenda. */
const PUBLISHED = 2;
/** Of `attendanceMode`; 3 is both. */
const ONLINE = 2;
/** Of `status`, as 1 scheduled, 2 rescheduled, 4 postponed, 5 full, 6 cancelled. */
const MOVED_ONLINE = 3;
const STATUSES: Readonly<Record<number, string>> = { 2: 'rescheduled', 4: 'postponed', 5: 'sold_out', 6: 'cancelled' };
