/** Decisions of operators that wait to be applied, looked for again and again. */

import type { Kysely } from 'kysely';
import type { Database } from '../store/index.ts';
import { hasPendingDecisions } from './curation/review-candidates.ts';

export interface DecisionJobOptions {
  store: { db: Kysely<Database> };
  /** As `applyDecisions`. */
  apply(signal: AbortSignal): Promise<unknown>;
  /** Milliseconds that never step back. */
  monotonic?: () => number;
}

/** Applies what is pending. Rejects where that fails, and is not tried again at once: each failure is a run, and costs a process. */
export function createDecisionJob({ store, apply, monotonic = () => performance.now() }: DecisionJobOptions) {
  let pauseMs = 0;
  let pausedUntil = 0;
  return async (signal: AbortSignal): Promise<void> => {
    if (monotonic() < pausedUntil || !(await hasPendingDecisions(store.db))) return;
    try {
      await apply(signal);
      pauseMs = 0;
    } catch (error) {
      pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, pauseMs * 2), MAX_PAUSE_MS);
      pausedUntil = monotonic() + pauseMs;
      throw error;
    }
  };
}

const FIRST_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 3_600_000;
