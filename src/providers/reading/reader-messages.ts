/** What the reader and its processes say to each other. */

import type { ReadListing } from '../listing.ts';
import type { OutgoingRequest, SourceFacts, SourceResponse } from '../provider.ts';
import type { ProviderError } from '../provider-error.ts';
import type { ReaderLimits } from './reader-limits.ts';

export type ReaderOrder =
  | { say: 'read'; kind: string; answer: SourceResponse; source: SourceFacts; timeMs: number; limits: ReaderLimits }
  /** The listings before were taken. */
  | { say: 'more' };

export type ReaderReport =
  | { say: 'ready' }
  /** Some at a time: to take them all at once would hold up whatever else the receiving thread does. */
  | { say: 'listings'; listings: ReadListing[] }
  | { say: 'done'; next: readonly OutgoingRequest[] }
  | { say: 'failed'; code: ProviderError['code']; message: string };
