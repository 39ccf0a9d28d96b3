/** Calendars of Localist: version 2 of its interface (`/api/2/events`). */

import { flagAt, listAt, sameNamed, textAt, textsOf, urlAt, valueAt } from '../../fields/json-fields.ts';
import { pointOf } from '../../fields/points.ts';
import { readStatus } from '../../fields/status-terms.ts';
import { momentOf, spanOf } from '../../fields/two-clocks.ts';
import type { VenueListing } from '../../listing.ts';
import { jsonPlatform } from './json-platform.ts';

export const localist = jsonPlatform({
  kind: 'localist',
  name: 'events of Localist',
  defaults: () => ({ days: '370', pp: '100' }),
  recordsIn: 'events',
  nextPage(document) {
    const [current, total] = [Number(valueAt(document, 'page.current')), Number(valueAt(document, 'page.total'))];
    return current < total ? { page: String(current + 1) } : null;
  },
  readEvent(record) {
    const said = valueAt(record, 'event') ?? record;
    const id = textAt(said, 'id');
    if (id === null || textAt(said, 'title') === null || flagAt(said, 'private') === true) return null;
    const event = {
      seriesId: id,
      ...sameNamed(said, 'title'),
      ...wordsOf(said),
      description: textAt(said, 'description_text') ?? textAt(said, 'description'),
      image: urlAt(said, 'photo_url'),
      url: urlAt(said, 'localist_url') ?? urlAt(said, 'url'),
      isFree: flagAt(said, 'free') === true ? true : null,
      priceText: textAt(said, 'ticket_cost'),
      status: readStatus(textsOf([said], 'status').filter((word) => !/^live$/i.test(word))),
      isOnline: textAt(said, 'experience') === 'virtual',
      venue: venueOf(said),
    };
    // Each date of an event stands under an id of its own.
    return listAt(said, 'event_instances').flatMap((each) => {
      const instance = valueAt(each, 'event_instance') ?? each;
      const momentAt = (name: string) => momentOf(textAt(instance, name), null);
      const times = spanOf(momentAt('start'), momentAt('end'), flagAt(instance, 'all_day') === true);
      const externalId = textAt(instance, 'id') ?? `${id}@${momentAt('start')}`;
      return times.start === null ? [] : [{ ...event, externalId, ...times }];
    });
  },
});

function wordsOf(said: unknown) {
  const filters = listAt(said, 'filters.event_types').concat(listAt(said, 'filters.departments'));
  return { categoryWords: textsOf(filters, 'name'), tags: textsOf(listAt(said, 'tags').concat(listAt(said, 'keywords')), '') };
}

function venueOf(said: unknown): Partial<VenueListing> {
  return {
    externalId: textAt(said, 'venue_id'),
    name: textAt(said, 'location_name') ?? textAt(said, 'location'),
    address: textAt(said, 'address'),
    ...pointOf(valueAt(said, 'geo.latitude'), valueAt(said, 'geo.longitude')),
  };
}
