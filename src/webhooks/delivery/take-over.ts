/** What a dead worker had taken: what it noted as delivered is delivered, everything else waits again. */

import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';
import type { Journal } from './journal.ts';
import { type EndpointHealth, judge, writeOutcomes } from './outcomes.ts';

export interface TakenEndpoint extends EndpointHealth {
  /** Who held the lease until it was over; null: it was given back. */
  previousOwner: string | null;
}

/** Within the transaction of the lease. */
export async function takeOver(
  trx: Transaction<Database>,
  endpoints: readonly TakenEndpoint[],
  journal: Journal,
  now: number,
): Promise<void> {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const owners = new Set(endpoints.flatMap(({ previousOwner }) => previousOwner ?? []));
  const noted = [...owners].flatMap((owner) => journal.read(owner)).filter(({ endpointId }) => byId.has(endpointId));
  const unknown = await keepUnknown(
    trx,
    noted.map(({ deliveryId }) => deliveryId),
  );
  const outcomes = noted.flatMap((entry) => {
    const endpoint = byId.get(entry.endpointId);
    return endpoint && unknown.delete(entry.deliveryId) ? judge(endpoint, entry, now, Math.random) : [];
  });
  if (outcomes.length > 0) await writeOutcomes(trx, outcomes);
  await sql`
    update webhook_delivery set state = 'pending'
    where endpoint_id = any(${[...byId.keys()]}::uuid[]) and state = 'sending'`.execute(trx);
}

/** Deliveries of which the database does not know how they went. */
async function keepUnknown(trx: Transaction<Database>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from webhook_delivery where id = any(${ids}::bigint[]) and state = 'sending'`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}
