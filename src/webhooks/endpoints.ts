/** Endpoints of an account: everything is looked for among its own, so that another account's id is an unknown one. */

import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { giveBackAll, loadAccountTier, type Tries, takeAll } from '../accounts/index.ts';
import { transact } from '../store/index.ts';
import { bindAll } from '../values/bind-all.ts';
import type { Refusal } from '../values/refusal.ts';
import { loadOverDayLimit, nextDay } from './day-limit.ts';
import { deliver } from './delivery/deliver.ts';
import { signerFor, toSealedSecrets } from './delivery/endpoint-signer.ts';
import {
  changeEndpoint,
  type EndpointContext,
  type EndpointRow,
  endpointsOf,
  findEndpoint,
  knowsFeed,
  listAttempts,
  lockEndpoint,
  MAX_ATTEMPTS_KEPT,
  record,
  toEndpoint,
} from './endpoint-rows.ts';
import { activate, deactivate } from './endpoint-state.ts';
import { composeData, messageIdOf, payloadOf } from './messages.ts';
import type { Attempt, Endpoint, WebhookOwner } from './model.ts';
import { faultOfProof, newProofText } from './proof.ts';
import { refuseChallenge, refuseWebhook, type WebhookReason } from './refusals.ts';
import { create, rotate, update } from './save-endpoints.ts';

export type Endpoints = ReturnType<typeof createEndpoints>;

export const createEndpoints = (context: EndpointContext) =>
  bindAll(context, { list, waitsUntil, find, attempts: attemptsOf, create, update, rotate, prove, pause, resume, remove });

/** Oldest first. Also of an account whose plan has ended: it may look at what it had. */
async function list({ db, clocks }: EndpointContext, accountId: string): Promise<Endpoint[]> {
  return (await endpointsOf(db, accountId).orderBy('id').execute()).map((row) => toEndpoint(row, clocks.limits()));
}

/** Until when endpoints that are active get nothing, because the account had its messages of the day; null: they get. */
async function waitsUntil({ db, clocks }: EndpointContext, accountId: string): Promise<Date | null> {
  return (await loadOverDayLimit(db, clocks.limits())).includes(accountId) ? new Date(nextDay(clocks.limits())) : null;
}

/** Null for unknown, removed and foreign ids. `id` may be any text. */
async function find({ db, clocks }: EndpointContext, accountId: string, id: string): Promise<Endpoint | null> {
  const row = await findEndpoint(db, accountId, id);
  return row ? toEndpoint(row, clocks.limits()) : null;
}

/** Newest first. Empty for unknown, removed and foreign ids. */
async function attemptsOf(
  { db }: EndpointContext,
  accountId: string,
  id: string,
  limit: number = MAX_ATTEMPTS_KEPT,
): Promise<Attempt[]> {
  return (await findEndpoint(db, accountId, id)) ? listAttempts(db, id, limit) : [];
}

async function pause(context: EndpointContext, owner: WebhookOwner, id: string): Promise<{ ok: true } | Refusal<WebhookReason>> {
  const { clocks } = context;
  return changeEndpoint(context, owner, id, async (trx) => {
    await deactivate(trx, id, { state: 'paused', reason: null, now: clocks.limits() });
    await record(context, trx, owner, 'webhook.pause', id);
    return { ok: true };
  });
}

/** After a pause, or after it was disabled. Gives `prove` where the URL was never proven. */
async function resume(context: EndpointContext, owner: WebhookOwner, id: string): Promise<{ ok: true } | Refusal<WebhookReason>> {
  const { db, clocks } = context;
  const row = await findEndpoint(db, owner.accountId, id);
  if (row && row.challenge !== '') return prove(context, owner, id);
  return changeEndpoint(context, owner, id, async (trx, { state, feed_id }) => {
    if (!(await knowsFeed(context, trx, owner.accountId, feed_id))) return refuseWebhook('unknown_feed');
    if (state !== 'active') await activate(trx, id, clocks.limits());
    await record(context, trx, owner, 'webhook.resume', id);
    return { ok: true };
  });
}

async function remove(context: EndpointContext, owner: WebhookOwner, id: string): Promise<{ ok: true } | Refusal<WebhookReason>> {
  const { db, clocks } = context;
  return transact(db, async (trx) => {
    const row = await lockEndpoint(trx, owner.accountId, id);
    if (!row) return refuseWebhook('unknown_endpoint');
    await trx
      .updateTable('webhook_endpoint')
      .set({ removed_at: new Date(clocks.limits()), state: 'paused', revision: sql`revision + 1`, work_at: null })
      .where('id', '=', id)
      .execute();
    await record(context, trx, owner, 'webhook.remove', id, { url: row.url });
    return { ok: true };
  });
}

/* Whether an endpoint belongs to the customer who entered its URL: it must return a challenge, alone, before anything is sent to it. */

/** Sends a challenge that the endpoint must return. Activates the endpoint. */
async function prove(context: EndpointContext, owner: WebhookOwner, id: string): Promise<{ ok: true } | Refusal<WebhookReason>> {
  const { db, clocks } = context;
  const row = await findEndpoint(db, owner.accountId, id);
  if (!row) return refuseWebhook('unknown_endpoint');
  if ((await loadAccountTier(db, owner.accountId, clocks.directory())) !== 'enterprise') return refuseWebhook('tier_required');
  const refused = row.challenge === '' ? null : await refuseProof(context, owner, row);
  if (refused) return refused;
  return changeEndpoint(context, owner, id, async (trx, current) => {
    // It was edited meanwhile: what was proven is another address.
    if (current.challenge !== row.challenge) return refuseWebhook('not_proven');
    if (current.state !== 'active') await activate(trx, id, clocks.limits());
    await trx.updateTable('webhook_endpoint').set({ challenge: '' }).where('id', '=', id).execute();
    await record(context, trx, owner, 'webhook.prove', id, { url: row.url });
    return { ok: true };
  });
}

/** Null: proven. Else one sentence why not; of the answer it tells the status alone. */
async function askForProof({ clocks, seal, outbound }: EndpointContext, row: EndpointRow): Promise<string | null> {
  const { id, url, challenge } = row;
  const parts = { withhold: newProofText(), challenge };
  const body = payloadOf(composeData('endpoint.challenge', parts, clocks.limits()), 'thin');
  const signer = signerFor({ id, ...toSealedSecrets(row) }, seal, clocks.limits());
  const result = await deliver(outbound, {
    url,
    webhookId: messageIdOf(randomUUIDv7()),
    body,
    signer,
    at: new Date(clocks.limits()),
  });
  if (result.outcome !== 'delivered') {
    const why = result.status === null ? (result.detail ?? result.outcome) : `it answered with status ${result.status}`;
    return `Marquee could not verify the endpoint: ${why}.`;
  }
  const fault = faultOfProof(result.answer, parts);
  return fault && `The endpoint answered with status ${result.status}, but ${fault}.`;
}

/** Null: proven. Whoever returns challenges is asked as often as they like; others are not, whoever's hosts they are. */
async function refuseProof(
  context: EndpointContext,
  { accountId }: WebhookOwner,
  row: EndpointRow,
): Promise<Refusal<WebhookReason> | null> {
  const { attempts } = context;
  const { host } = new URL(row.url);
  const tries: Tries = [
    ['challengesOf', accountId],
    ['challengesTo', `${accountId} ${host}`],
  ];
  const full = await takeAll(attempts, tries);
  if (full) return refuseChallenge(full.name === 'challengesTo' ? host : null, full.wait);
  const why = await askForProof(context, row);
  if (why !== null) return refuseWebhook('not_proven', why);
  await giveBackAll(attempts, tries);
  return null;
}
