/** A form that is sent twice within seconds is answered once. */

import type { Clock } from '../../clock.ts';

/**
 * Two clicks send one form twice, and a browser shows the answer to the second. For that moment, and no longer, a whole key is remembered;
 * later, and elsewhere, the store knows that the form was sent.
 */
export function createDoubleClicks<Outcome extends { ok: boolean }>(monotonic: Clock) {
  const sent = new Map<string, { at: number; outcome: Promise<Outcome> }>();
  return (form: string, work: () => Promise<Outcome>): Promise<Outcome> => {
    for (const [key, { at }] of sent) {
      if (monotonic() - at < DOUBLE_CLICK_MS) break;
      sent.delete(key);
    }
    const before = sent.get(form);
    if (before) return before.outcome;
    const outcome = work();
    sent.set(form, { at: monotonic(), outcome });
    const forget = () => void sent.delete(form);
    // What was refused may be put right and sent again.
    outcome.then(({ ok }) => ok || forget(), forget);
    setTimeout(forget, DOUBLE_CLICK_MS).unref();
    return outcome;
  };
}

const DOUBLE_CLICK_MS = 10_000;
