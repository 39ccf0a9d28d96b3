/** Endpoints of an account: everything is looked for among its own, so that another account's id is an unknown one. */

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type AuditEntry, loadAccountTier, recordAudit } from '../../accounts/index.ts';
import type { Clocks } from '../../clock.ts';
import { createFeeds } from '../../feeds/index.ts';
import type { Outbound } from '../../outbound/index.ts';
import { type Database, transact } from '../../store/index.ts';
import { loadOverDayLimit, nextDay } from '../day-limit.ts';
import { activate, deactivate } from '../endpoint-state.ts';
import { composeData, payloadOf } from '../messages.ts';
import type { Attempt, Endpoint, EndpointInput, ShownSecret, WebhookOwner } from '../model.ts';
import { refuseWebhook, type WebhookRefusal } from '../refusals.ts';
import type { Seal } from '../seal.ts';
import { deliver } from '../sending/deliver.ts';
import { createKeyPair, createSecret, createSigner, publicKeyOf } from '../sign.ts';
import { type CheckedInput, checkInput } from './check-input.ts';
import { type EndpointRow, endpointsOf, findEndpoint, listAttempts, lockEndpoint, toEndpoint } from './endpoint-rows.ts';

export interface Endpoints {
  /** Oldest first. Also of an account whose plan has ended: it may look at what it had. */
  list(accountId: string): Promise<Endpoint[]>;
  /** Until when endpoints that are active get nothing, because the account had its messages of the day; null: they get. */
  waitsUntil(accountId: string): Promise<Date | null>;
  /** Null for unknown, removed and foreign ids. `id` may be any text. */
  find(accountId: string, id: string): Promise<Endpoint | null>;
  /** Newest first. Empty for unknown, removed and foreign ids. */
  attempts(accountId: string, id: string, limit?: number): Promise<Attempt[]>;
  /** Nothing is sent before `prove`. */
  create(owner: WebhookOwner, input: EndpointInput): Promise<{ ok: true; id: string; shown: ShownSecret } | WebhookRefusal>;
  /** Another URL must be proven again. `shown`: where `v1a` is new. */
  update(
    owner: WebhookOwner,
    id: string,
    input: EndpointInput,
  ): Promise<{ ok: true; shown: ShownSecret | null } | WebhookRefusal>;
  /** Sends a challenge that the endpoint must return. Activates the endpoint. */
  prove(owner: WebhookOwner, id: string): Promise<{ ok: true } | WebhookRefusal>;
  /** Both secrets sign for 24 hours. */
  rotate(owner: WebhookOwner, id: string): Promise<{ ok: true; shown: ShownSecret } | WebhookRefusal>;
  pause(owner: WebhookOwner, id: string): Promise<{ ok: true } | WebhookRefusal>;
  /** After a pause, or after it was disabled. Gives `prove` where the URL was never proven. */
  resume(owner: WebhookOwner, id: string): Promise<{ ok: true } | WebhookRefusal>;
  remove(owner: WebhookOwner, id: string): Promise<{ ok: true } | WebhookRefusal>;
}

export interface EndpointsOptions {
  db: Kysely<Database>;
  clocks: Clocks;
  seal: Seal;
  /** With `WEBHOOK_LIMITS`. */
  outbound: Outbound;
  /** Without a trailing slash. */
  publicUrl: string;
}

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { db, clocks, seal, outbound } = options;
  const now = clocks.limits;

  const record = (
    trx: Transaction<Database>,
    owner: WebhookOwner,
    action: string,
    id: string,
    detail: AuditEntry['detail'] = {},
  ) =>
    recordAudit(
      trx,
      { actor: owner.actor, address: owner.address ?? null, action, subject: 'webhook', subjectId: id, detail },
      { now: clocks.directory },
    );

  async function refuseTier(trx: Transaction<Database>, accountId: string): Promise<WebhookRefusal | null> {
    // Held until the commit: creations of one account wait for each other, and so does who suspends it.
    await trx.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute();
    const tier = await loadAccountTier(trx, accountId, clocks.directory());
    return tier === 'enterprise' ? null : refuseWebhook('tier_required');
  }

  /** Runs `work` on the locked row of an account that may have webhooks. */
  async function change<T>(
    owner: WebhookOwner,
    id: string,
    work: (trx: Transaction<Database>, row: EndpointRow) => Promise<T>,
  ): Promise<T | WebhookRefusal> {
    return transact(db, async (trx) => {
      const refused = await refuseTier(trx, owner.accountId);
      const row = await lockEndpoint(trx, owner.accountId, id);
      if (!row) return refuseWebhook('unknown_endpoint');
      return refused ?? work(trx, row);
    });
  }

  async function knowsFeed(trx: Transaction<Database>, accountId: string, feedId: string | null): Promise<boolean> {
    return feedId === null || (await createFeeds({ db: trx, now: clocks.directory }).find(accountId, feedId)) !== null;
  }

  function makeSecrets(id: string, hasPublicKey: boolean) {
    const secret = createSecret();
    const key = hasPublicKey ? createKeyPair() : null;
    return {
      shown: { secret, publicKey: key === null ? null : publicKeyOf(key) },
      columns: { secret: seal.close(secret, id), signing_key: key === null ? null : seal.close(key, id) },
    };
  }

  const create: Endpoints['create'] = async (owner, typed) => {
    const checked = checkInput(typed, options);
    if (!checked.ok) return checked;
    const { accountId } = owner;
    const { input } = checked;
    return transact(db, async (trx) => {
      const refused = await refuseTier(trx, accountId);
      if (refused) return refused;
      if (!(await knowsFeed(trx, accountId, input.feedId))) return refuseWebhook('unknown_feed');
      if ((await endpointsOf(trx, accountId).execute()).length >= MAX_ENDPOINTS) return refuseWebhook('too_many_endpoints');
      const id = randomUUIDv7();
      const at = new Date(now());
      const { shown, columns } = makeSecrets(id, input.publicKey);
      await trx
        .insertInto('webhook_endpoint')
        .values({
          ...{ id, account_id: accountId, ...columnsOf(input), ...columns },
          ...{ state: 'unproven', state_at: at, challenge: newChallenge() },
          ...{ lane: laneOf(input), since_seq: 0, created_at: at, updated_at: at },
        })
        .execute();
      await record(trx, owner, 'webhook.create', id, { url: input.url });
      return { ok: true, id, shown };
    });
  };

  const update: Endpoints['update'] = async (owner, id, typed) => {
    const checked = checkInput(typed, options);
    if (!checked.ok) return (await findEndpoint(db, owner.accountId, id)) ? checked : refuseWebhook('unknown_endpoint');
    const { input } = checked;
    return change(owner, id, async (trx, row) => {
      if (!(await knowsFeed(trx, owner.accountId, input.feedId))) return refuseWebhook('unknown_feed');
      const isMoved = row.url !== input.url;
      const isKeyNew = input.publicKey && !row.signing_key;
      const key = isKeyNew ? createKeyPair() : null;
      // Once it waits for the read model it goes on to: the lanes are at different numbers.
      const lane = row.lane === 'matched' ? 'matched' : laneOf(input);
      const position = await trx
        .selectFrom('webhook_follower')
        .select('position')
        .where('lane', '=', row.lane)
        .forUpdate()
        .execute();
      await trx
        .updateTable('webhook_endpoint')
        .set({
          ...columnsOf(input),
          ...(key && { signing_key: seal.close(key, id) }),
          ...(!input.publicKey && { signing_key: null, previous_signing_key: null }),
          lane,
          ...(lane !== row.lane && { since_seq: position[0]?.position ?? row.since_seq }),
          revision: sql`revision + 1`,
          updated_at: new Date(now()),
          ...(isMoved && { challenge: newChallenge(), state: 'unproven', state_reason: null, state_at: new Date(now()) }),
        })
        .where('id', '=', id)
        .execute();
      await record(trx, owner, 'webhook.update', id, { before: { url: row.url }, after: { url: input.url } });
      return { ok: true, shown: key === null ? null : { secret: null, publicKey: publicKeyOf(key) } };
    });
  };

  const prove: Endpoints['prove'] = async (owner, id) => {
    const row = await findEndpoint(db, owner.accountId, id);
    if (!row) return refuseWebhook('unknown_endpoint');
    if ((await loadAccountTier(db, owner.accountId, clocks.directory())) !== 'enterprise') return refuseWebhook('tier_required');
    const proof = await askForProof(row);
    if (proof !== null) return refuseWebhook('not_proven', proof);
    return change(owner, id, async (trx, current) => {
      // It was edited meanwhile: what was proven is another address.
      if (current.challenge !== row.challenge) return refuseWebhook('not_proven');
      if (current.state !== 'active') await activate(trx, id, now());
      await trx.updateTable('webhook_endpoint').set({ challenge: '' }).where('id', '=', id).execute();
      await record(trx, owner, 'webhook.prove', id, { url: row.url });
      return { ok: true };
    });
  };

  /** Null: proven. Else one sentence why not; of the answer it tells the status alone. */
  async function askForProof({ id, url, challenge, secret }: EndpointRow): Promise<string | null> {
    if (challenge === '') return null;
    const body = payloadOf(composeData('endpoint.challenge', { challenge }, now()), 'thin');
    const signer = createSigner([seal.open(secret, id)], []);
    const result = await deliver(outbound, { url, messageId: randomUUIDv7(), body, signer, at: new Date(now()) });
    if (result.outcome !== 'delivered') {
      const why = result.status === null ? (result.detail ?? result.outcome) : `it answered with status ${result.status}`;
      return `Marquee could not verify the endpoint: ${why}.`;
    }
    if (result.answer.includes(challenge)) return null;
    return `The endpoint answered with status ${result.status}, but did not return the challenge.`;
  }

  const rotate: Endpoints['rotate'] = (owner, id) =>
    change(owner, id, async (trx, row) => {
      const { shown, columns } = makeSecrets(id, row.signing_key !== null);
      await trx
        .updateTable('webhook_endpoint')
        .set({
          ...columns,
          previous_secret: row.secret,
          previous_signing_key: row.signing_key,
          previous_until: new Date(now() + ROTATION_MS),
          revision: sql`revision + 1`,
        })
        .where('id', '=', id)
        .execute();
      await record(trx, owner, 'webhook.rotate', id);
      return { ok: true, shown };
    });

  const resume: Endpoints['resume'] = async (owner, id) => {
    const row = await findEndpoint(db, owner.accountId, id);
    if (row && row.challenge !== '') return prove(owner, id);
    return change(owner, id, async (trx, { state, feed_id }) => {
      if (!(await knowsFeed(trx, owner.accountId, feed_id))) return refuseWebhook('unknown_feed');
      if (state !== 'active') await activate(trx, id, now());
      await record(trx, owner, 'webhook.resume', id);
      return { ok: true };
    });
  };

  return {
    create,
    update,
    prove,
    rotate,
    resume,
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
      change(owner, id, async (trx) => {
        await deactivate(trx, id, { state: 'paused', reason: null, now: now() });
        await record(trx, owner, 'webhook.pause', id);
        return { ok: true };
      }),
    async remove(owner, id) {
      return transact(db, async (trx) => {
        const row = await lockEndpoint(trx, owner.accountId, id);
        if (!row) return refuseWebhook('unknown_endpoint');
        await trx
          .updateTable('webhook_endpoint')
          .set({ removed_at: new Date(now()), state: 'paused', revision: sql`revision + 1`, work_at: null })
          .where('id', '=', id)
          .execute();
        await record(trx, owner, 'webhook.remove', id, { url: row.url });
        return { ok: true };
      });
    },
  };
}

/** Text that nobody guesses, and that nobody finds in an answer by chance. */
const newChallenge = (): string => randomBytes(24).toString('base64url');
/** Neighborhoods are counted in the read model alone, but change with it: they do not hold up the others. */
const laneOf = ({ feedId }: CheckedInput): 'direct' | 'matched' => (feedId === null ? 'direct' : 'matched');

function columnsOf({ url, description, eventTypes, feedId, payload, order }: CheckedInput) {
  return { url, description, event_types: eventTypes, feed_id: feedId, payload, delivery_order: order };
}

/** Of one account, without those that were removed. */
const MAX_ENDPOINTS = 20;
export const MAX_ATTEMPTS_KEPT = 500;
const ROTATION_MS = 24 * 3_600_000;
