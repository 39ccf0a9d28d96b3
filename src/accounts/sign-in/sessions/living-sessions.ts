/** Which sessions still count. */

import type { Kysely } from 'kysely';
import type { Database } from '../../../store/index.ts';

/** Those of these sessions that have not ended and whose account is active. */
export async function loadLivingSessions(db: Kysely<Database>, sessionIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .where('session.id', 'in', sessionIds)
    .where('session.expires_at', '>', new Date())
    .where('account.status', '=', 'active')
    .select('session.id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}
