/** What a listing says once it is parsed: an event or a venue of one source, not yet a record of the directory. */

import type { CapacityTier, Category, EventStatus, OpeningHours, Signal, VenueType } from '../catalog/index.ts';

/** `venue` is the `externalId` of a venue of the same source. Instants are milliseconds since 1970 UTC. */
export interface EventDraft {
  externalId: string;
  /** Given by the source to be the public id. */
  id: string | null;
  title: string;
  category: Category;
  startsAt: number;
  endsAt: number | null;
  description: string | null;
  imageUrl: string | null;
  isFree: boolean;
  priceMin: number | null;
  priceMax: number | null;
  venue: string;
  status: EventStatus;
  performers: string[];
  tags: string[];
  sources: string[];
  signals: Signal[];
}

/** `neighborhood` is a slug when the source names it; null leaves it to the polygons. */
export interface VenueDraft {
  externalId: string;
  id: string | null;
  name: string;
  type: VenueType;
  address: string | null;
  latitude: number;
  longitude: number;
  capacityTier: CapacityTier | null;
  isVerified: boolean;
  neighborhood: string | null;
  website: string | null;
  parking: string | null;
  transitNearby: string[];
  openingHours: OpeningHours | null;
  /** The point stands for a larger place, so the polygons are not asked. */
  isApproximate?: true;
}

/** A listing that did not become a record. `line` counts from 1: the line of a file, or the record of a source. */
export interface Reject {
  file: string;
  line: number;
  field: string | null;
  reason: string;
}
