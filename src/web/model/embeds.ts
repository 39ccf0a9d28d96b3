/** An embed as its form holds it. */

import type { FeedDraft } from './feeds.ts';

export interface EmbedDraft extends FeedDraft {
  layout: string;
  /** Between spaces. */
  origins: string;
}
