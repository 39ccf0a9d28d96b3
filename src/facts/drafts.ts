/** What a listing says once it is parsed: an event or a venue of one source, not yet a record of the directory. */

import type { Event, Signal, StartPrecision, Venue } from '../records/index.ts';
import type { VenueTypeFacts } from './normalize/choose-venue-type.ts';

/** What a source gives a listing to be known by. */
interface Named {
  externalId: string;
  /** To be the public id; null where the source gives none. */
  id: string | null;
}

/** `venue` is the `externalId` of a venue of the same source. */
export interface EventDraft extends Named, Omit<Event, 'id' | 'slug' | 'precision' | 'venueId' | 'discoveryScore'> {
  venue: string;
  signals: Signal[];
  /** Absent: the start is known to the minute. */
  startPrecision?: Exclude<StartPrecision, 'time'>;
}

/** `neighborhood` is a slug when the source names it; null leaves it to the polygons. */
export interface VenueDraft extends Named, Omit<Venue, 'id' | 'slug' | 'locationPrecision'> {
  /** The point stands for a larger place, so the polygons are not asked. */
  isApproximate?: true;
  /** What the source says of its type; absent in a bundle, whose `type` is the operator's own word. */
  typeFacts?: VenueTypeFacts;
  /** Who names it, where the source passes on what several providers list. */
  provider?: string;
  /** The point only stands for an area: the name is that of the area itself, or nothing more is known than the area around it. */
  area?: 'itself' | 'around';
  /** What gave it its point, where its source lists none: other sources do not know it by that. */
  placedBy?: 'address' | 'answer';
  /** The area of the city that ends its name: `Copper Hill` of `Tin Palace - Copper Hill`. */
  quarter?: string;
}

/** A listing that did not become a record. `line` counts from 1: the line of a file, or the record of a source. */
export interface Reject {
  file: string;
  line: number;
  field: string | null;
  reason: string;
}
