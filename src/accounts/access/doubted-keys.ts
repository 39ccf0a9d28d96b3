/**
 * What was known of keys before the list of changes was cut. A key is doubted until it is read again: it is believed only while the store
 * cannot be asked, and no longer than other keys are then.
 */

import type { Clock } from '../../clock.ts';
import type { KnownKey } from './known-keys.ts';

export interface DoubtedKeys {
  /** By digest, in latin1. */
  get(digest: string): KnownKey | undefined;
  /** `until`: how long the key may be believed, monotonic ms. */
  add(digest: string, key: KnownKey, until: number): void;
  /** The store has been asked for these, also where it has no such key any more. */
  remove(digests: Iterable<string>): void;
  /** What was known of their keys is known to be old. */
  removeOf(subscriptionIds: ReadonlySet<string>): void;
  removeExpired(): void;
}

export function createDoubtedKeys(monotonic: Clock): DoubtedKeys {
  const doubted = new Map<string, { key: KnownKey; until: number }>();
  return {
    get(digest) {
      const entry = doubted.get(digest);
      return entry && monotonic() <= entry.until ? entry.key : undefined;
    },
    add: (digest, key, until) => void doubted.set(digest, { key, until }),
    remove(digests) {
      for (const digest of digests) doubted.delete(digest);
    },
    removeOf(subscriptionIds) {
      for (const [digest, { key }] of doubted) if (subscriptionIds.has(key.caller.subscriptionId)) doubted.delete(digest);
    },
    removeExpired() {
      for (const [digest, { until }] of doubted) if (until < monotonic()) doubted.delete(digest);
    },
  };
}
