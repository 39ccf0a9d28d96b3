/** What has to be done for endpoints by the clock: warn, disable, let go on, tell, clean up. Each once, whatever processes run. */

import { type Kysely, sql, type Transaction } from 'kysely';
import { loadAccountTiers, loadActiveEmail, loadExpiringKeys, loadQuotaUse } from '../accounts/index.ts';
import type { Clocks } from '../clock.ts';
import { createFeeds } from '../feeds/index.ts';
import type { Log } from '../log.ts';
import { composeEmail, type EmailKind, type Mailer } from '../mail/index.ts';
import { type Database, transact } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';
import { loadOverDayLimit } from './day-limit.ts';
import { MAX_ATTEMPTS_KEPT } from './endpoint-rows.ts';
import { activate, deactivate } from './endpoint-state.ts';
import type { EndpointState } from './model.ts';
import { tell } from './tell.ts';

export interface LookAfterOptions {
  db: Kysely<Database>;
  mailer: Mailer;
  /** Without a trailing slash. */
  publicUrl: string;
  clocks: Clocks;
  log: Log;
}

export async function lookAfterWebhooks(options: LookAfterOptions): Promise<void> {
  const { db, clocks } = options;
  const { rows } = await sql`select 1 from webhook_endpoint limit 1`.execute(db);
  if (rows.length === 0) return;
  const now = clocks.limits();
  await disableFailing(db, now);
  await sendWarnings(options, now);
  await sendDayLimits(options, now);
  await stopForbidden(db, clocks);
  await resumeAllowed(db, clocks);
  await tellQuotas(db, clocks);
  await tellExpiringKeys(db, clocks);
  await dropForgotten(db, now);
}

async function disableFailing(db: Kysely<Database>, now: number): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ state: 'disabled', state_reason: 'failing', state_at: new Date(now), revision: sql`revision + 1` })
    .where('state', '=', 'active')
    // As of the last attempt: what waits after quiet days is tried first.
    .where(sql<boolean>`failing_since + ${DISABLED_AFTER_MS} * interval '1 millisecond' <= last_attempt_at`)
    .execute();
}

/** A warning is noted before it leaves: after a crash between the two it is missing rather than there twice. */
async function sendWarnings({ db, mailer, publicUrl, log }: LookAfterOptions, now: number): Promise<void> {
  for (const [level, { kind, isDue }] of WARNINGS.entries()) {
    const due = await transact(db, async (trx) => {
      const rows = await trx
        .updateTable('webhook_endpoint')
        .set({ mails_sent: level + 1 })
        .where('mails_sent', '<=', level)
        .where('removed_at', 'is', null)
        .where(isDue(now))
        .returning(['id', 'account_id', 'url', 'state_reason'])
        .execute();
      for (const { id, account_id: accountId, url, state_reason } of kind === 'webhook_disabled' ? rows : []) {
        const data = { endpointId: id, url, reason: state_reason };
        await tell(trx, accountId, { type: 'endpoint.disabled', data, now, except: id });
      }
      return rows;
    });
    for (const { id, account_id: accountId, url } of due) {
      const to = await loadActiveEmail(db, accountId);
      if (to === null) continue;
      const link = `${publicUrl}/dashboard/webhooks/${id}`;
      // Only where it leads: a path or a query may hold what the customer's own service trusts in.
      const endpoint = new URL(url).origin;
      await mailer
        .send({ to, ...composeEmail(kind, { site: publicUrl, link, endpoint }) })
        .catch((err: unknown) => log.error({ err, endpoint: id }, 'cannot notify the owner of a webhook endpoint'));
    }
  }
}

/** One for each day. */
async function sendDayLimits({ db, mailer, publicUrl, log }: LookAfterOptions, now: number): Promise<void> {
  const day = new Date(now).toISOString().slice(0, 10);
  for (const accountId of await loadOverDayLimit(db, now)) {
    const to = await loadActiveEmail(db, accountId);
    if (to === null) continue;
    if (!(await transact(db, (trx) => isFirst(trx, accountId, `day limit ${day}`, now)))) continue;
    await mailer
      .send({
        to,
        ...composeEmail('webhook_day_limit', { site: publicUrl, link: `${publicUrl}/dashboard/webhooks` }),
      })
      .catch((err: unknown) => log.error({ err, account: accountId }, 'cannot notify the owner of webhook endpoints'));
  }
}

/** In order: the later ones take the place of those before them. */
const WARNINGS: readonly { kind: EmailKind; isDue: (now: number) => ReturnType<typeof sql<boolean>> }[] = [
  {
    kind: 'webhook_failing_hour',
    isDue: (now) => sql<boolean>`state = 'active' and failing_since <= ${new Date(now - HOUR_MS)} and pending > 0`,
  },
  {
    kind: 'webhook_failing_day',
    isDue: (now) => sql<boolean>`state = 'active' and failing_since <= ${new Date(now - DAY_MS)} and pending > 0`,
  },
  { kind: 'webhook_disabled', isDue: () => sql<boolean>`state = 'disabled'` },
];

/** Whoever sends or plans deliveries stops an endpoint at once. This is for those that have nothing to send. */
async function stopForbidden(db: Kysely<Database>, clocks: Clocks): Promise<void> {
  const active = await endpointsIn(db, 'active');
  const tiers = await loadAccountTiers(db, [...new Set(active.map(({ account_id }) => account_id))], clocks.directory());
  for (const { id } of active.filter(({ account_id }) => tiers.get(account_id) !== 'enterprise'))
    await transact(db, (trx) => deactivate(trx, id, { state: 'stopped', reason: 'plan', now: clocks.limits() }));
}

const endpointsIn = (db: Kysely<Database>, state: EndpointState) =>
  db
    .selectFrom('webhook_endpoint')
    .select(['id', 'account_id', 'feed_id'])
    .where('state', '=', state)
    .where('removed_at', 'is', null)
    .execute();

/** An endpoint that was stopped goes on when its plan, its account and its saved query are back. */
async function resumeAllowed(db: Kysely<Database>, clocks: Clocks): Promise<void> {
  const stopped = await endpointsIn(db, 'stopped');
  const tiers = await loadAccountTiers(db, [...new Set(stopped.map(({ account_id }) => account_id))], clocks.directory());
  for (const { id, account_id, feed_id } of stopped) {
    if (tiers.get(account_id) !== 'enterprise') continue;
    const feeds = createFeeds({ db, now: clocks.directory });
    if (feed_id !== null && !(await feeds.find(account_id, feed_id))) continue;
    await transact(db, async (trx) => {
      if (await isStillStopped(trx, id)) await activate(trx, id, clocks.limits());
    });
  }
}

/** Another process, or its owner, may have been quicker: who is activated twice would miss the changes between. */
async function isStillStopped(trx: Transaction<Database>, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'stopped')
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Accounts with an active endpoint that asked for a type. */
async function listening(db: Kysely<Database>, type: string): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select('account_id')
    .distinct()
    .where('state', '=', 'active')
    .where(sql<boolean>`${type} = any(event_types)`)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

async function tellQuotas(db: Kysely<Database>, clocks: Clocks): Promise<void> {
  const accounts = await listening(db, 'quota.warning');
  if (accounts.length === 0) return;
  const now = clocks.limits();
  const day = new Date(now).toISOString().slice(0, 10);
  for (const { accountId, subscriptionId, tier, used, limit } of await loadQuotaUse(db, accounts, day)) {
    for (const percent of QUOTA_PERCENTS) {
      if (used < (limit * percent) / 100) continue;
      await transact(db, async (trx) => {
        if (!(await isFirst(trx, accountId, `quota ${subscriptionId} ${day} ${percent}`, now))) return;
        const data = { plan: tier, subscriptionId, percent, used, limit, day };
        await tell(trx, accountId, { type: 'quota.warning', data, now });
      });
    }
  }
}

async function tellExpiringKeys(db: Kysely<Database>, clocks: Clocks): Promise<void> {
  const accounts = await listening(db, 'key.expiring');
  if (accounts.length === 0) return;
  const now = clocks.directory();
  for (const { accountId, keyId, name, expiresAt } of await loadExpiringKeys(db, accounts, { from: now, to: now + DAY_MS })) {
    await transact(db, async (trx) => {
      if (!(await isFirst(trx, accountId, `key ${keyId}`, clocks.limits()))) return;
      const data = { keyId, name, expiresAt: expiresAt.toISOString() };
      await tell(trx, accountId, { type: 'key.expiring', data, now: clocks.limits() });
    });
  }
}

async function isFirst(trx: Transaction<Database>, accountId: string, notice: string, now: number): Promise<boolean> {
  const noted = await trx
    .insertInto('webhook_notice')
    .values({ account_id: accountId, notice, at: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('notice')
    .executeTakeFirst();
  return noted !== undefined;
}

/** Deliveries of endpoints that stopped a day ago, secrets that sign no more, attempts that no page shows. */
async function dropForgotten(db: Kysely<Database>, now: number): Promise<void> {
  // Its owner may activate an endpoint meanwhile: what has come for it since is not taken away.
  await sql`
    with dropped as (
      update webhook_delivery set state = 'dropped', finished_at = ${new Date(now)}
      where state in ('pending', 'sending') and endpoint_id in (
        select id from webhook_endpoint where removed_at is not null
          or (state in ('stopped', 'disabled') and state_at <= ${new Date(now - GRACE_MS)}))
      returning endpoint_id)
    update webhook_endpoint set pending = greatest(0, pending - sum.number), work_at = case when state = 'active' then work_at end
    from (select endpoint_id, count(*)::int as number from dropped group by endpoint_id) as sum
    where webhook_endpoint.id = sum.endpoint_id`.execute(db);
  await db
    .updateTable('webhook_endpoint')
    .set({ previous_secret: null, previous_signing_key: null, previous_until: null })
    .where('previous_until', '<=', new Date(now))
    .execute();
  await sql`
    delete from webhook_attempt using (
      select id, (select a.id from webhook_attempt a where a.endpoint_id = webhook_endpoint.id
        order by a.id desc offset ${MAX_ATTEMPTS_KEPT} limit 1) as upto from webhook_endpoint) as endpoint
    where webhook_attempt.endpoint_id = endpoint.id and webhook_attempt.id <= endpoint.upto`.execute(db);
}

const HOUR_MS = 3_600_000;
const DISABLED_AFTER_MS = 5 * DAY_MS;
/** What waits for an endpoint that was stopped or disabled is kept for so long. */
const GRACE_MS = DAY_MS;
const QUOTA_PERCENTS = [80, 100] as const;
