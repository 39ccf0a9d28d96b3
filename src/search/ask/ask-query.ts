/** What a person's text is asked as, and what is said about how it was understood. */

import type { EventQuery, ResultPage, VenueQuery } from '../query.ts';

export const ASK_KINDS = [
  'time',
  'price',
  'category',
  'neighborhood',
  'venue',
  'street',
  'type',
  'word',
  'typo',
  'ignored',
] as const;
export type AskKind = (typeof ASK_KINDS)[number];

/** What a parameter of the request says already, so that the text does not say it. */
export type GivenFilter = 'time' | 'price' | 'category' | 'place';

export interface EventAsk extends Omit<EventQuery, 'text' | 'from' | 'to'> {
  text: string;
  /** Milliseconds, directory clock. */
  now: number;
  /** Absent: what the text says, or everything from now on. */
  range?: Pick<EventQuery, 'from' | 'to' | 'ongoing' | 'lastDayEnds'>;
  /** By filter: the parameter that says it. */
  given: Partial<Record<GivenFilter, string>>;
}

export interface VenueAsk extends Omit<VenueQuery, 'text'> {
  text: string;
  given: Partial<Record<'type' | 'place', string>>;
}

/** A part of the text. `from` and `to` count code points; `to` is the first one behind it. */
export interface AskPart {
  kind: AskKind;
  text: string;
  from: number;
  to: number;
  means: string;
  /** The parameters that ask for the same; null: none do. */
  parameters: Record<string, string> | null;
  /** The text without this part. */
  without: string;
  /** The parameter of the request that counts in its place; null: it counts. */
  overriddenBy: string | null;
}

/** What would be found without a part. */
export interface AskRelaxation {
  without: string;
  ask: string;
  total: number;
}

export interface AskInterpretation {
  parts: AskPart[];
  /** How many answers hold every word; the others follow them. */
  complete: number;
  /** Only where nothing is found; the nearest first. */
  relaxations: AskRelaxation[];
}

export const SUGGESTION_TYPES = ['event', 'venue', 'neighborhood', 'performer'] as const;

export interface Suggestion {
  type: (typeof SUGGESTION_TYPES)[number];
  text: string;
  /** Null for performers. */
  id: string | null;
  slug: string | null;
  /** Where it is, or what a performer plays at. */
  context: string | null;
}

export type AskPage = ResultPage & {
  asked: AskInterpretation;
  /** Milliseconds: from then on the same snapshot may give something else. Absent: at any time. */
  until?: number;
};
