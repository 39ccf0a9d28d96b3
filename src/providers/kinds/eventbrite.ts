/** Eventbrite's API, version 3 (eventbrite.com/platform/api), and the shape of its search results. */

import type { Category } from '../../records/index.ts';
import { addressOf, isAddress, keyedRequest, type ProviderApi, pageAfter, withDefaults } from '../api-request.ts';
import { addressLine } from '../fields/address-line.ts';
import { capacityAt, flagAt, isObject, listAt, numberAt, textAt, textsOf, urlAt, valueAt } from '../fields/json-fields.ts';
import { pointOf } from '../fields/points.ts';
import { momentOf } from '../fields/two-clocks.ts';
import { type EventListing, eventListing, type VenueListing } from '../listing.ts';
import type { OutgoingRequest, Provider, SourceFacts, SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { eventReading, type RecordReading, readRecords } from '../read-records.ts';
import { parseJson } from '../reading/parse-json.ts';

export const eventbrite: Provider = {
  kind: 'eventbrite',
  mapping: 'over',
  keySetting: 'EVENTBRITE_TOKEN',
  request: firstRequest,
  read(answer, source) {
    const document = parseJson(answer.body);
    const listings = readRecords(recordsOf(document), answer.body.length, readEvent);
    return { listings, next: nextRequests(document, answer, source) };
  },
};

/** The location is an address, or whose events are meant: `organizations/123`, `organizers/123` or `venues/123`. */
function firstRequest(source: SourceFacts): OutgoingRequest {
  const { location } = source;
  const isOwner = /^(?:organizations|organizers|venues)\/\d{1,20}$/.test(location);
  const url = isOwner && !isAddress(location) ? new URL(`${API.base}/${location}/events/`) : addressOf(location);
  // With `expand` the venue comes along; otherwise only its id would.
  return keyedRequest(withDefaults(url, { expand: EXPANDED, order_by: 'start_desc' }), source, API);
}

/** A list of the API, results of the search, or the one event of an address that names it. */
function recordsOf(document: unknown): readonly unknown[] {
  const found = [document, valueAt(document, 'events'), valueAt(document, 'events.results')].find(Array.isArray);
  if (found) return found;
  if (isObject(document) && 'id' in document && ('start' in document || 'start_date' in document)) return [document];
  throw new ProviderError('not_of_the_kind', 'the response is not a list of Eventbrite events');
}

function nextRequests(document: unknown, answer: SourceResponse, source: SourceFacts): readonly OutgoingRequest[] {
  if (flagAt(document, 'pagination.has_more_items') !== true) return [];
  const [mark, page] = [textAt(document, 'pagination.continuation'), numberAt(document, 'pagination.page_number')];
  return pageAfter(answer, firstRequest(source), mark === null ? { page: String((page ?? 1) + 1) } : { continuation: mark });
}

/** Drafts and what its owner does not list are not ours to list; the parent of a series only repeats what its dates say. */
function readEvent(record: unknown): RecordReading {
  const isHidden =
    textAt(record, 'status') === 'draft' ||
    flagAt(record, 'listed') === false ||
    flagAt(record, 'invite_only') === true ||
    flagAt(record, 'is_protected_event') === true;
  if (isHidden || flagAt(record, 'is_series_parent') === true) return null;
  const venue = valueAt(record, 'venue') ?? valueAt(record, 'primary_venue');
  return eventReading(
    eventListing({
      externalId: textAt(record, 'id'),
      seriesId: textAt(record, 'series_id'),
      title: textAt(record, 'name.text') ?? textAt(record, 'name.html') ?? textAt(record, 'name'),
      ...kindOf(record),
      ...timesOf(record),
      description: DESCRIPTIONS.map((path) => textAt(record, path)).find((text) => text !== null) ?? null,
      image: urlAt(record, 'logo.url') ?? urlAt(record, 'image.url'),
      url: urlAt(record, 'url'),
      ...pricesOf(record),
      status: statusOf(record),
      organizer: textAt(record, 'organizer.name') ?? textAt(record, 'primary_organizer.name'),
      organizerUrl: textAt(record, 'organizer.url') ?? textAt(record, 'primary_organizer.url'),
      isOnline: flagAt(record, 'online_event') ?? flagAt(record, 'is_online_event') ?? false,
      venue: { externalId: textAt(record, 'venue_id') ?? textAt(record, 'primary_venue_id'), ...readVenue(venue) },
    }),
  );
}

/** The API prints both clocks; the search prints date, time and zone apart, and no time where there is none. */
function timesOf(record: unknown): { start: string | null; end: string | null; zone: string | null } {
  const parts = (name: string): string | null => {
    const [day, time] = [textAt(record, `${name}_date`), textAt(record, `${name}_time`)];
    return day && time ? `${day}T${time}` : day;
  };
  const moment = (name: string) =>
    momentOf(textAt(record, `${name}.local`) ?? parts(name), textAt(record, `${name}.utc`) ?? null);
  const zone = textAt(record, 'start.timezone') ?? textAt(record, 'timezone');
  return { start: moment('start'), end: moment('end'), zone };
}

function kindOf(record: unknown): { category: Category | null; categoryWords: string[]; tags: string[] } {
  const all = listAt(record, 'tags');
  const tagged = (prefix: string) => all.filter((tag) => textAt(tag, 'prefix') === prefix);
  const word = (name: string, prefix: string): string | null =>
    textAt(record, `${name}.name`) ?? textsOf(tagged(prefix), 'display_name')[0] ?? null;
  const [subcategory, format] = [word('subcategory', 'EventbriteSubCategory'), word('format', 'EventbriteFormat')];
  const category = word('category', 'EventbriteCategory') ?? CATEGORY_NAMES[textAt(record, 'category_id') ?? ''] ?? null;
  const sure = CATEGORIES.find(
    (row) => row.word === subcategory || (row.word === format && (row.of === category || row.of === null)),
  );
  return {
    category: sure?.category ?? null,
    categoryWords: [subcategory, format, category].filter((each) => each !== null),
    tags: textsOf(tagged('OrganizerTag'), 'display_name'),
  };
}

/** A price of 0 on what is not free is a donation, or not said: unknown. */
function pricesOf(record: unknown): Pick<EventListing, 'isFree' | 'priceMin' | 'priceMax'> {
  const tickets = valueAt(record, 'ticket_availability');
  const isFree = flagAt(tickets, 'is_free') ?? flagAt(record, 'is_free');
  const classes = priceOfClasses(listAt(record, 'ticket_classes'));
  const [least, most] = classes ?? ['minimum', 'maximum'].map((name) => numberAt(tickets, `${name}_ticket_price.major_value`));
  if (isFree === false && !least && !most) return { isFree, priceMin: null, priceMax: null };
  return { isFree, priceMin: least ?? null, priceMax: most ?? null };
}

/** Of all classes of tickets that are sold: a free one beside others is their lowest price. Donations have no price. */
function priceOfClasses(classes: readonly unknown[]): [number, number] | null {
  const sold = classes.filter((each) => flagAt(each, 'donation') !== true && flagAt(each, 'hidden') !== true);
  const amounts = sold.map((each) => (flagAt(each, 'free') === true ? 0 : numberAt(each, 'cost.major_value')));
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 || known.length < amounts.length ? null : [Math.min(...known), Math.max(...known)];
}

function statusOf(record: unknown): string | null {
  const words = [textAt(record, 'status'), textAt(record, 'event_sales_status.sales_status')];
  if (flagAt(record, 'is_cancelled') === true) return 'cancelled';
  if (flagAt(record, 'ticket_availability.is_sold_out') === true) return 'sold_out';
  return words.map((word) => STATUSES[word ?? '']).find((known) => known !== undefined) ?? null;
}

function readVenue(venue: unknown): Partial<VenueListing> {
  if (!isObject(venue)) return {};
  const at = valueAt(venue, 'address');
  const point = pointOf(venue.latitude ?? valueAt(at, 'latitude'), venue.longitude ?? valueAt(at, 'longitude'));
  const parts = ['address_1', 'address_2', 'city', 'region', 'postal_code'].map((name) => textAt(at, name));
  return {
    externalId: textAt(venue, 'id'),
    name: textAt(venue, 'name'),
    address: textAt(at, 'localized_address_display') ?? addressLine(parts),
    ...point,
    capacity: capacityAt(venue, 'capacity'),
  };
}

const API: ProviderApi = {
  base: 'https://www.eventbriteapi.com/v3',
  keySetting: 'EVENTBRITE_TOKEN',
  keyIn: { header: 'authorization', prefix: 'Bearer ' },
};
const EXPANDED = 'venue,organizer,ticket_availability,ticket_classes,category,subcategory,format';
const DESCRIPTIONS = ['description.html', 'description.text', 'full_description', 'summary'];
const STATUSES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  canceled: 'cancelled',
  cancelled: 'cancelled',
  postponed: 'postponed',
  sold_out: 'sold_out',
};
/** What leaves no doubt: a subcategory, or a format (of that category only). A "Class" of the category "Music" is no concert. */
const CATEGORIES: readonly { word: string; of: string | null; category: Category }[] = [
  { word: 'Festival or Fair', of: null, category: 'festival' },
  { word: 'Comedy', of: null, category: 'comedy' },
  { word: 'Theatre', of: null, category: 'theater' },
  { word: 'Musical', of: null, category: 'theater' },
  { word: 'Concert or Performance', of: 'Music', category: 'concert' },
];
/** Ids of the platform's top categories ("Categories"), for answers that name the id alone. */
const CATEGORY_NAMES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  101: 'Business & Professional',
  102: 'Science & Technology',
  103: 'Music',
  104: 'Film, Media & Entertainment',
  105: 'Performing & Visual Arts',
  106: 'Fashion & Beauty',
  107: 'Health & Wellness',
  108: 'Sports & Fitness',
  109: 'Travel & Outdoor',
  110: 'Food & Drink',
  111: 'Charity & Causes',
  112: 'Government & Politics',
  113: 'Community & Culture',
  114: 'Religion & Spirituality',
  115: 'Family & Education',
  116: 'Seasonal & Holiday',
  117: 'Home & Lifestyle',
  118: 'Auto, Boat & Air',
  119: 'Hobbies & Special Interest',
};
