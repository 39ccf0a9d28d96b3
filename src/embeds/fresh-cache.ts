/** What was read a moment ago is good enough; while the database is away, what was read before is better than nothing. */

import type { Clock } from '../clock.ts';

export interface FreshCache<T> {
  /** Null: there is none. Rejects only for what was never read. */
  get(key: string): Promise<T | null>;
}

export interface FreshCacheOptions<T> {
  load(key: string): Promise<T | null>;
  freshMs: number;
  /** Milliseconds that never step back. */
  monotonic: Clock;
  onFailure(error: unknown): void;
}

export function createFreshCache<T>({ load, freshMs, monotonic, onFailure }: FreshCacheOptions<T>): FreshCache<T> {
  const held = new Map<string, { value: T | null; at: number }>();
  const loading = new Map<string, Promise<T | null>>();

  async function read(key: string): Promise<T | null> {
    try {
      const value = await load(key);
      if (held.size >= MAX_HELD) held.clear();
      held.set(key, { value, at: monotonic() });
      return value;
    } catch (error) {
      const known = held.get(key);
      if (!known) throw error;
      onFailure(error);
      held.set(key, { ...known, at: monotonic() });
      return known.value;
    } finally {
      loading.delete(key);
    }
  }

  return {
    async get(key) {
      const known = held.get(key);
      if (known && monotonic() - known.at < freshMs) return known.value;
      const asked = loading.get(key) ?? read(key);
      loading.set(key, asked);
      return await asked;
    },
  };
}

const MAX_HELD = 2_000;
