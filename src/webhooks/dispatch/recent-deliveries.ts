/** Deliveries that were written a moment ago: while they are untried, a newer delivery of the same record replaces them. */

import { sql, type Transaction } from 'kysely';
import type { ChangePage } from '../../search/index.ts';
import type { Database } from '../../store/index.ts';
import type { RecordChanges } from '../messages.ts';
import type { RecentDelivery } from './plan-deliveries.ts';

/** What was written of the records of a page. Of what has not been tried the rows are held until the commit. */
export async function loadRecent(trx: Transaction<Database>, { changes }: ChangePage, now: number): Promise<RecentDelivery[]> {
  const ids = [...new Set(changes.flatMap(({ entityId }) => entityId ?? []))];
  const { rows } = await sql<RecentRow>`
    select d.id, d.endpoint_id, d.state, d.attempts, d.due_at, m.entity_id, m.type, m.changes, m.created_at
    from webhook_message m join webhook_delivery d on d.message_id = m.id
    where m.entity_id = any(${ids}::uuid[]) and m.created_at > ${new Date(now - RECENT_MS)} and m.changes is not null`.execute(
    trx,
  );
  const waiting = rows.filter((row) => row.state === 'pending' && row.attempts === 0 && row.due_at.getTime() > now);
  const held = await lockUntried(
    trx,
    waiting.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    endpointId: row.endpoint_id,
    entityId: row.entity_id,
    type: row.type,
    changes: row.changes,
    createdAt: row.created_at.getTime(),
    dueAt: row.due_at.getTime(),
    isHeld: held.has(row.id),
  }));
}

interface RecentRow {
  id: string;
  endpoint_id: string;
  state: string;
  attempts: number;
  due_at: Date;
  entity_id: string;
  type: string;
  changes: RecordChanges;
  created_at: Date;
}

async function lockUntried(trx: Transaction<Database>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from webhook_delivery where id = any(${ids}::bigint[]) and state = 'pending' and attempts = 0
    for update skip locked`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

export async function dropReplaced(trx: Transaction<Database>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    with dropped as (delete from webhook_delivery where id = any(${ids}::bigint[]) returning endpoint_id)
    update webhook_endpoint set pending = pending - sum.number
    from (select endpoint_id, count(*)::int as number from dropped group by endpoint_id) as sum
    where webhook_endpoint.id = sum.endpoint_id`.execute(trx);
}

/** Longer than changes of one record are waited for, so that clocks of several workers may differ. */
const RECENT_MS = 4_000;
