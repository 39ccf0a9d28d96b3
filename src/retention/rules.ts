/** How long what is kept. docs/retention.md has the same two tables; a test compares both ways, and with the tables of the database. */

import { sql } from 'kysely';
import { deleteFiles } from './delete-files.ts';
import { compactChanges, deleteRecords, deleteRunRecords, deleteRuns, deleteWhere, dropAccessChanges } from './delete-old.ts';
import { type Batch, type DeletionStep, dayOf, daysBefore, HOUR_MS, type RetentionRule } from './model.ts';
import { WEBHOOK_RULES } from './rules-webhooks.ts';
import { thinScoreHistory, thinSignals } from './thin-history.ts';

/** In the order in which they are applied. */
export const RETENTION: readonly RetentionRule[] = [
  {
    name: 'change',
    kept: 'every change for 90 days; then, forever, the last change of each record and the last one that is more than a score',
    why: 'A mirror that was offline for 90 days catches up change by change. After a longer time it still gets every record.',
    how: 'by number, continuing where the last run ended',
    deleteSome: (batch) => compactChanges(batch, 90),
    oldest: { at: 'at', by: 'seq' },
  },
  {
    name: 'access_change',
    kept: '30 days',
    why: 'A process that was offline for longer loads all keys again.',
    how: 'by number, oldest first',
    deleteSome: (batch) => dropAccessChanges(batch, 30),
    oldest: { at: 'at', by: 'seq' },
  },
  {
    name: 'score_history',
    kept: '40 days, and the last day before them',
    why: 'Trends compare with the last 35 days. The last day before them is the state at their start.',
    how: 'event by event, once a day',
    deleteSome: thinScoreHistory,
  },
  {
    name: 'signal',
    kept: 'every signal of the 10 days before the last scoring; then up to three a day for 40 days; the last one for 400 days after the event',
    why: 'Scores look back 7 days, and trends take the middle reading of each of 35 days. Daily ticket counts stay until 60 days after the event.',
    how: 'event by event, once a day',
    deleteSome: thinSignals,
  },
  {
    name: 'run_record',
    kept: '90 days, and those of the last run of each source',
    why: 'An older run cannot be undone: its listings have changed since.',
    how: 'by the start of the run, before the run itself',
    deleteSome: (batch) => deleteRunRecords(batch, 90),
  },
  {
    name: 'run',
    kept: '90 days, and the last run of each source; at most 50 of each source',
    why: 'Operators look for the cause of a change within a season.',
    how: 'by start; runs above 50 are deleted when a run ends',
    deleteSome: (batch) => deleteRuns(batch, 90),
    oldest: { at: 'started_at' },
  },
  {
    name: 'record',
    kept: '400 days after the event; listings of bundles and of decisions forever',
    why: 'A run rejects events that were over a year ago, so no source can bring them back under another id.',
    how: 'by service day; the event stays, and its open review candidates are deleted',
    deleteSome: (batch) => deleteRecords(batch, 400),
    oldest: { at: 'night' },
  },
  {
    name: 'audit',
    kept: '2 years',
    why: 'A yearly review can look at the whole year before. Longer would keep personal data without need.',
    how: 'by age',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'audit', key: 'id', order: sql`at, id` },
        condition: sql`at < ${daysBefore(batch.moments.directory, 730)}`,
      }),
    oldest: { at: 'at' },
  },
  {
    name: 'usage_day',
    kept: '400 days',
    why: 'The exact count of each day that was billed: a year, and a month to dispute it.',
    how: 'by day',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'usage_day', key: 'subscription_id, day', order: sql`day` },
        condition: sql`day <= ${dayOf(daysBefore(batch.moments.limits, 400))}::date`,
      }),
    oldest: { at: 'day' },
  },
  {
    name: 'usage_detail',
    kept: '90 days',
    why: 'The usage page and its CSV show this many days.',
    how: 'by day',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'usage_detail', key: 'key_id, day, endpoint, status', order: sql`day` },
        condition: sql`day <= ${dayOf(daysBefore(batch.moments.limits, DETAIL_DAYS))}::date`,
      }),
    oldest: { at: 'day' },
  },
  {
    name: 'usage_summary',
    kept: 'sums of days for 90 days, sums of hours for 72 hours',
    why: 'The usage page and `GET /usage` show 90 days and 48 hours.',
    how: 'by age',
    async deleteSome(batch) {
      const table = { table: 'usage_summary', key: 'account_id, at, kind, label', order: sql`at` };
      const hours = sql`kind = 'hour' and at < ${hoursBefore(batch.moments.limits, HOURS_KEPT)}`;
      const day = dayOf(daysBefore(batch.moments.limits, DETAIL_DAYS));
      const first = await deleteWhere(batch, { ...table, condition: hours });
      const then = await deleteWhere(batch, { ...table, condition: sql`at <= ${day}::date::timestamp at time zone 'UTC'` });
      return { deleted: first.deleted + then.deleted, done: first.done && then.done };
    },
    oldest: { at: 'at' },
  },
  {
    name: 'usage_key_hour',
    kept: '72 hours',
    why: 'The usage page shows 48 hours.',
    how: 'by hour',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'usage_key_hour', key: 'key_id, hour', order: sql`hour` },
        condition: sql`hour < ${hoursBefore(batch.moments.limits, HOURS_KEPT)}`,
      }),
    oldest: { at: 'hour' },
  },
  {
    name: 'usage_writer',
    kept: '7 days',
    why: 'A process that has not written for so long has ended and sends no batch again.',
    how: 'by age; one row for each process',
    deleteSome: (batch) =>
      deleteWhere(batch, { table: 'usage_writer', key: 'id', order: sql`at`, condition: sql`at < now() - interval '7 days'` }),
  },
  {
    name: 'request_minute',
    kept: '1 hour',
    why: 'The next process needs only the last minute.',
    how: 'by age',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'request_minute', key: 'subscription_id, writer', order: sql`written_at` },
        condition: sql`written_at < now() - interval '1 hour'`,
      }),
  },
  {
    name: 'serving_process',
    kept: '1 day; the row of a process that ends in order is deleted then',
    why: 'A process without a sign of life for 15 seconds is not counted any more. The rest of the day helps operators after a crash.',
    how: 'by the last sign of life; one row for each process',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'serving_process', key: 'id', order: sql`seen_at` },
        condition: sql`seen_at < now() - interval '1 day'`,
      }),
  },
  {
    name: 'service_minute',
    kept: '100 days',
    why: 'The status page shows 90 days.',
    how: 'by minute; one row for each minute and process',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'service_minute', key: 'minute, writer', order: sql`minute` },
        condition: sql`minute < ${daysBefore(batch.moments.limits, 100)}`,
      }),
    oldest: { at: 'minute' },
  },
  {
    name: 'session',
    kept: 'until it expires',
    why: 'Nobody can use an expired session.',
    how: 'by expiry',
    deleteSome: (batch) => deleteExpired(batch, 'session', 'id', 0),
  },
  {
    name: 'verification',
    kept: 'until it expires',
    why: 'An expired link or code no longer works.',
    how: 'by expiry',
    deleteSome: (batch) => deleteExpired(batch, 'verification', 'id', 0),
  },
  {
    name: 'geocoder_answer',
    kept: 'until a year after it expires',
    why: 'An expired answer counts until the service answers again. Within a year, addresses in use are asked again.',
    how: 'by expiry',
    deleteSome: (batch) => deleteExpired(batch, 'geocoder_answer', 'service, question', 365),
  },
  {
    name: 'account',
    kept: 'forever; an unconfirmed sign-up for 7 days',
    why: 'Sign-ups with foreign addresses must not fill the database.',
    how: 'by creation; only where the account has no plan',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'account', key: 'id', order: sql`created_at` },
        condition: sql`not email_verified and status = 'active' and created_at < ${daysBefore(batch.moments.directory, 7)}
          and not exists (select from subscription where subscription.account_id = account.id)`,
      }),
  },
  {
    name: 'trial_network',
    kept: 'today and yesterday',
    why: 'The number of trials of a network is counted by day.',
    how: 'by day',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'trial_network', key: 'network, day', order: sql`day` },
        condition: sql`day < ${dayOf(daysBefore(batch.moments.directory, 1))}::date`,
      }),
  },
  {
    name: 'letter',
    kept: '30 days',
    why: 'A trial lasts 7 days, and no email about it is sent later than 2 days after its end.',
    how: 'by age; at most three rows for each trial',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'letter', key: 'account_id, kind', order: sql`sent_at` },
        condition: sql`sent_at < ${daysBefore(batch.moments.directory, 30)}`,
      }),
  },
  {
    name: 'stripe_event',
    kept: '60 days',
    why: 'Stripe repeats a message for three days, and a person at Stripe can repeat it for thirty.',
    how: 'by age',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'stripe_event', key: 'id', order: sql`at` },
        condition: sql`at < ${daysBefore(batch.moments.directory, 60)}`,
      }),
    oldest: { at: 'at' },
  },
  {
    name: 'feed',
    kept: 'until it is removed, and then for 30 days; at once when its account is closed',
    why: 'A feed that was removed by mistake can be looked up. A closed account leaves no names and no queries.',
    how: 'by removal, and by account',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'feed', key: 'id', order: sql`id` },
        condition: sql`removed_at < ${daysBefore(batch.moments.directory, 30)}
          or account_id in (select id from account where status = 'closed')`,
      }),
  },
  {
    name: 'feed_token',
    kept: 'until it is revoked, and then for 400 days',
    why: 'Programs that still read a revoked URL get 410 for over a year.',
    how: 'by revocation; the token itself was never stored',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'feed_token', key: 'digest', order: sql`revoked_at` },
        condition: sql`(revoked_at is not null or feed_id is null)
          and coalesce(revoked_at, created_at) < ${daysBefore(batch.moments.directory, 400)}`,
      }),
  },
  {
    name: 'embed',
    kept: 'until it is removed; at once when its account is closed',
    why: 'Its id stands in pages of other sites as long as they like.',
    how: 'by account',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'embed', key: 'id', order: sql`id` },
        condition: sql`account_id in (select id from account where status = 'closed')`,
      }),
  },
  {
    name: 'export_request',
    kept: 'until it is removed, and then for 400 days; until its files are gone when its account is closed',
    why: 'Programs that still read a link of it get 410 for over a year.',
    how: 'by removal, and by account; with its exports and links',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'export_request', key: 'id', order: sql`id` },
        // Files are found by the rows of their exports.
        condition: sql`removed_at < ${daysBefore(batch.moments.directory, 400)}
          or account_id in (select id from account where status = 'closed')
            and not exists (select from export where export.request_id = export_request.id
              and (state in ('running', 'ready') or expires_at > ${daysBefore(batch.moments.directory, 1)}))`,
      }),
  },
  {
    name: 'export',
    kept: 'files for 7 days, the row for 400 days',
    why: 'The URL of an expired export returns 410 for a year.',
    how: 'files by a separate job; rows of finished exports by age',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'export', key: 'id', order: sql`queued_at` },
        condition: sql`queued_at < ${daysBefore(batch.moments.directory, 400)} and state in ('failed', 'cancelled', 'expired')`,
      }),
    oldest: { at: 'queued_at' },
  },
  {
    name: 'export_link',
    kept: 'until it is revoked, and then for 400 days',
    why: 'Programs that still read a revoked link get 410 for over a year.',
    how: 'by revocation; the token itself was never stored',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'export_link', key: 'digest', order: sql`revoked_at` },
        condition: sql`revoked_at < ${daysBefore(batch.moments.directory, 400)}`,
      }),
  },
  {
    name: 'problem_reporter',
    kept: '180 days; an email address until its email is sent',
    why: 'Operators answer within this time. What readers wrote may be personal.',
    how: 'by age',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'problem_reporter', key: 'id', order: sql`at` },
        condition: sql`at < ${daysBefore(batch.moments.directory, 180)}`,
      }),
    oldest: { at: 'at' },
  },
  {
    name: 'problem_report',
    kept: '400 days after the last report',
    why: 'Operators compare a season with that of the year before.',
    how: 'by the last report',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'problem_report', key: 'id', order: sql`last_at` },
        condition: sql`last_at < ${daysBefore(batch.moments.directory, 400)}`,
      }),
  },
  {
    name: 'scheduled_backup',
    kept: '90 days; complete ones until their file is deleted',
    why: 'Operators look for the cause of a failed backup. Only files that are listed here are deleted.',
    how: 'by start',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'scheduled_backup', key: 'id', order: sql`started_at` },
        condition: sql`started_at < ${daysBefore(batch.moments.limits, 90)} and state not in ('running', 'complete')`,
      }),
  },
  ...WEBHOOK_RULES,
  {
    name: 'mail/',
    kept: '30 days',
    why: 'Without a mail server, emails become files. No link in them works for longer than a day.',
    how: 'by the time of the file',
    deleteSome: (batch) => deleteFiles(batch, 'mail', 30),
  },
];

/** All other tables, and why nothing is deleted for its age. */
export const KEPT_FOREVER: Readonly<Record<string, string>> = {
  city: 'one row',
  neighborhood: 'as many as the city has',
  venue: 'an id works forever, even if the venue is gone',
  event: 'an id works forever: `GET /events/{id}` finds past events and returns 410 for removed events',
  old_slug: 'an old link leads to its event or venue forever',
  source: 'until it is removed',
  address_file: 'until it is removed',
  address_street: 'deleted with its file',
  address_name: 'deleted with its file',
  geocoder_turn: 'one row for each geocoder',
  provider_clock: 'one row for each provider',
  reading: 'one row for each source',
  lease: 'one row for the directory and one for each source',
  question: 'deleted with its listings',
  co_listing: 'deleted with the listings of its venues; one row for each pair of venues and night',
  decision: 'all later runs apply it',
  place_answer: 'all later runs apply it',
  correction: 'all later runs apply it; the desk shows those that were undone',
  list_head: 'one row for each list',
  change_log: 'one row',
  secret_digest: 'one row',
  webhook_follower: 'two rows',
  clean_up: 'one row for each table that is cleaned in parts',
  subscription: 'deleted with its account; a mailbox has only one trial',
  api_key: 'deleted with its account; a revoked key keeps its reason',
  credential: 'deleted with its account',
  two_factor: 'deleted with its account',
  passkey: 'deleted with its account',
  usage_hour: 'finished hours become days within ten minutes',
  plan_request: 'few, and a record of what was agreed',
  incident: 'few, and written for the public',
  incident_update: 'few, and written for the public',
  stripe_customer: 'deleted with its account, once Stripe has removed the customer',
  stripe_checkout: 'few, and a record of what was agreed',
  stripe_subscription: 'few, and a record of what was agreed',
};

/** @param days as long as a row is kept after it has expired. */
const deleteExpired = (all: Batch, table: string, key: string, days: number): Promise<DeletionStep> =>
  deleteWhere(all, { table, key, order: sql`expires_at`, condition: sql`expires_at < ${daysBefore(all.moments.machine, days)}` });
const hoursBefore = (moment: number, hours: number): Date => new Date((Math.floor(moment / HOUR_MS) - hours) * HOUR_MS);
/** As many as `GET /usage` tells of. */
const DETAIL_DAYS = 90;
/** More than the 48 that are shown, so that none is missing while this runs late. */
const HOURS_KEPT = 72;
