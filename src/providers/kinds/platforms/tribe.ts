/** The Events Calendar, a plugin of WordPress: its REST interface, version 1 (`/wp-json/tribe/events/v1/events`). */

import { utcDay } from '../../api-request.ts';
import { addressLine } from '../../fields/address-line.ts';
import { priceRange } from '../../fields/amount.ts';
import { flagAt, isObject, listAt, numberAt, textAt, textsOf, urlAt, valueAt } from '../../fields/json-fields.ts';
import { pointOf } from '../../fields/points.ts';
import { readStatus } from '../../fields/status-terms.ts';
import { dayOf, momentOf } from '../../fields/two-clocks.ts';
import { eventListing, type VenueListing } from '../../listing.ts';
import { eventReading } from '../../read-records.ts';
import { jsonPlatform } from './json-platform.ts';

export const tribe = jsonPlatform({
  kind: 'tribe',
  name: 'The Events Calendar',
  defaults: ({ window }) => ({ start_date: utcDay(window.from), end_date: utcDay(window.until), per_page: PAGE_SIZE }),
  recordsIn: (document) => (isObject(document) && Array.isArray(document.events) ? document.events : null),
  nextPage: (document) => textAt(document, 'next_rest_url'),
  readEvent(record) {
    if ((textAt(record, 'status') ?? 'publish') !== 'publish' || flagAt(record, 'hide_from_listings') === true) return null;
    const isAllDay = flagAt(record, 'all_day') === true;
    const momentAt = (name: string) => momentOf(textAt(record, name), textAt(record, `utc_${name}`));
    const [start, end] = [momentAt('start_date'), momentAt('end_date')];
    const [categories, tags] = [listAt(record, 'categories'), listAt(record, 'tags')];
    const [organizer] = oneOrMany(record, 'organizer');
    const event = eventListing({
      externalId: textAt(record, 'global_id') ?? textAt(record, 'id'),
      title: textAt(record, 'title'),
      categoryWords: textsOf(categories, 'name'),
      ...(isAllDay ? { start: dayOf(start), end: dayOf(end), isAllDay } : { start, end }),
      description: textAt(record, 'description') ?? textAt(record, 'excerpt'),
      image: urlAt(record, 'image.url'),
      url: urlAt(record, 'url'),
      ...priceRange(
        listAt(record, 'cost_details.values').map((value) => numberAt(value, '')),
        textAt(record, 'cost'),
      ),
      status: readStatus(textsOf([record], 'event_status')),
      tags: textsOf([...categories, ...tags], 'name'),
      organizer: textAt(organizer, 'organizer'),
      organizerUrl: urlAt(organizer, 'website') ?? urlAt(organizer, 'url'),
      isOnline: flagAt(record, 'is_virtual') === true && !isObject(valueAt(record, 'venue')),
      venue: venueOf(oneOrMany(record, 'venue')[0]),
    });
    return eventReading(event);
  },
});

/** An object, a list of several, or an empty list. */
const oneOrMany = (record: unknown, name: string): readonly unknown[] => [valueAt(record, name)].flat();

function venueOf(venue: unknown): Partial<VenueListing> {
  const region = textAt(venue, 'stateprovince') ?? textAt(venue, 'state') ?? textAt(venue, 'province');
  const code = [region, textAt(venue, 'zip')].filter((part) => part !== null).join(' ');
  return {
    externalId: textAt(venue, 'id'),
    name: textAt(venue, 'venue'),
    address: addressLine([textAt(venue, 'address'), textAt(venue, 'city'), code]),
    ...pointOf(valueAt(venue, 'geo_lat'), valueAt(venue, 'geo_lng')),
    website: urlAt(venue, 'website'),
  };
}

/** The most that it gives. */
const PAGE_SIZE = '50';
