/** Pictures that could not be had, for a while: nobody is asked again for each visitor. */

export interface Failures {
  has(key: string): boolean;
  remember(key: string, forMs: number): void;
}

export function createFailures(now: () => number): Failures {
  const until = new Map<string, number>();
  return {
    has(key) {
      const end = until.get(key);
      if (end === undefined) return false;
      if (now() < end) return true;
      until.delete(key);
      return false;
    },
    remember(key, forMs) {
      until.delete(key);
      until.set(key, now() + forMs);
      const [oldest] = until.keys();
      if (until.size > MAX_REMEMBERED && oldest !== undefined) until.delete(oldest);
    },
  };
}

const MAX_REMEMBERED = 10_000;
