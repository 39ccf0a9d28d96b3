/** Calendars of LiveWhale: its JSON feed (`/live/json/events`). */

import { flagAt, isObject, listAt, sameNamed, textAt, textsOf, urlAt, valueAt } from '../../fields/json-fields.ts';
import { splitPlace } from '../../fields/place-text.ts';
import { pointOf } from '../../fields/points.ts';
import { momentOf, spanOf } from '../../fields/two-clocks.ts';
import type { VenueListing } from '../../listing.ts';
import { jsonPlatform } from './json-platform.ts';

export const livewhale = jsonPlatform({
  kind: 'livewhale',
  name: 'events of LiveWhale',
  defaults: () => ({}),
  recordsIn(document) {
    const found = Array.isArray(document) ? document : valueAt(document, 'data');
    return Array.isArray(found) && found.every((each) => isObject(each) && 'date_utc' in each) ? found : null;
  },
  nextPage: (document) => textAt(document, 'meta.next') ?? textAt(document, 'links.next'),
  readEvent(record) {
    const momentAt = (name: string) => momentOf(textAt(record, `${name}_iso`), textAt(record, `${name}_utc`));
    return {
      externalId: textAt(record, 'id'),
      ...sameNamed(record, 'title', 'url'),
      categoryWords: textsOf(listAt(record, 'event_types'), ''),
      ...spanOf(momentAt('date'), momentAt('date2'), isSet(record, 'is_all_day')),
      description: textAt(record, 'description') ?? textAt(record, 'summary'),
      image: urlAt(record, 'thumbnail'),
      priceText: textAt(record, 'cost'),
      status: isSet(record, 'is_canceled') ? 'cancelled' : null,
      tags: textsOf(listAt(record, 'tags'), ''),
      organizer: textAt(record, 'group_title'),
      isOnline: isSet(record, 'is_online') && textAt(record, 'location') === null,
      venue: venueOf(record),
    };
  },
});

/** True, 1 or text of it. */
function isSet(record: unknown, name: string): boolean {
  return flagAt(record, name) === true || textAt(record, name) === '1';
}

function venueOf(record: unknown): Partial<VenueListing> {
  const [place, address] = [textAt(record, 'location'), textAt(record, 'location_address')];
  return {
    ...(place !== null && address === null ? splitPlace(place) : { name: place, address }),
    ...pointOf(valueAt(record, 'location_latitude'), valueAt(record, 'location_longitude')),
  };
}
