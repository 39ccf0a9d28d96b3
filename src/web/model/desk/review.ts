/** A possible duplicate as the review page shows it. */

import type { DrawnMap, DrawnTimeline } from './drawings.ts';
import type { FormattedMoment } from './moment.ts';

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
