/** What the read model is made of: records of the directory with what ranking has recorded about them. */

import type { City, Event, Neighborhood, RecordState, Signal, Venue } from '../records/index.ts';

/** A record that was merged leads to another, one that was removed says so; only published ones are shown. */
export interface Lifecycle {
  state: RecordState;
  /** The id it was merged into; not null exactly when `state` is `merged`. */
  mergedInto: string | null;
}

export type VenueRow = Venue &
  Lifecycle & {
    /** What listings call it besides its name: it is found by them. Absent: nothing. */
    otherNames?: readonly string[];
  };

export interface EventRow extends Event, Lifecycle {
  /** Milliseconds. */
  updatedAt: number;
  /** As of when the score was computed, milliseconds. */
  scoredAt: number;
  /** All recorded observations. */
  signals: readonly Signal[];
  /** How often its time, place or status has changed; absent: never. */
  revision?: number;
  /** Where it started before it was moved, milliseconds; absent or null: it was not. */
  previousStartsAt?: number | null;
  /** Which of the coming events of its program it was when it was scored; absent: the first. */
  showing?: number;
  /** What else its score was computed of; see `encodeContext` of `ranking`. */
  context?: readonly number[] | null;
  /** The appeal (`ScoreBreakdown`) of each day (`YYYY-MM-DD`) on which it was noted, in order. */
  scores: readonly { day: string; score: number }[];
}

export type NeighborhoodRow = Omit<Neighborhood, 'geometry'>;

export interface DirectoryRows {
  /** The number of the last change that is in the rows. */
  seq: number;
  /** Null before a city is loaded. */
  city: City | null;
  neighborhoods: readonly NeighborhoodRow[];
  venues: Iterable<VenueRow>;
  /** Each event's venue is among the venues. Read once, so a generator will do. */
  events: Iterable<EventRow>;
}
