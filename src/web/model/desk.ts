/** What the pages of the desk show. */

import type { EventDifference } from '../../ingest/index.ts';
import type { DrawnMap } from './map.ts';

/** All of it is text made on the server: a browser in another zone shows the same. */
export interface FormattedMoment {
  /** RFC 3339, for machines. */
  iso: string;
  /** `Tue, Jun 16, 2026, 8:00 PM` in the city. */
  text: string;
  /** `5 minutes ago`, `in 2 hours`, `now`. */
  away: string;
}

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

export interface CandidateView {
  id: string;
  kind: 'event' | 'venue';
  /** 0–100. */
  percent: number;
  asked: FormattedMoment;
  evidence: { speaksFor: 'same' | 'different' | 'neither'; detail: string }[];
  sides: readonly [SideView, SideView];
  facts: FactLine[];
  map: DrawnMap | null;
  timeline: DrawnTimeline | null;
}

export interface SideView {
  letter: string;
  title: string;
  source: string;
  /** 0–1. */
  trust: number;
  externalId: string;
  /** Its page at the provider: http or https, or null. */
  url: string | null;
  firstSeen: FormattedMoment;
  companions: readonly string[];
}

export interface FactLine {
  name: string;
  /** `one`: only one of them says it. */
  verdict: 'alike' | 'differ' | 'one';
  left: readonly Piece[];
  right: readonly Piece[];
}

/** A piece of a text; marked when the other side has no such word. */
export interface Piece {
  text: string;
  marked: boolean;
}

export interface ChangeView {
  id: string;
  title: string;
  /** When it starts; null where the report does not say. */
  start: Omit<FormattedMoment, 'away'> | null;
  /** What became of its fields. */
  fields: { name: string; before: string; after: string }[];
  /** The event it is now. */
  into: string | null;
}

/** `total`: of the whole run; `kept`: how many of them the report still tells; `lines`: those of this page. */
export type DifferenceView = Record<Part, { total: number; kept: number; lines: ChangeView[] }>;

export type Part = keyof EventDifference;

/** What of a difference a page shows: the first lines of every kind, or one kind page by page. */
export interface Excerpt {
  part: Part | null;
  /** From 1 on. */
  page: number;
}

/** Two events on one axis of time. */
export interface DrawnTimeline {
  width: number;
  height: number;
  bars: {
    letter: string;
    x: number;
    y: number;
    width: number;
    /** `open`: when it ends is not said; `vague`: only the day is known. */
    kind: 'whole' | 'open' | 'vague';
    text: string;
  }[];
  /** `x`: of the line; `textX`: the middle of its label, which stays inside. */
  ticks: { x: number; textX: number; text: string }[];
  /** Where the axis is. */
  axis: number;
  /** What a reader who does not see it should know. */
  says: string;
}

/** What stands in the form of a new venue. `placed`: the point that its address was found at. */
export type TypedPlace = Record<'venue' | 'venueName' | 'address' | 'point' | 'placed', string>;

/** An outcome after which the forms about the place `name` are shown again: one was refused, or a typed address was looked for. */
export type ShownOutcome =
  | { ok: true; done: 'found'; name: string; precision: string; typed: TypedPlace }
  | { ok: false; intent: string; name: string; error: string; typed: TypedPlace };
