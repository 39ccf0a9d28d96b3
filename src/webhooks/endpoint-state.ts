/** Endpoints become active and stop being so. Everything here is within the transaction of the caller. */

import { sql, type Transaction } from 'kysely';
import { type Database, listHead } from '../store/index.ts';
import type { EndpointReason, EndpointState } from './model.ts';

/** From here on changes are delivered: none before, and none is missed. Whoever dispatches waits until the commit. */
export async function activate(trx: Transaction<Database>, endpointId: string, now: number): Promise<void> {
  const { lane } = await trx
    .selectFrom('webhook_endpoint')
    .select('lane')
    .where('id', '=', endpointId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await trx.selectFrom('webhook_follower').select('lane').where('lane', '=', lane).forUpdate().execute();
  const others = await trx
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('lane', '=', lane)
    .where('state', '=', 'active')
    .limit(1)
    .execute();
  const head = await listHead(trx, 'change');
  // While nobody was to be told, nobody followed.
  if (others.length === 0) await trx.updateTable('webhook_follower').set({ position: head }).where('lane', '=', lane).execute();
  await trx
    .updateTable('webhook_endpoint')
    .set({
      state: 'active',
      state_reason: null,
      state_at: new Date(now),
      since_seq: head,
      ...FRESH,
      // What was taken and not tried before it stopped waits, too: whoever leases the endpoint takes it over.
      work_at: sql<Date>`(
        select min(due_at) from webhook_delivery where endpoint_id = ${endpointId} and state in ('pending', 'sending'))`,
    })
    .where('id', '=', endpointId)
    .execute();
}

/**
 * No delivery begins after the commit. What waits stays. Whoever waits for an answer keeps the lease: activated at once, the endpoint gets
 * no second request beside it. Gives false for an endpoint that is not active.
 */
export async function deactivate(
  trx: Transaction<Database>,
  endpointId: string,
  { state, reason, now }: { state: Exclude<EndpointState, 'active'>; reason: EndpointReason | null; now: number },
): Promise<boolean> {
  const changed = await trx
    .updateTable('webhook_endpoint')
    .set({
      state,
      state_reason: reason,
      state_at: new Date(now),
      revision: sql`revision + 1`,
    })
    .where('id', '=', endpointId)
    .where('state', '=', 'active')
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** As of an endpoint that never failed. */
const FRESH = { failures: 0, failing_since: null, open_until: null, mails_sent: 0, concurrency: 1 } as const;
