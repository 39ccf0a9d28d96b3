/** What the endpoints of feeds answer while the store does not. */

import { FeedsUnavailableError } from '../../feeds/index.ts';
import type { Ask, Outcome } from '../route.ts';

/** Answers 503 when feeds cannot be read. Other errors pass. */
export function unlessFeedsUnavailable(answer: (ask: Ask) => Promise<Outcome>): (ask: Ask) => Promise<Outcome> {
  return async (ask) => {
    try {
      return await answer(ask);
    } catch (error) {
      if (error instanceof FeedsUnavailableError) return UNAVAILABLE;
      throw error;
    }
  };
}

const UNAVAILABLE: Outcome = {
  kind: 'problem',
  problem: {
    code: 'dependency_unavailable',
    detail: 'feeds cannot be read right now',
    members: { retryAfterSeconds: 1 },
  },
};
