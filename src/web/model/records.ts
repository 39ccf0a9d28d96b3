/** An event or venue as its public page shows it. */

import type { EventStatus, StartPrecision } from '../../catalog/index.ts';
import type { RecordMap } from './map.ts';

export interface PublicEvent {
  id: string;
  slug: string;
  title: string;
  category: string;
  startDatetime: string;
  endDatetime: string | null;
  startPrecision: StartPrecision;
  status: EventStatus;
  description: string | null;
  /** Null if the picture is on another site: our pages load nothing from other sites. */
  picture: string | null;
  isFree: boolean;
  priceMin: number | null;
  priceMax: number | null;
  /** ISO 4217. */
  currency: string;
  performers: string[];
  tags: string[];
  sources: string[];
  url: string;
  /** Null where only an area is known. */
  map: RecordMap | null;
  venue: { name: string; slug: string; address: string | null; neighborhood: string | null };
}

export interface PublicVenue {
  id: string;
  name: string;
  type: string;
  neighborhood: string | null;
  address: string | null;
  capacityTier: string | null;
  website: string | null;
  parking: string | null;
  transitNearby: string[];
  /** As people write them, a line each. */
  hours: string[];
  url: string;
  /** Null where only an area is known. */
  map: RecordMap | null;
  /** The best of all, the soonest first. */
  upcoming: { total: number; events: ComingEvent[] };
}

export interface ComingEvent {
  id: string;
  slug: string;
  title: string;
  startDatetime: string;
  startPrecision: StartPrecision;
}
