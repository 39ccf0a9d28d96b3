/** The Events Calendar, a plugin of WordPress: its REST interface, version 1 (`/wp-json/tribe/events/v1/events`). */

import { utcDay } from '../../api-request.ts';
import { addressLine } from '../../fields/address-line.ts';
import { priceRange } from '../../fields/amount.ts';
import { flagAt, isObject, listAt, numberAt, sameNamed, textAt, textsOf, urlAt, valueAt } from '../../fields/json-fields.ts';
import { pointOf } from '../../fields/points.ts';
import { readStatus } from '../../fields/status-terms.ts';
import { momentOf, spanOf } from '../../fields/two-clocks.ts';
import { kindAndTags, type VenueListing } from '../../listing.ts';
import { jsonPlatform } from './json-platform.ts';

export const tribe = jsonPlatform({
  kind: 'tribe',
  name: 'The Events Calendar',
  defaults: ({ window }) => ({ start_date: utcDay(window.from), end_date: utcDay(window.until), per_page: PAGE_SIZE }),
  recordsIn: 'events',
  nextPage: (document) => textAt(document, 'next_rest_url'),
  readEvent(record) {
    if ((textAt(record, 'status') ?? 'publish') !== 'publish' || flagAt(record, 'hide_from_listings') === true) return null;
    const momentAt = (name: string) => momentOf(textAt(record, name), textAt(record, `utc_${name}`));
    const wordsAt = (name: string) => textsOf(listAt(record, name), 'name');
    const [organizer] = oneOrMany(record, 'organizer');
    return {
      externalId: textAt(record, 'global_id') ?? textAt(record, 'id'),
      ...sameNamed(record, 'title', 'url'),
      ...kindAndTags(wordsAt('categories'), wordsAt('tags')),
      ...spanOf(momentAt('start_date'), momentAt('end_date'), flagAt(record, 'all_day') === true),
      description: textAt(record, 'description') ?? textAt(record, 'excerpt'),
      image: urlAt(record, 'image.url'),
      ...priceRange(
        listAt(record, 'cost_details.values').map((value) => numberAt(value, '')),
        textAt(record, 'cost'),
      ),
      status: readStatus(textsOf([record], 'event_status')),
      organizer: textAt(organizer, 'organizer'),
      organizerUrl: urlAt(organizer, 'website') ?? urlAt(organizer, 'url'),
      isOnline: flagAt(record, 'is_virtual') === true && !isObject(valueAt(record, 'venue')),
      venue: venueOf(oneOrMany(record, 'venue')[0]),
    };
  },
});

/** An object, a list of several, or an empty list. */
const oneOrMany = (record: unknown, name: string): readonly unknown[] => [valueAt(record, name)].flat();

function venueOf(venue: unknown): Partial<VenueListing> {
  const region = textAt(venue, 'stateprovince') ?? textAt(venue, 'state') ?? textAt(venue, 'province');
  return {
    externalId: textAt(venue, 'id'),
    name: textAt(venue, 'venue'),
    address: addressLine([textAt(venue, 'address'), textAt(venue, 'city'), [region, textAt(venue, 'zip')]]),
    ...pointOf(valueAt(venue, 'geo_lat'), valueAt(venue, 'geo_lng')),
    website: urlAt(venue, 'website'),
  };
}

/** The most that it gives. */
const PAGE_SIZE = '50';
