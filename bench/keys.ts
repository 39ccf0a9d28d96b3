/** Many Enterprise keys, so that no limit stands in the way of a measurement. */

import { createAccounts } from '../src/accounts/index.ts';
import { openBenchStore } from './bench-store.ts';

export interface KeyRing {
  /** A key that has allowance. */
  next(): string;
  /** For `openKeyRing` in another thread: all of them take turns together. */
  shared: SharedKeys;
}

export interface SharedKeys {
  keys: readonly string[];
  /** One cell in memory that threads share: how many requests have been asked for. */
  turn: Int32Array<SharedArrayBuffer>;
}

export function openKeyRing(shared: SharedKeys): KeyRing {
  const { keys, turn } = shared;
  return { next: () => keys[Math.floor(Atomics.add(turn, 0, 1) / IN_A_ROW) % keys.length] ?? '', shared };
}

/** Creates them in the store of `dataDir`, whether a service runs on it or not. */
export async function createKeys(dataDir: string, count: number): Promise<KeyRing> {
  const store = await openBenchStore(dataDir);
  try {
    const accounts = createAccounts({ db: store.db });
    const email = `bench-${Date.now()}@marquee.example`;
    await accounts.createAccount({ email, tier: 'enterprise' });
    const keys: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const created = await accounts.createKey({ email, name: `bench ${index}` });
      if (!created.ok) throw new Error(created.detail);
      keys.push(created.key);
    }
    return openKeyRing({ keys, turn: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) });
  } finally {
    await store.close();
  }
}

/** As clients do, a key asks many times in a row; fewer than its minute allows. */
const IN_A_ROW = 900;
