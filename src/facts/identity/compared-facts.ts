/** What is known of a listing when it is asked whether two of them are one, and what the answer looks like. */

import type { EventFields } from '../../records/index.ts';

/**
 * The fields of the directory's own event that are compared, and where they come from. The title is clean: no entities, no tags, no status
 * markers. The start is local midnight when the precision is not `time`.
 */
export interface EventFacts extends Pick<EventFields, 'title' | 'category' | 'startsAt' | 'endsAt' | 'precision'> {
  /** Of the record; any text that is unique. */
  id: string;
  /** The provider, such as `Resident Advisor`: not the file or address it came through. */
  provider: string;
  externalId: string;
  seriesId: string | null;
  /** The local clock of the start, `YYYY-MM-DDThh:mm`. */
  localStart: string;
  place: PlaceFacts;
  performers: readonly string[];
  /** Its page at the provider. */
  url: string | null;
  /** A kind of ticket of its event, or a pass for several days. */
  ticket?: 'part' | 'pass';
  /** Its provider says that it does not take place. */
  isCancelled?: true;
  /** Said by the operator: it is compared with nothing, and only a person's word makes it one with another. */
  isOwnWord?: true;
}

export interface PlaceFacts {
  /** Of the venue record, where venues are compared. */
  id?: string;
  provider?: string;
  name: string;
  address: string | null;
  /** WGS84 degrees; null when unknown. */
  latitude: number | null;
  longitude: number | null;
  /** The point stands for a larger place (a borough, a long street). */
  isApproximate?: boolean;
  /** The area of the city with which the name ends, as the name has it: it tells branches apart, and is no part of the name. */
  quarter?: string;
  /** The name is that of an area, such as `Downtown`: it says where, and is no place. */
  isArea?: boolean;
  /** Of places that are known to be one by more than their names and points: two of one site are the same. */
  site?: string;
}

/** `ask` is for a person: the facts speak neither clearly for nor against. */
export type PairOutcome = 'same' | 'different' | 'ask';

export interface PairVerdict {
  outcome: PairOutcome;
  /** 0–1: how much speaks for `same`. Orders the review candidates; the outcome is decided by rules. */
  score: number;
  /** The reasons, the weightiest first. Kept with a review candidate and shown to the person. */
  evidence: readonly Evidence[];
}

export interface Evidence {
  /** A fixed word, such as `start`, `title`, `place`, `clock`, `room`, `decision`. */
  kind: string;
  speaksFor: 'same' | 'different' | 'neither';
  /** One plain sentence with the two values. */
  detail: string;
}

export interface PairDecision {
  left: string;
  right: string;
  verdict: 'same' | 'different';
}
