/** What a run changed, as its page shows it. */

import type { EventDifference } from '../../../ingest/index.ts';
import type { FormattedMoment } from './moment.ts';

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
