/** When the directory changed last, as of a moment ago: read beside the requests, never by one that waits. */

/** `seq`: the number of the last change that is served; what was read is good until it grows. Gives milliseconds, null before it is known. */
export function createDirectoryAge(load: () => Promise<number | null>, seq: () => number): () => number | null {
  let changedAt: number | null = null;
  let readAt = -1;
  let isReading = false;

  function read(wanted: number): void {
    isReading = true;
    load()
      .then((at) => {
        changedAt = at;
        readAt = wanted;
      })
      // Without the store the answers say nothing of it.
      .catch(() => undefined)
      .finally(() => {
        isReading = false;
      });
  }

  return () => {
    const wanted = seq();
    if (!isReading && wanted !== readAt) read(wanted);
    return changedAt;
  };
}
