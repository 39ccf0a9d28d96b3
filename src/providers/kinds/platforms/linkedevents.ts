/** Linked Events, the interface of Finnish cities (github.com/City-of-Helsinki/linkedevents), version 1. */

import { utcDay } from '../../api-request.ts';
import { addressLine } from '../../fields/address-line.ts';
import { priceRange } from '../../fields/amount.ts';
import { flagAt, isObject, listAt, numberAt, textAt, textsOf, urlAt, valueAt } from '../../fields/json-fields.ts';
import { createTextReader, type LanguageReader } from '../../fields/languages.ts';
import { pointOf, readPoint } from '../../fields/points.ts';
import { momentOf, spanOf } from '../../fields/two-clocks.ts';
import { webAddress } from '../../fields/web-address.ts';
import type { EventListing, PartialEvent, VenueListing } from '../../listing.ts';
import { jsonPlatform } from './json-platform.ts';

export const linkedevents = jsonPlatform({
  kind: 'linkedevents',
  name: 'Linked Events',
  defaults: ({ window }) => ({
    include: 'location,keywords',
    start: utcDay(window.from),
    end: utcDay(window.until),
    sort: 'start_time',
    page_size: String(PAGE_SIZE),
  }),
  recordsIn,
  readEvent,
  nextPage: (document) => urlAt(document, 'meta.next'),
});

/** A page of events, or the one event of an address that names it. */
function recordsIn(document: unknown): readonly unknown[] | null {
  if (isObject(document) && Array.isArray(document.data)) return document.data;
  return isObject(document) && 'start_time' in document ? [document] : null;
}

/** The parent of a series or a festival stands for its dates, which are listed themselves. */
function readEvent(record: unknown): PartialEvent | null {
  const isParent = textAt(record, 'super_event_type') !== null || listAt(record, 'sub_events').length > 0;
  const isGone = flagAt(record, 'deleted') === true || textAt(record, 'replaced_by') !== null;
  if (isParent || isGone || textAt(record, 'publication_status') === 'draft') return null;
  const textIn = createTextReader(record, 'name', ['short_description', 'description', 'location_extra_info', 'provider']);
  const text = (path: string) => textIn(valueAt(record, path));
  return {
    externalId: textAt(record, 'id'),
    seriesId: idOf(valueAt(record, 'super_event')),
    title: text('name'),
    ...wordsOf(record, textIn),
    ...spanOf(momentOf(textAt(record, 'start_time'), null), momentOf(textAt(record, 'end_time'), null), false),
    description: text('description') ?? text('short_description'),
    image: listAt(record, 'images').flatMap((image) => urlAt(image, 'url') ?? [])[0] ?? null,
    url: webAddress(text('info_url')) ?? urlAt(record, '@id'),
    ...pricesOf(listAt(record, 'offers'), textIn),
    status: STATUSES[textAt(record, 'event_status') ?? ''] ?? null,
    organizer: text('provider'),
    isOnline: isVirtual(record),
    venue: readVenue(valueAt(record, 'location'), text('location_extra_info'), textIn),
  };
}

/** `type_id` is `General` unless it is a course or volunteering. */
function wordsOf(record: unknown, textIn: LanguageReader) {
  const tags = textsOf(
    listAt(record, 'keywords').map((each) => textIn(valueAt(each, 'name'))),
    '',
  );
  const type = textsOf([record], 'type_id').filter((each) => each !== 'General');
  return { categoryWords: [...new Set([...tags, ...type])], tags };
}

/** On the network only: some have a place as well. */
function isVirtual(record: unknown): boolean {
  const id = idOf(valueAt(record, 'location'));
  if (id !== null && INTERNET.test(id)) return true;
  return id === null && (flagAt(record, 'is_virtualevent') === true || textAt(record, 'virtualevent_url') !== null);
}

/** Prices are prose, often of HTML; a number that stands alone is one. */
function pricesOf(
  offers: readonly unknown[],
  textIn: LanguageReader,
): Pick<EventListing, 'isFree' | 'priceMin' | 'priceMax' | 'priceText'> {
  const flags = offers.map((offer) => flagAt(offer, 'is_free'));
  const texts = [...new Set(offers.map((offer) => textIn(valueAt(offer, 'price'))).filter((text) => text !== null))];
  const numbers = texts.map((text) => numberAt(text.replace(',', '.'), ''));
  const isFree = flags.length > 0 && flags.every((flag) => flag === true) ? true : flags.includes(false) ? false : null;
  return { isFree, ...priceRange(numbers, texts.length > 0 ? texts.join(' / ') : null) };
}

/** With `location` null the place is prose: it is the name, and whatever address there is. */
function readVenue(location: unknown, extra: string | null, textIn: LanguageReader): Partial<VenueListing> {
  if (!isObject(location)) return { name: extra, address: extra };
  const point = readPoint(valueAt(location, 'position.coordinates') ?? '', 'lon,lat');
  const street = textIn(location.street_address);
  const city = [textAt(location, 'postal_code'), textIn(location.address_locality)];
  return {
    externalId: idOf(location),
    name: textIn(location.name) ?? extra,
    address: street === null ? extra : addressLine([street, city]),
    ...(point && pointOf(point.latitude, point.longitude)),
    website: webAddress(textIn(location.info_url)),
  };
}

/** `tprek:1234`, which a reference writes as the last part of `@id`. */
function idOf(reference: unknown): string | null {
  const id = textAt(reference, 'id') ?? textAt(reference, '@id') ?? textAt(reference, '');
  return id?.split('/').findLast((part) => part !== '') ?? null;
}

const PAGE_SIZE = 100;
/** The place that stands for the network (`helsinki:internet`). */
const INTERNET = /:internet$/i;
const STATUSES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  EventCancelled: 'cancelled',
  EventPostponed: 'postponed',
  EventRescheduled: 'rescheduled',
};
