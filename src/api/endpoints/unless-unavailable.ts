/** What an endpoint answers while the store does not. */

import type { ParameterTable } from '../../query/index.ts';
import type { Ask, RouteOutcome } from '../route.ts';

/** Answers 503 where `answer` rejects with an `Unavailable`. Other errors pass. `what`: the words before "cannot be read". */
export function unlessUnavailable<T extends ParameterTable>(
  Unavailable: new (message: string) => Error,
  what: string,
  answer: (ask: Ask<T>) => Promise<RouteOutcome>,
): (ask: Ask<T>) => Promise<RouteOutcome> {
  const detail = `${what} cannot be read right now`;
  const problem = { code: 'dependency_unavailable', detail, members: { retryAfterSeconds: 1 } } as const;
  return async (ask) => {
    try {
      return await answer(ask);
    } catch (error) {
      if (error instanceof Unavailable) return { kind: 'problem', problem };
      throw error;
    }
  };
}
