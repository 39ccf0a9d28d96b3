/** A form that is sent twice does its work once. */

import type { Clock } from '../../clock.ts';

/**
 * Runs `work` for the first of all submissions of one form by one person; the others get its outcome, or wait for it. A work that
 * throws is forgotten, so that the form may be sent again. `token`: as `newFormToken` made it; without one the work simply runs.
 */
export type RunOnce = <Outcome>(who: string, token: string | null, work: () => Promise<Outcome>) => Promise<Outcome>;

export function createIdempotency(now: Clock = Date.now, rememberedMs = REMEMBERED_MS): RunOnce {
  const done = new Map<string, { at: number; outcome: Promise<unknown> }>();
  return (who, token, work) => {
    if (!token) return work();
    for (const [key, { at }] of done) {
      if (now() - at < rememberedMs && done.size <= MAX_REMEMBERED) break;
      done.delete(key);
    }
    const key = `${who}\n${token.slice(0, MAX_TOKEN_LENGTH)}`;
    const before = done.get(key);
    if (before) return before.outcome as ReturnType<typeof work>;
    const outcome = work();
    done.set(key, { at: now(), outcome });
    outcome.catch(() => done.delete(key));
    setTimeout(() => done.delete(key), rememberedMs).unref();
    return outcome;
  };
}

/** For the hidden field of a form, new each time that the form is shown. */
export const newFormToken = (): string => crypto.randomUUID();

const REMEMBERED_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;
const MAX_TOKEN_LENGTH = 64;
