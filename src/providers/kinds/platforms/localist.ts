/** Calendars of Localist: version 2 of its interface (`/api/2/events`). */

import { flagAt, isObject, listAt, textAt, textsOf, urlAt, valueAt } from '../../fields/json-fields.ts';
import { pointOf } from '../../fields/points.ts';
import { readStatus } from '../../fields/status-terms.ts';
import { dayOf, momentOf } from '../../fields/two-clocks.ts';
import { eventListing, type VenueListing } from '../../listing.ts';
import { jsonPlatform } from './json-platform.ts';

export const localist = jsonPlatform({
  kind: 'localist',
  name: 'events of Localist',
  defaults: () => ({ days: '370', pp: '100' }),
  recordsIn: (document) => (isObject(document) && Array.isArray(document.events) ? document.events : null),
  nextPage(document) {
    const [current, total] = [Number(valueAt(document, 'page.current')), Number(valueAt(document, 'page.total'))];
    return current < total ? { page: String(current + 1) } : null;
  },
  readEvent(record) {
    const said = valueAt(record, 'event') ?? record;
    const [id, title] = [textAt(said, 'id'), textAt(said, 'title')];
    if (id === null || title === null || flagAt(said, 'private') === true) return null;
    const event = eventListing({
      seriesId: id,
      title,
      categoryWords: ['event_types', 'departments'].flatMap((name) => textsOf(listAt(said, `filters.${name}`), 'name')),
      description: textAt(said, 'description_text') ?? textAt(said, 'description'),
      image: urlAt(said, 'photo_url'),
      url: urlAt(said, 'localist_url') ?? urlAt(said, 'url'),
      isFree: flagAt(said, 'free') === true ? true : null,
      priceText: textAt(said, 'ticket_cost'),
      status: LIVE.test(textAt(said, 'status') ?? '') ? null : readStatus(textsOf([said], 'status')),
      tags: [...textsOf(listAt(said, 'tags'), ''), ...textsOf(listAt(said, 'keywords'), '')],
      isOnline: textAt(said, 'experience') === 'virtual',
      venue: venueOf(said),
    });
    // Each date of an event stands under an id of its own.
    return listAt(said, 'event_instances').flatMap((each) => {
      const instance = valueAt(each, 'event_instance') ?? each;
      const [start, end] = ['start', 'end'].map((name) => momentOf(textAt(instance, name), null));
      const isAllDay = flagAt(instance, 'all_day') === true;
      if (!start) return [];
      const times = isAllDay ? { isAllDay, start: dayOf(start), end: dayOf(end ?? null) } : { start, end: end ?? null };
      return [{ target: 'events', event: { ...event, externalId: textAt(instance, 'id') ?? `${id}@${start}`, ...times } }];
    });
  },
});

function venueOf(said: unknown): Partial<VenueListing> {
  return {
    externalId: textAt(said, 'venue_id'),
    name: textAt(said, 'location_name') ?? textAt(said, 'location'),
    address: textAt(said, 'address'),
    ...pointOf(valueAt(said, 'geo.latitude'), valueAt(said, 'geo.longitude')),
  };
}

const LIVE = /^live$/i;
