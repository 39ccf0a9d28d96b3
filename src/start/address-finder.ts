/** Finds addresses for the desk, one at a time: each process reads all imported house numbers. */

import { IngestError, type TextPlace } from '../ingest/index.ts';

export interface AddressFinder {
  /** Throws an `IngestError` if too many are waiting, or if the answer takes too long. */
  find(address: string): Promise<TextPlace>;
  /** Ends what is being looked for, and refuses what waits. */
  close(): void;
}

/** @param lookUp ends where it stands when `signal` says so. */
export function createAddressFinder(
  lookUp: (address: string, signal: AbortSignal) => Promise<TextPlace>,
  patienceMs = PATIENCE_MS,
): AddressFinder {
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let open = 0;
  const next = async (address: string): Promise<TextPlace> => {
    closing.signal.throwIfAborted();
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(patienceMs)]);
    try {
      return await lookUp(address, signal);
    } catch (error) {
      if (closing.signal.aborted || !signal.aborted) throw error;
      throw new IngestError('directory_busy', `${JSON.stringify(address)} was not found in time; try again, or set a pin`);
    }
  };
  return {
    async find(address) {
      if (open >= MAX_OPEN) throw new IngestError('directory_busy', 'other addresses are being looked for; try again soon');
      open++;
      const found = last.then(() => next(address)).finally(() => open--);
      last = found.catch(() => null);
      return found;
    },
    close: () => closing.abort(new IngestError('directory_busy', 'the server is stopping')),
  };
}

/** The one that is looked for, and those that wait for it. */
const MAX_OPEN = 4;
const PATIENCE_MS = 60_000;
