/**
 * One signal of several, as `AbortSignal.any` gives, but without weak references: those keep everything that hangs on a request until
 * the next full collection of garbage. 12 000 deliveries of webhooks made a process grow by 161 MB with it, and by 108 MB without.
 */

export interface JoinedSignal {
  /** Aborted as soon as one of the signals is, for its reason. */
  signal: AbortSignal;
  /** Must be called at the end: the signals outlive what they may stop. */
  release(): void;
}

export function joinSignals(...signals: readonly AbortSignal[]): JoinedSignal {
  const joined = new AbortController();
  const listeners = signals.map((signal) => ({ signal, abort: () => joined.abort(signal.reason) }));
  for (const { signal, abort } of listeners) {
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: joined.signal,
    release() {
      for (const { signal, abort } of listeners) signal.removeEventListener('abort', abort);
    },
  };
}
