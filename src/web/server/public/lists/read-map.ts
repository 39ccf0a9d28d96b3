/** Events of the read model at their places. */

import type { Category } from '../../../../records/index.ts';
import type { MappedEvent } from '../../../model/lists/list-facts.ts';
import type { ListPlaces } from './list-place.ts';

/** `items` of the same snapshot. Events of which only an area is known have no place on a map. */
export function readMappedEvents({ snapshot }: ListPlaces, items: readonly number[]): MappedEvent[] {
  const placed = items.filter((item) => snapshot.extras(item).locationPrecision !== 'area');
  const events = JSON.parse(snapshot.writeEvents(placed, 'list', '[', ']').toString()) as PlacedEvent[];
  return events.map(({ id, slug, title, category, startDatetime, venue: { name, latitude, longitude } }, at) => {
    const { startPrecision } = snapshot.lifecycle(placed[at] ?? 0);
    return { id, slug, title, category, startDatetime, startPrecision, venue: name, latitude, longitude };
  });
}

/** As `GET /events` prints it. */
interface PlacedEvent extends Omit<MappedEvent, 'venue' | 'startPrecision'> {
  category: Category;
  venue: { name: string; latitude: number; longitude: number };
}
