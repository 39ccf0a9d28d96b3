/** Records of the read model as the writers of forms want them. */

import type { EventDetail, VenueSummary } from '../records/index.ts';
import type { Snapshot } from '../search/index.ts';
import type { ServedEvent, ServedVenue } from './formats/index.ts';

/** `items` of a page of the same snapshot. */
export function readEventRecords(snapshot: Snapshot, items: readonly number[]): ServedEvent[] {
  return items.map((item) => readEventRecord(snapshot, item));
}

export function readEventRecord(snapshot: Snapshot, item: number): ServedEvent {
  return {
    json: snapshot.writeEvents([item], 'list', '', '').toString(),
    event: JSON.parse(snapshot.writeEvents([item], 'detail', '', '').toString()) as EventDetail,
    ...snapshot.lifecycle(item),
    isInArea: snapshot.extras(item).locationPrecision === 'area',
    organizer: () => snapshot.facts(item).organizer,
  };
}

/** `now`: directory time, milliseconds. */
export function readVenueRecords(snapshot: Snapshot, items: readonly number[], now: number): ServedVenue[] {
  return items.map((item) => {
    const json = snapshot.writeVenues([item], 'list', now, '', '').toString();
    const isInArea = snapshot.venueExtras(item).locationPrecision === 'area';
    return { json, venue: JSON.parse(json) as VenueSummary, isInArea };
  });
}
