/** Endpoints of an account: everything is looked for among its own, so that another account's id is an unknown one. */

import { type Kysely, sql } from 'kysely';
import type { Attempts } from '../../accounts/index.ts';
import type { Clocks } from '../../clock.ts';
import type { Outbound } from '../../outbound/index.ts';
import { type Database, transact } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { loadOverDayLimit, nextDay } from '../day-limit.ts';
import { activate, deactivate } from '../endpoint-state.ts';
import type { Attempt, Endpoint, WebhookOwner } from '../model.ts';
import { refuseWebhook, type WebhookReason } from '../refusals.ts';
import type { Seal } from '../seal.ts';
import { createEndpointChanges } from './endpoint-changes.ts';
import { endpointsOf, findEndpoint, listAttempts, lockEndpoint, MAX_ATTEMPTS_KEPT, toEndpoint } from './endpoint-rows.ts';
import { createEndpointSecrets, type EndpointSecrets } from './endpoint-secrets.ts';
import { createEndpointProver, type EndpointProver } from './prove-endpoints.ts';
import { createEndpointEditor, type EndpointEditor } from './save-endpoints.ts';

export interface Endpoints extends EndpointEditor, EndpointProver, EndpointSecrets {
  /** Oldest first. Also of an account whose plan has ended: it may look at what it had. */
  list(accountId: string): Promise<Endpoint[]>;
  /** Until when endpoints that are active get nothing, because the account had its messages of the day; null: they get. */
  waitsUntil(accountId: string): Promise<Date | null>;
  /** Null for unknown, removed and foreign ids. `id` may be any text. */
  find(accountId: string, id: string): Promise<Endpoint | null>;
  /** Newest first. Empty for unknown, removed and foreign ids. */
  attempts(accountId: string, id: string, limit?: number): Promise<Attempt[]>;
  pause(owner: WebhookOwner, id: string): Promise<{ ok: true } | Refusal<WebhookReason>>;
  /** After a pause, or after it was disabled. Gives `prove` where the URL was never proven. */
  resume(owner: WebhookOwner, id: string): Promise<{ ok: true } | Refusal<WebhookReason>>;
  remove(owner: WebhookOwner, id: string): Promise<{ ok: true } | Refusal<WebhookReason>>;
}

export interface EndpointsOptions {
  db: Kysely<Database>;
  clocks: Clocks;
  seal: Seal;
  /** With `WEBHOOK_LIMITS`. */
  outbound: Outbound;
  /** Counts challenges. */
  attempts: Attempts;
  /** Without a trailing slash. */
  publicUrl: string;
}

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { db, clocks, seal } = options;
  const now = clocks.limits;
  const changes = createEndpointChanges(options);
  const { prove } = createEndpointProver(changes, options);

  return {
    ...createEndpointEditor(changes, { ...options, now }),
    ...createEndpointSecrets(changes, seal, now),
    prove,

    async list(accountId) {
      return (await endpointsOf(db, accountId).orderBy('id').execute()).map((row) => toEndpoint(row, now()));
    },

    async waitsUntil(accountId) {
      return (await loadOverDayLimit(db, now())).includes(accountId) ? new Date(nextDay(now())) : null;
    },

    async find(accountId, id) {
      const row = await findEndpoint(db, accountId, id);
      return row ? toEndpoint(row, now()) : null;
    },

    async attempts(accountId, id, limit = MAX_ATTEMPTS_KEPT) {
      return (await findEndpoint(db, accountId, id)) ? listAttempts(db, id, limit) : [];
    },

    pause: (owner, id) =>
      changes.change(owner, id, async (trx) => {
        await deactivate(trx, id, { state: 'paused', reason: null, now: now() });
        await changes.record(trx, owner, 'webhook.pause', id);
        return { ok: true };
      }),

    async resume(owner, id) {
      const row = await findEndpoint(db, owner.accountId, id);
      if (row && row.challenge !== '') return prove(owner, id);
      return changes.change(owner, id, async (trx, { state, feed_id }) => {
        if (!(await changes.knowsFeed(trx, owner.accountId, feed_id))) return refuseWebhook('unknown_feed');
        if (state !== 'active') await activate(trx, id, now());
        await changes.record(trx, owner, 'webhook.resume', id);
        return { ok: true };
      });
    },

    async remove(owner, id) {
      return transact(db, async (trx) => {
        const row = await lockEndpoint(trx, owner.accountId, id);
        if (!row) return refuseWebhook('unknown_endpoint');
        await trx
          .updateTable('webhook_endpoint')
          .set({ removed_at: new Date(now()), state: 'paused', revision: sql`revision + 1`, work_at: null })
          .where('id', '=', id)
          .execute();
        await changes.record(trx, owner, 'webhook.remove', id, { url: row.url });
        return { ok: true };
      });
    },
  };
}
