/** Work that is done once, however often it is sent. */

export interface IdempotencyOptions {
  /** Milliseconds. */
  now: () => number;
  /** How long an outcome is given to those who send the same again. */
  rememberedMs: number;
  /** Beyond so many the oldest outcomes are forgotten. */
  maxRemembered?: number;
}

/**
 * Runs `work` for the first of all that have the same key. The others get its outcome, or wait for it. Work that throws is forgotten, so
 * that it may be sent again. So are outcomes that are not final.
 */
export type Idempotency = <Outcome>(
  key: string,
  work: () => Promise<Outcome>,
  isFinal?: (outcome: Outcome) => boolean,
) => Promise<Outcome>;

export function createIdempotency(options: IdempotencyOptions): Idempotency {
  const { now, rememberedMs, maxRemembered = Number.POSITIVE_INFINITY } = options;
  const sent = new Map<string, { at: number; outcome: Promise<unknown> }>();

  function forgetOld(): void {
    for (const [key, { at }] of sent) {
      if (now() - at < rememberedMs && sent.size <= maxRemembered) return;
      sent.delete(key);
    }
  }

  return (key, work, isFinal = () => true) => {
    forgetOld();
    const before = sent.get(key);
    if (before) return before.outcome as ReturnType<typeof work>;
    const outcome = work();
    const entry = { at: now(), outcome };
    sent.set(key, entry);
    const forget = () => {
      if (sent.get(key) === entry) sent.delete(key);
    };
    outcome.then((result) => isFinal(result) || forget(), forget);
    setTimeout(forget, rememberedMs).unref();
    return outcome;
  };
}
