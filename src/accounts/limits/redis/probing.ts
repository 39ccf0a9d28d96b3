/** Asks again and again whether Redis answers, one question at a time. */

export interface Probing {
  /** Asks now, and again later if there is no answer. */
  look(): Promise<void>;
  /** Asks later. */
  goOn(): void;
  /** Does something else instead of asking. */
  later(work: () => unknown, ms: number): void;
  close(): void;
}

export interface ProbingOptions {
  /** Rejects unless Redis takes a write in time. */
  probe(): Promise<void>;
  /** For a connection that is open at both ends, and nothing passes. */
  reconnect(): void;
  onAnswer(): void;
  onMiss(): void;
}

export function createProbing({ probe, reconnect, onAnswer, onMiss }: ProbingOptions): Probing {
  let isClosed = false;
  let missed = 0;
  let timer: NodeJS.Timeout | undefined;

  function later(work: () => unknown, ms: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(work, ms).unref();
  }

  async function look(): Promise<void> {
    try {
      await probe();
    } catch {
      missed += 1;
      if (missed % MAX_MISSED === 0) reconnect();
      onMiss();
      goOn();
      return;
    }
    missed = 0;
    onAnswer();
  }

  const goOn = (): void => later(look, PROBE_EVERY_MS);

  return {
    look,
    goOn,
    later,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const PROBE_EVERY_MS = 100;
const MAX_MISSED = 8;
