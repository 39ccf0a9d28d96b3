/** The map of one place, for the page of an event or venue. */

import type { Snapshot } from '../../../search/index.ts';
import type { RecordMap } from '../../model/map.ts';
import type { Rooms } from '../rooms.ts';
import { drawSurroundings } from './map-areas.ts';

/** Null where only an area is known: a mark would say more than the sources do. */
export async function readRecordMap(
  rooms: Pick<Rooms, 'store'>,
  { latitude, longitude, precision }: RecordPlace,
): Promise<RecordMap | null> {
  if (precision === 'area') return null;
  return { latitude, longitude, preview: await drawSurroundings(rooms, { latitude, longitude }) };
}

interface RecordPlace {
  latitude: number;
  longitude: number;
  precision: ReturnType<Snapshot['extras']>['locationPrecision'];
}
