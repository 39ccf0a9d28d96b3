/** Takes away what nobody can use any more, so that strangers cannot fill the store. */

import type { Kysely } from 'kysely';
import type { Database } from '../../store/index.ts';
import { removeOldTrialCounts } from '../trial-eligibility.ts';

/**
 * Sessions and links whose time is over, and accounts whose address nobody confirmed in a week. Their time is the real one, as the
 * engine reckons it; `at` is the directory's, as accounts are dated by it.
 */
export async function tidyPeople(db: Kysely<Database>, at: Date): Promise<void> {
  const moment = new Date();
  await db.deleteFrom('session').where('expires_at', '<', moment).execute();
  await db.deleteFrom('verification').where('expires_at', '<', moment).execute();
  await removeOldTrialCounts(db, at);
  await db
    .deleteFrom('account')
    .where('email_verified', '=', false)
    .where('status', '=', 'active')
    .where('created_at', '<', new Date(at.getTime() - UNCONFIRMED_MS))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('subscription').select('id').whereRef('subscription.account_id', '=', 'account.id'))),
    )
    .execute();
}

const UNCONFIRMED_MS = 604_800_000;
