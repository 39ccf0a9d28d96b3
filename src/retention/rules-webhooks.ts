/** How long what webhooks leave is kept. A part of `RETENTION`. */

import { sql } from 'kysely';
import { deleteFiles } from './delete-files.ts';
import { deleteWhere } from './delete-old.ts';
import { daysBefore, type RetentionRule } from './model.ts';

export const WEBHOOK_RULES: readonly RetentionRule[] = [
  {
    name: 'webhook_endpoint',
    kept: 'until it is removed, and then for 30 days; at once when its account is closed',
    why: 'An endpoint that was removed by mistake can be looked up. A closed account leaves no addresses.',
    how: 'by removal, and by account; with its deliveries and attempts',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'webhook_endpoint', key: 'id', order: sql`id` },
        condition: sql`removed_at < ${daysBefore(batch.moments.limits, 30)}
          or account_id in (select id from account where status = 'closed')`,
      }),
  },
  {
    name: 'webhook_attempt',
    kept: 'the last 500 of each endpoint, for 90 days',
    why: 'The page of an endpoint shows this many.',
    how: 'by number every minute, by age here',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'webhook_attempt', key: 'id', order: sql`id` },
        condition: sql`at < ${daysBefore(batch.moments.limits, 90)}`,
      }),
  },
  {
    name: 'webhook_delivery',
    kept: '7 days after the delivery or the last attempt',
    why: 'A message can be sent again for a week. After that its range can be recovered.',
    how: 'by its end',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'webhook_delivery', key: 'id', order: sql`finished_at` },
        condition: sql`finished_at < ${daysBefore(batch.moments.limits, 7)}`,
      }),
  },
  {
    name: 'webhook_message',
    kept: '7 days, or as long as a delivery of it is kept',
    why: 'Every attempt sends the same bytes.',
    how: 'by age',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'webhook_message', key: 'id', order: sql`created_at` },
        condition: sql`created_at < ${daysBefore(batch.moments.limits, 7)}
          and not exists (select from webhook_delivery where message_id = webhook_message.id)`,
      }),
    oldest: { at: 'created_at' },
  },
  {
    name: 'webhook_day',
    kept: '7 days',
    why: 'The count of a day limits only that day.',
    how: 'by age',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'webhook_day', key: 'account_id, starts_at', order: sql`starts_at` },
        condition: sql`starts_at < ${daysBefore(batch.moments.limits, 7)}`,
      }),
  },
  {
    name: 'webhook_notice',
    kept: '30 days',
    why: 'Nobody gets the same notice twice. A past day and an expired key need no notice.',
    how: 'by age',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'webhook_notice', key: 'account_id, notice', order: sql`at` },
        condition: sql`at < ${daysBefore(batch.moments.limits, 30)}`,
      }),
  },
  {
    name: 'mcp_subscription',
    kept: 'until it ends or is not renewed in time; at once when its account is closed',
    why: 'A client keeps the list of its subscriptions itself.',
    how: 'by end, and by account',
    deleteSome: (batch) =>
      deleteWhere(batch, {
        ...{ table: 'mcp_subscription', key: 'id', order: sql`expires_at` },
        condition: sql`expires_at < ${daysBefore(batch.moments.limits, 0)}
          or account_id in (select id from account where status = 'closed')`,
      }),
  },
  {
    name: 'webhooks/',
    kept: '7 days after a process was killed; otherwise a moment',
    why: 'Another process reads there what was delivered. After a week its messages are deleted.',
    how: 'by the time of the file',
    deleteSome: (batch) => deleteFiles(batch, 'webhooks', 7),
  },
];
