/** Messages about the account itself, written within the transaction of whoever has something to tell. */

import { sql, type Transaction } from 'kysely';
import type { Database } from '../store/index.ts';
import { writeMessages } from './dispatch/store-messages.ts';
import type { AccountEventType } from './event-types.ts';
import { composeData } from './messages.ts';

/** Reaches every active endpoint of the account that asked for the type, but one (`except`). `now`: the limits' clock. */
export async function tell(
  trx: Transaction<Database>,
  accountId: string,
  { type, data, now, except = null }: { type: AccountEventType; data: object; now: number; except?: string | null },
): Promise<void> {
  const endpoints = await trx
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', '=', 'active')
    .where('removed_at', 'is', null)
    .where(sql<boolean>`${type} = any(event_types)`)
    .orderBy('id')
    .execute();
  const others = endpoints.filter(({ id }) => id !== except);
  const deliveries = others.map(({ id }) => ({ endpointId: id, message: 0, dueAt: now }));
  await writeMessages(trx, [composeData(type, data, now)], deliveries, now);
}
