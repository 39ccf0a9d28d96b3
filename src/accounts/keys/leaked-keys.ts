/** Keys that were found where everybody can read them: revoked at once, whoever found them. */

import { hash } from 'node:crypto';
import { transact } from '../../store/index.ts';
import { recordAudit } from '../audit.ts';
import { parseKey } from './key-format.ts';
import type { KeyMakingOptions } from './key-making.ts';
import type { KeyringOptions } from './keyring.ts';

export interface LeakedKeys {
  /**
   * Revokes the key if it is one of ours; `text` is what was found, `where` its address. `owner` only when this call revoked it: whom to
   * tell. Rejects with the store's error.
   */
  reportLeak(text: string, where: string): Promise<{ isOurs: boolean; owner: LeakOwner | null }>;
}

export interface LeakOwner {
  email: string;
  /** Public id of the key. */
  keyId: string;
}

export function createLeakedKeys({
  db,
  now,
  announce,
}: Pick<KeyMakingOptions, 'now' | 'announce'> & Pick<KeyringOptions, 'db'>): LeakedKeys {
  return {
    async reportLeak(text, where) {
      if (parseKey(text) === null) return { isOurs: false, owner: null };
      return transact(db, async (trx) => {
        // The whole key must match: an id alone is public, and would let anybody revoke what they have not found.
        const key = await trx
          .selectFrom('api_key')
          .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
          .innerJoin('account', 'account.id', 'subscription.account_id')
          .where('api_key.secret_hash', '=', hash('sha256', text, 'buffer'))
          .select(['api_key.id', 'api_key.name', 'api_key.revoked_at', 'api_key.subscription_id', 'account.email'])
          .forUpdate('api_key')
          .executeTakeFirst();
        if (!key) return { isOurs: false, owner: null };
        if (key.revoked_at) return { isOurs: true, owner: null };
        await trx
          .updateTable('api_key')
          .set({ revoked_at: new Date(now()) })
          .where('id', '=', key.id)
          .execute();
        const detail = { name: key.name, found: where };
        const actor = { id: null, name: 'secret scanning' };
        await recordAudit(trx, { actor, action: 'key.revoke', subject: 'key', subjectId: key.id, detail }, { now });
        await announce(trx, [key.subscription_id]);
        return { isOurs: true, owner: { email: key.email, keyId: key.id } };
      });
    },
  };
}
