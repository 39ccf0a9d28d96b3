/** An account that gets very many messages in a day. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { openMailer } from '../../src/mail/index.ts';
import { lookAfterWebhooks } from '../../src/webhooks/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { openWebhookRig, type WebhookRig } from '../support/rigs/webhooks.ts';
import { until } from '../support/runs/patience.ts';

let rig: WebhookRig;
beforeAll(async () => {
  rig = await openWebhookRig();
});
afterAll(() => rig.close());
const { folder, remove } = temporaryFolder();
afterAll(remove);

it('beyond a million messages in a day wait until midnight UTC, and the owner is told once', async () => {
  const worker = await rig.work();
  const log = createLog('silent');
  const mailer = openMailer({ smtpUrl: null, from: 'no-reply@example.org', dataDir: folder, log });
  const clocks = { directory: rig.now, limits: rig.now };
  const lookAfter = () => lookAfterWebhooks({ db: rig.opened.store.db, mailer, publicUrl: 'https://example.test', log, clocks });
  const [owner, other] = [await rig.customer(), await rig.customer()];
  const [receiver, witness] = [await rig.receiver(), await rig.receiver()];
  const { id } = await rig.add(owner, receiver, { eventTypes: ['event.updated'] });
  await rig.add(other, witness, { eventTypes: ['event.updated'] });
  // Noon: clocks of the test pass no midnight by themselves.
  rig.pass(DAY_MS - (rig.now() % DAY_MS) + DAY_MS / 2);
  const pending = async () => (await rig.endpoints.find(owner.accountId, id))?.pending;

  await rig.put(rig.event(1, { title: 'Before' }));
  await until(() => expect(receiver.received).toHaveLength(1));
  await until(async () => expect(await pending()).toBe(0));
  await rig.opened.store.db
    .updateTable('webhook_day')
    .set({ messages: 999_999 })
    .where('account_id', '=', owner.accountId)
    .execute();
  rig.pass(5_000);
  await rig.put(rig.event(2, { title: 'The last' }));
  await until(() => expect(receiver.received).toHaveLength(2));
  await until(async () => expect(await pending()).toBe(0));
  expect(await rig.endpoints.waitsUntil(owner.accountId)).toBeNull();
  await lookAfter();
  expect(mailer.recent()).toEqual([]);

  rig.pass(5_000);
  await rig.put(rig.event(3, { title: 'Too many' }));
  // The other account gets it.
  await until(() => expect(witness.received).toHaveLength(3));
  await worker.catchUp();
  await until(async () => expect(await pending()).toBe(1));
  const midnight = rig.now() - (rig.now() % DAY_MS) + DAY_MS;
  expect(await rig.endpoints.waitsUntil(owner.accountId)).toEqual(new Date(midnight));
  await lookAfter();
  await lookAfter();
  expect(mailer.recent().map(({ to, subject }) => [to, subject])).toEqual([
    [owner.email, 'Your webhooks are paused until midnight UTC'],
  ]);
  rig.pass(midnight - 60_000 - rig.now());
  worker.wake();
  await rig.put(rig.event(4, { title: 'Too many, too' }));
  await until(() => expect(witness.received).toHaveLength(4));
  expect(receiver.received).toHaveLength(2);

  rig.pass(120_000);
  worker.wake();
  await until(() =>
    expect(
      receiver.received
        .map(({ body }) => body.data.record.title)
        .slice(2)
        .sort(),
    ).toEqual(['Too many', 'Too many, too']),
  );
  expect(await rig.endpoints.waitsUntil(owner.accountId)).toBeNull();
});

it('counts changes of a record that become one message once', async () => {
  const worker = await rig.work();
  const [owner, receiver] = [await rig.customer(), await rig.receiver()];
  await rig.add(owner, receiver, { eventTypes: ['event.updated'] });
  for (const title of ['One', 'Two', 'Three', 'Four']) {
    await rig.put(rig.event(5, { title }));
    await worker.catchUp();
  }
  rig.pass(2_000);
  worker.wake();
  await until(() => expect(receiver.received).toHaveLength(2));
  const counted = rig.opened.store.db.selectFrom('webhook_day').select('messages').where('account_id', '=', owner.accountId);
  expect(await counted.execute()).toEqual([{ messages: 2 }]);
});

const DAY_MS = 86_400_000;
