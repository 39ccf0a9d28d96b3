/** Many Enterprise keys, so that no limit stands in the way of a measurement. */

import { createAccounts } from '../src/accounts/index.ts';
import { openStore } from '../src/store/index.ts';

export interface KeyRing {
  /** A key that has allowance. */
  next(): string;
}

/** Creates them in the store of `dataDir`, whether a service runs on it or not. */
export async function createKeys(dataDir: string, count: number): Promise<KeyRing> {
  const store = await openStore({ dataDir });
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
    let turn = 0;
    return { next: () => keys[Math.floor(turn++ / IN_A_ROW) % keys.length] ?? '' };
  } finally {
    await store.close();
  }
}

/** As clients do, a key asks many times in a row; fewer than its minute allows. */
const IN_A_ROW = 900;
