/** What the pages of events and venues show, all of it text made on the server. */

import type { DrawnMap } from './drawings.ts';
import type { FormattedMoment } from './moment.ts';

export type Entity = 'event' | 'venue';

/** How a field is typed in. */
export type FieldInput =
  | { kind: 'line'; type?: 'url' | 'text' }
  | { kind: 'text' }
  | { kind: 'choice'; options: readonly { value: string; text: string }[] }
  /** A day and an hour, each of which may be empty. */
  | { kind: 'moment' };

export interface FieldView {
  field: string;
  label: string;
  hint: string | null;
  input: FieldInput;
  /** What counts; empty when nothing is known. */
  shown: string;
  /** The values of the form's inputs: `value`, or `day` and `hour`. */
  typed: Readonly<Record<string, string>>;
  /** The source that supplies the value. */
  from: string;
  why: string;
  others: { source: string; text: string }[];
  correction: { by: string; at: FormattedMoment; note: string | null; before: string; own: boolean } | null;
}

export interface ListingView {
  id: string;
  source: string;
  externalId: string;
  url: string | null;
  title: string;
  confirmed: FormattedMoment;
  isGone: boolean;
  isBundle: boolean;
  repairs: string;
}

export interface HistoryView {
  key: string;
  at: FormattedMoment;
  what: string;
  by: string | null;
  note: string | null;
  changes: { field: string; before: string; after: string }[];
  /** An active decision of an operator, which may be undone. */
  act: string | null;
}

export interface MergeCandidate {
  id: string;
  title: string;
  detail: string;
}

/** What an action says of what it did not take. */
export interface RejectedAction {
  intent: string;
  field: string | null;
  error: string;
  /** It is the note beside it that cannot be taken. */
  isOfNote: boolean;
  typed: Readonly<Record<string, string>>;
}

export interface RecordView {
  entity: Entity;
  id: string;
  slug: string;
  title: string;
  state: string;
  /** That it is a venue's event, and the venue is hidden. */
  isVenueHidden: boolean;
  fields: FieldView[];
  listings: ListingView[];
  hidden: { by: string; at: FormattedMoment; note: string | null } | null;
  history: HistoryView[];
  map: DrawnMap | null;
  merge: { query: string; candidates: MergeCandidate[] };
  token: string;
  done: string | null;
  /** The id that was asked for and leads here. */
  cameFrom: string | null;
}

/** Two names of a venue at which sources list the same events. */
export interface LearnedName {
  id: string;
  names: string;
  /** How many nights. */
  nights: number;
  /** The last of them, each with its event. */
  samples: readonly string[];
}
