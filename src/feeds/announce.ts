/** Telling other processes that a feed has changed. */

import type { Transaction } from 'kysely';
import { appendToList, type Database } from '../store/index.ts';

/** Whoever remembers feeds follows the list of changes of access. The last act of its transaction, as every append to a list. */
export async function announce(trx: Transaction<Database>, accountId: string, at: Date): Promise<void> {
  const plans = await trx.selectFrom('subscription').select('id').where('account_id', '=', accountId).execute();
  const entries = plans.map(({ id }) => ({ subscription_id: id }));
  if (entries.length > 0) await appendToList(trx, 'access_change', entries, at);
}
