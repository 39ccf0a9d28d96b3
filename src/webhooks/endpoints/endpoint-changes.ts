/** The transaction in which an owner changes an endpoint: the account is locked before the endpoint, and the audit list is told. */

import type { Kysely, Transaction } from 'kysely';
import { type AuditEntry, loadAccountTier, lockAccount, recordAudit } from '../../accounts/index.ts';
import type { Clocks } from '../../clock.ts';
import { createFeeds } from '../../feeds/index.ts';
import { type Database, transact } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import type { WebhookOwner } from '../model.ts';
import { refuseWebhook, type WebhookReason } from '../refusals.ts';
import { type EndpointRow, lockEndpoint } from './endpoint-rows.ts';

export interface EndpointChanges {
  /** Locks the account until the commit. The refusal of an account that may not have webhooks. */
  refuseTier(trx: Transaction<Database>, accountId: string): Promise<Refusal<WebhookReason> | null>;
  /** Runs `work` on the locked row of an account that may have webhooks. */
  change<T>(
    owner: WebhookOwner,
    id: string,
    work: (trx: Transaction<Database>, row: EndpointRow) => Promise<T>,
  ): Promise<T | Refusal<WebhookReason>>;
  /** Whether the account has this saved query; null is everything. */
  knowsFeed(trx: Transaction<Database>, accountId: string, feedId: string | null): Promise<boolean>;
  record(
    trx: Transaction<Database>,
    owner: WebhookOwner,
    action: string,
    id: string,
    detail?: AuditEntry['detail'],
  ): Promise<void>;
}

export function createEndpointChanges({ db, clocks }: { db: Kysely<Database>; clocks: Clocks }): EndpointChanges {
  async function refuseTier(trx: Transaction<Database>, accountId: string): Promise<Refusal<WebhookReason> | null> {
    await lockAccount(trx, accountId);
    const tier = await loadAccountTier(trx, accountId, clocks.directory());
    return tier === 'enterprise' ? null : refuseWebhook('tier_required');
  }

  return {
    refuseTier,

    change: (owner, id, work) =>
      transact(db, async (trx) => {
        const refused = await refuseTier(trx, owner.accountId);
        const row = await lockEndpoint(trx, owner.accountId, id);
        if (!row) return refuseWebhook('unknown_endpoint');
        return refused ?? work(trx, row);
      }),

    knowsFeed: async (trx, accountId, feedId) =>
      feedId === null || (await createFeeds({ db: trx, now: clocks.directory }).find(accountId, feedId)) !== null,

    record: (trx, { actor, address = null }, action, id, detail = {}) =>
      recordAudit(trx, { actor, address, action, subject: 'webhook', subjectId: id, detail }, { now: clocks.directory }),
  };
}
