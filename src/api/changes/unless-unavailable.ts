/** What the endpoints of the change log answer while the store does not. */

import { LogUnavailableError } from '../../search/index.ts';
import type { ParameterTable } from '../parameter.ts';
import type { Ask, Outcome } from '../route.ts';

/** Answers 503 when the log cannot be read. Other errors pass. */
export function unlessUnavailable<T extends ParameterTable>(
  answer: (ask: Ask<T>) => Promise<Outcome>,
): (ask: Ask<T>) => Promise<Outcome> {
  return async (ask) => {
    try {
      return await answer(ask);
    } catch (error) {
      if (error instanceof LogUnavailableError) return UNAVAILABLE;
      throw error;
    }
  };
}

const UNAVAILABLE: Outcome = {
  kind: 'problem',
  problem: {
    code: 'dependency_unavailable',
    detail: 'the change log cannot be read right now',
    members: { retryAfterSeconds: 1 },
  },
};
