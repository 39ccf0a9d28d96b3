/** When keys were last used, on its way to the store. */

import { type Kysely, sql } from 'kysely';
import { type Database, NO_LIST_MARK } from '../../store/index.ts';

export interface KeyTouches {
  /** `at`: milliseconds. */
  touch(keyId: string, at: number): void;
  /** Rejects with the store's error, and then keeps it all for the next. */
  write(): Promise<void>;
}

/** `inTime` gives up on a store that does not answer. */
export function createKeyTouches(db: Kysely<Database>, inTime: <T>(work: () => Promise<T>) => Promise<T>): KeyTouches {
  let touched = new Map<string, number>();
  return {
    touch: (keyId, at) => void touched.set(keyId, at),
    async write() {
      const taken = touched;
      touched = new Map();
      try {
        await inTime(() => markUsed(db, taken));
      } catch (error) {
        touched = new Map([...taken, ...touched]);
        throw error;
      }
    },
  };
}

async function markUsed(db: Kysely<Database>, touched: ReadonlyMap<string, number>): Promise<void> {
  if (touched.size === 0) return;
  const rows = [...touched].sort(([left], [right]) => (left < right ? -1 : 1));
  const ids = rows.map(([id]) => id);
  const moments = rows.map(([, at]) => new Date(at).toISOString());
  await sql`${NO_LIST}
    update api_key set last_used_at = touch.at
    from unnest(${ids}::text[], ${moments}::timestamptz[]) as touch (id, at)
    where api_key.id = touch.id and (api_key.last_used_at is null or api_key.last_used_at < touch.at)`.execute(db);
}

/** What is written while requests come in must not send the followers of lists to look. */
const NO_LIST = sql.raw(NO_LIST_MARK);
