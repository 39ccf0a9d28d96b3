/** Signals that end a process: the first asks it to end in order, and a later second one ends it where it stands. */

/**
 * Calls `onFirst` at the first of `signals`. A signal that follows within `SAME_MS` is the same one: the terminal sends one Ctrl-C to npm and
 * to this process, and npm sends it on. A later one ends the process at once, with exit code 1. Returns a function that leaves the
 * signals to what they do by themselves. Once one was heard, they stay here: its second copy must not end a process that is closing.
 */
export function onEndingSignal(signals: readonly NodeJS.Signals[], onFirst: (signal: NodeJS.Signals) => void): () => void {
  let state: 'waiting' | 'heard' | 'impatient' = 'waiting';
  const hear = (signal: NodeJS.Signals) => {
    if (state === 'impatient') process.exit(1);
    if (state === 'heard') return;
    state = 'heard';
    // After a long stretch of work, timers come before the signals that arrived meanwhile. `setImmediate` comes after them.
    setTimeout(() => setImmediate(() => (state = 'impatient')).unref(), SAME_MS).unref();
    onFirst(signal);
  };
  for (const signal of signals) process.on(signal, hear);
  return () => {
    if (state !== 'waiting') return;
    for (const signal of signals) process.off(signal, hear);
  };
}

const SAME_MS = 2_000;
