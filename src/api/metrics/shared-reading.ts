import { withTimeout } from '../../values/waiting/with-timeout.ts';

/**
 * One reading of the store for all gauges of one exposition. A store that is out of reach, or silent for `patienceMs`, leaves the
 * figures out.
 */
export function shareReading<T>(read: () => Promise<T[]>, patienceMs = READ_MS): () => Promise<T[]> {
  let reading: Promise<T[]> | null = null;
  let latest: Promise<T[]> | null = null;
  return () => {
    if (latest) return latest;
    // One that was given up may go on.
    reading ??= read().finally(() => {
      reading = null;
    });
    latest = withTimeout(reading, patienceMs)
      .catch(() => [])
      .finally(() => setImmediate(() => (latest = null)));
    return latest;
  };
}

/** Prometheus waits ten seconds for all figures. */
const READ_MS = 2_500;
