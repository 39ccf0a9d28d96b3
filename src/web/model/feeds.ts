/** A feed and an embed as their forms hold them. */

import type { StartPrecision } from '../../records/index.ts';
import type { PlaygroundEndpoint } from './playground/endpoints.ts';
import type { ApiRequest } from './playground/lines.ts';

/** A feed as a form holds it, and what it would contain. */
export interface FeedDraft {
  name: string;
  endpoint: PlaygroundEndpoint;
  request: ApiRequest;
  /** By parameter. */
  errors: Record<string, string>;
  /** Null where the filters cannot be read. */
  preview: FeedPreview | null;
}

export interface FeedPreview {
  total: number;
  events: PreviewEvent[];
}

export interface PreviewEvent {
  id: string;
  title: string;
  slug: string;
  startDatetime: string;
  startPrecision: StartPrecision;
  venue: { name: string };
}

export interface EmbedDraft extends FeedDraft {
  layout: string;
  /** Between spaces. */
  origins: string;
}
