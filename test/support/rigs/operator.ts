/** What an operator does to accounts and plans at the desk, on the audit list as there. */

import type { Kysely } from 'kysely';
import { createAccountAdmin, type TierName } from '../../../src/accounts/index.ts';
import { createManualBilling } from '../../../src/billing/index.ts';
import type { Database } from '../../../src/store/index.ts';

export interface TestOperator {
  suspend(email: string): Promise<void>;
  resume(email: string): Promise<void>;
  /** `id`: of a subscription, or of one of its keys. */
  setTier(id: string, tier: TierName): Promise<void>;
}

export function createOperator(db: Kysely<Database>, now: () => number = Date.now): TestOperator {
  const admin = createAccountAdmin({ db, now });
  const billing = createManualBilling({ db, now });

  async function setSuspended(email: string, suspended: boolean): Promise<void> {
    const { id } = await db
      .selectFrom('account')
      .select('id')
      .where('email_lower', '=', email.toLowerCase())
      .executeTakeFirstOrThrow();
    const actor = { id: OPERATOR.accountId, name: OPERATOR.email };
    if (!(await admin.setSuspended({ accountId: id, suspended, actor }))) throw new Error('the account was so already');
  }

  return {
    suspend: (email) => setSuspended(email, true),
    resume: (email) => setSuspended(email, false),
    async setTier(id, tier) {
      const key = await db.selectFrom('api_key').select('subscription_id').where('id', '=', id).executeTakeFirst();
      const subscriptionId = key?.subscription_id ?? id;
      const { tier: from, status } = await db
        .selectFrom('subscription')
        .select(['tier', 'status'])
        .where('id', '=', subscriptionId)
        .executeTakeFirstOrThrow();
      // The tables' checks hold these to their words.
      const expect = { tier: from, status } as Parameters<typeof billing.assign>[0]['expect'];
      const outcome = await billing.assign({ by: OPERATOR, subscriptionId, token: '', tier, expect });
      if (!outcome.ok) throw new Error(outcome.detail);
    },
  };
}

const OPERATOR = { accountId: '01a1fdad-b586-7e3d-816a-9a96b2e85f6b', email: 'operator@example.org' };
