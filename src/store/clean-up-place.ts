/** How far tables and lists were cleaned up: whoever cleans in parts goes on there, and followers of a list know what they have missed. */

import { type Selectable, sql, type Transaction } from 'kysely';
import { NO_LIST_MARK } from './engine/commit-count.ts';
import type { Database } from './schema.ts';

/** Two workers take turns: the place is locked until the transaction ends. `first`: where a clean-up begins. */
export async function lockCleanUp(
  trx: Transaction<Database>,
  name: string,
  first: string,
): Promise<Selectable<Database['clean_up']>> {
  await sql`${sql.raw(NO_LIST_MARK)} insert into clean_up (name, position) values (${name}, ${first}) on conflict (name) do nothing`.execute(
    trx,
  );
  return await trx.selectFrom('clean_up').selectAll().where('name', '=', name).forUpdate().executeTakeFirstOrThrow();
}

/** Saves where the next part begins; `finishedAt`: the whole was done. */
export async function saveCleanUp(trx: Transaction<Database>, name: string, position: string, finishedAt?: Date): Promise<void> {
  await trx
    .updateTable('clean_up')
    .set({ position, ...(finishedAt && { finished_at: finishedAt }) })
    .where('name', '=', name)
    .execute();
}
