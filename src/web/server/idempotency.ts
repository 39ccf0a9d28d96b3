/** A form that is sent twice does its work once. */

import { createIdempotency } from '../../values/idempotency.ts';

/**
 * Runs `work` for the first of all submissions of one form by one person; see `Idempotency`. `token`: as `newFormToken` made it; without
 * one the work simply runs. A form that was refused (`ok: false`) keeps its token on the page, and is corrected and sent again.
 */
export type RunOnce = <Outcome>(who: string, token: string | null, work: () => Promise<Outcome>) => Promise<Outcome>;

export function createFormIdempotency(rememberedMs = REMEMBERED_MS): RunOnce {
  const runOnce = createIdempotency({ now: Date.now, rememberedMs, maxRemembered: MAX_REMEMBERED });
  return (who, token, work) => (token ? runOnce(`${who}\n${token.slice(0, MAX_TOKEN_LENGTH)}`, work, isTaken) : work());
}

const isTaken = (outcome: unknown): boolean => (outcome as { ok?: unknown } | null | undefined)?.ok !== false;

/** For the hidden field of a form, new each time that the form is shown. */
export const newFormToken = (): string => crypto.randomUUID();

const REMEMBERED_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;
const MAX_TOKEN_LENGTH = 64;
