/** Exports as their pages show them. */

import type { Export } from '../../exports/index.ts';

/** An export as the pages show it. */
export interface ShownExport
  extends Pick<
    Export,
    'id' | 'requestId' | 'state' | 'rows' | 'bytes' | 'queuedAt' | 'finishedAt' | 'expiresAt' | 'isFull' | 'error' | 'retryAt'
  > {
  /** `Everything, NDJSON`. */
  title: string;
}

export type ExportOutcome =
  | { kind: 'done'; what: 'created' | 'cancelled' | 'removed' | 'revoked' }
  /** The whole link, in this one answer. */
  | { kind: 'shown'; url: string }
  | { kind: 'refused'; error: string };
