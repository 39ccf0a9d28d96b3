/** What was read a moment ago is good enough; while the database is away, what was read before is better than nothing. */

import type { Clock } from '../clock.ts';

export interface FreshCache<T> {
  /** Null: there is none. Rejects only for what was never read. */
  get(key: string): Promise<T | null>;
  /** Whether it was read before, found or not, and is remembered. */
  isKnown(key: string): boolean;
}

export interface FreshCacheOptions<T> {
  load(key: string): Promise<T | null>;
  freshMs: number;
  /** Milliseconds that never step back. */
  monotonic: Clock;
  onFailure(error: unknown): void;
}

interface Held<T> {
  value: T | null;
  at: number;
}

/** Keys that have nothing are remembered apart, so that they push out nothing else. */
export function createFreshCache<T>({ load, freshMs, monotonic, onFailure }: FreshCacheOptions<T>): FreshCache<T> {
  const found = new Map<string, Held<T>>();
  const absent = new Map<string, Held<T>>();
  const loading = new Map<string, Promise<T | null>>();
  const heldOf = (key: string) => found.get(key) ?? absent.get(key);

  function hold(key: string, value: T | null): void {
    found.delete(key);
    absent.delete(key);
    const place = value === null ? absent : found;
    place.set(key, { value, at: monotonic() });
    const [oldest] = place.keys();
    if (place.size > MAX_HELD && oldest !== undefined) place.delete(oldest);
  }

  async function read(key: string): Promise<T | null> {
    try {
      const value = await load(key);
      hold(key, value);
      return value;
    } catch (error) {
      const known = heldOf(key);
      if (!known) throw error;
      onFailure(error);
      hold(key, known.value);
      return known.value;
    } finally {
      loading.delete(key);
    }
  }

  return {
    async get(key) {
      const known = heldOf(key);
      if (known && monotonic() - known.at < freshMs) return known.value;
      const asked = loading.get(key) ?? read(key);
      loading.set(key, asked);
      return await asked;
    },
    isKnown: (key) => heldOf(key) !== undefined,
  };
}

/** Of those that were found, and of those that were not. */
const MAX_HELD = 2_000;
