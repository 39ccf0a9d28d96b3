/**
 * Which digests the store has a key for. A key that nobody owns is refused by this alone, so a flood of such keys asks the store
 * nothing, and a valid key is never mistaken for one of them.
 *
 * Six bytes of each digest stand for it. A wrong yes costs one look-up: of a million keys, one guess in 280 million meets one.
 * A key that was deleted stays until the next start, which costs a look-up too.
 */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';

export interface ExistingKeys {
  /** `digest` in latin1. False is certain as of the last `load` or `add`; true is checked by a look-up. */
  has(digest: string): boolean;
  /** Reads all keys. Rejects with the store's error and keeps what was known. */
  load(): Promise<void>;
  /** Adds the keys that these subscriptions have now. Rejects as `load` does. */
  add(subscriptionIds: readonly string[]): Promise<void>;
}

export function createExistingKeys(db: Kysely<Database>): ExistingKeys {
  let starts = new Set<number>();

  return {
    has: (digest) => starts.has(startOf(Buffer.from(digest.slice(0, START_BYTES), 'latin1'), 0)),

    async load() {
      // One value instead of one row for each key: a million keys take 6 MB and a fraction of a second.
      const { all } = await db.selectFrom('api_key').select(ALL_STARTS).executeTakeFirstOrThrow();
      starts = new Set();
      addAll(starts, all);
    },

    async add(subscriptionIds) {
      const query = db.selectFrom('api_key').select(ALL_STARTS);
      const { all } = await query
        .where(sql<boolean>`subscription_id = any(${[...new Set(subscriptionIds)]}::uuid[])`)
        .executeTakeFirstOrThrow();
      addAll(starts, all);
    },
  };
}

function addAll(starts: Set<number>, all: Buffer | null): void {
  if (!all) return;
  for (let at = 0; at < all.length; at += START_BYTES) starts.add(startOf(all, at));
}

const startOf = (bytes: Buffer, at: number): number => bytes.readUIntBE(at, START_BYTES);

/** As many as a number holds exactly. */
const START_BYTES = 6;
const ALL_STARTS = sql<Buffer | null>`string_agg(substring(secret_hash from 1 for ${sql.lit(START_BYTES)}), ''::bytea)`.as('all');
