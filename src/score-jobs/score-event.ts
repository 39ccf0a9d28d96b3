/** What ranking says of an event, as it is written. */

import type { Scored } from '../catalog/index.ts';
import { decodeContext, discoveryScore, encodeContext, type ScoreContext, type ScoreFacts } from '../ranking/index.ts';

/** `now`: milliseconds since 1970 UTC, directory clock. */
export function scoreOf(facts: ScoreFacts, now: number): Scored {
  const { total, appeal } = discoveryScore(facts, now);
  return { discoveryScore: total, showing: facts.context.showing, context: encodeContext(facts.context), appeal };
}

/** Whether a score may differ from one that was computed of `stored`. The last numbers are for sentences alone. */
export function isMoved(context: ScoreContext, stored: { showing: number; context: readonly number[] | null }): boolean {
  if (stored.context === null || stored.showing !== context.showing) return true;
  return encodeContext(context)
    .slice(0, SCORED_NUMBERS)
    .some((value, index) => value !== stored.context?.[index]);
}

/** That of an event which is not listed: it is compared with nothing, whatever it was before. */
export const contextAlone = (): ScoreContext => decodeContext(1, null);

const SCORED_NUMBERS = 9;
