/** One reading of the store for all gauges of one exposition. A store out of reach leaves the figures out. */
export function shareReading<T>(read: () => Promise<T[]>): () => Promise<T[]> {
  let latest: Promise<T[]> | null = null;
  return () => {
    latest ??= read()
      .catch(() => [])
      .finally(() => setImmediate(() => (latest = null)));
    return latest;
  };
}
