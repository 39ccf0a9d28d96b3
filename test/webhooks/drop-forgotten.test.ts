/** Messages that are dropped after a day. PostgreSQL is enough: the embedded engine does one thing at a time. */

import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { openMailer } from '../../src/mail/index.ts';
import { lookAfterWebhooks } from '../../src/webhooks/index.ts';
import { ENGINES, openTestStore, temporaryFolder } from '../support/database/store.ts';
import { openWebhookRig } from '../support/rigs/webhooks.ts';
import { until } from '../support/runs/patience.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

it.skipIf(!ENGINES.includes('postgres'))('leave alone what came since the owner activated the endpoint', async () => {
  const rig = await openWebhookRig({ opened: await openTestStore('postgres') });
  const { db } = rig.opened.store;
  const { clocks, log } = rig.parts;
  const mailer = openMailer({ smtpUrl: null, from: 'no-reply@example.org', dataDir: folder, log: createLog('silent') });
  const [owner, receiver] = [await rig.customer(), await rig.receiver()];
  const { id } = await rig.add(owner, receiver);
  await rig.redelivery.sendTest(owner, id, 'venue.created');
  await db
    .updateTable('webhook_endpoint')
    .set({ state: 'disabled', state_at: new Date(rig.now()) })
    .execute();
  rig.pass(24 * 3_600_000);

  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = db.transaction().execute(async (trx) => {
    await trx.selectFrom('webhook_delivery').select('id').forUpdate().execute();
    held.resolve();
    await released.promise;
  });
  await held.promise;
  const looking = lookAfterWebhooks({ db, mailer, publicUrl: 'https://example.test', clocks, log });
  await until(async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    expect(rows).toHaveLength(1);
  });
  // It has found the endpoint disabled, and waits.
  expect(await rig.endpoints.resume(owner, id)).toEqual({ ok: true });
  await rig.redelivery.sendTest(owner, id, 'event.updated');
  released.resolve();
  await Promise.all([holding, looking]);
  expect(await rig.endpoints.find(owner.accountId, id)).toMatchObject({ state: 'active', pending: 1 });
  await rig.work();
  await until(() => expect(receiver.received.map(({ body }) => body.type)).toEqual(['event.updated']));
  await rig.close();
});
