/** What a drawing process is told, and what it answers. Plain data: it crosses processes. */

import type { Category } from '../../records/index.ts';

export type DrawingJob =
  | { do: 'resize'; bytes: Uint8Array; widths: readonly number[] }
  | { do: 'share'; facts: ShareFacts; picture: Uint8Array | null };

/** What a share image says. */
export interface ShareFacts {
  title: string;
  /** Such as `Saturday, November 28, 8 PM`. */
  when: string;
  venue: string;
  city: string;
  /** What its poster is drawn from. */
  poster: { category: Category; venueId: string; run: string };
}

/** `images` in the order of `widths`; a single one for `share`. */
export type DrawingReport = { say: 'ready' } | { say: 'drawn'; images: Uint8Array[] } | { say: 'rejected'; reason: string };
