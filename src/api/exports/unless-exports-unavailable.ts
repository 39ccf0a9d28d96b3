/** What the endpoints of exports answer while the store does not. */

import { ExportsUnavailableError } from '../../exports/index.ts';
import type { ParameterTable } from '../parameter.ts';
import type { Ask, Outcome } from '../route.ts';

/** Answers 503 when exports cannot be read. Other errors pass. */
export function unlessExportsUnavailable<T extends ParameterTable>(
  answer: (ask: Ask<T>) => Promise<Outcome>,
): (ask: Ask<T>) => Promise<Outcome> {
  return async (ask) => {
    try {
      return await answer(ask);
    } catch (error) {
      if (error instanceof ExportsUnavailableError) return UNAVAILABLE;
      throw error;
    }
  };
}

const UNAVAILABLE: Outcome = {
  kind: 'problem',
  problem: {
    code: 'dependency_unavailable',
    detail: 'exports cannot be read right now',
    members: { retryAfterSeconds: 1 },
  },
};
