/** What counts as one long failure of an endpoint. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { openMailer } from '../../src/mail/index.ts';
import { lookAfterWebhooks, type Webhooks } from '../../src/webhooks/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { answerWith } from '../support/network/receiver.ts';
import { openWebhookRig, type WebhookRig } from '../support/rigs/webhooks.ts';
import { until } from '../support/runs/patience.ts';

let rig: WebhookRig;
let worker: Webhooks;
beforeAll(async () => {
  rig = await openWebhookRig();
  worker = await rig.work();
});
afterAll(() => rig.close());
const { folder, remove } = temporaryFolder();
afterAll(remove);

it('ends with two days without an attempt: the next failure is the first of a new one', async () => {
  const log = createLog('silent');
  const mailer = openMailer({ smtpUrl: null, from: 'no-reply@example.org', dataDir: folder, log });
  const clocks = { directory: rig.now, limits: rig.now };
  const lookAfter = () => lookAfterWebhooks({ db: rig.opened.store.db, mailer, publicUrl: 'https://example.test', log, clocks });
  const [owner, receiver] = [await rig.customer(), await rig.receiver()];
  const { id } = await rig.add(owner, receiver, { eventTypes: ['event.updated'] });
  const endpoint = () => rig.endpoints.find(owner.accountId, id);
  const attempted = (count: number) =>
    until(async () => {
      worker.wake();
      expect(await rig.endpoints.attempts(owner.accountId, id)).toHaveLength(count);
    });
  receiver.answer = answerWith(500);
  await rig.put(rig.event(1, { title: 'Given up' }));
  await attempted(1);
  for (const [index, hours] of WAITS_HOURS.entries()) {
    rig.pass(hours * HOUR_MS);
    await attempted(index + 2);
    await lookAfter();
  }
  expect(await endpoint()).toMatchObject({ state: 'active', pending: 0, failures: 10 });
  expect(mailer.recent()).toHaveLength(2);

  await worker.close();
  rig.pass(5 * 24 * HOUR_MS);
  expect(await rig.redelivery.sendTest(owner, id, 'event.updated')).toEqual({ ok: true });
  await lookAfter();
  // It is not disabled before it was asked.
  expect(await endpoint()).toMatchObject({ state: 'active', pending: 1 });
  worker = await rig.work();
  await attempted(11);
  await lookAfter();
  expect(await endpoint()).toMatchObject({ state: 'active', failures: 1, openUntil: null, failingSince: new Date(rig.now()) });
  expect(mailer.recent()).toHaveLength(2);
  rig.pass(HOUR_MS + 1000);
  await attempted(12);
  await lookAfter();
  expect(mailer.recent().map(({ subject }) => subject)).toEqual([
    'A webhook endpoint has failed for an hour',
    'A webhook endpoint has failed for a day',
    'A webhook endpoint has failed for an hour',
  ]);
});

const HOUR_MS = 3_600_000;
/** A little longer than between the ten attempts of a message. */
const WAITS_HOURS = [0.01, 0.1, 0.6, 2.4, 6, 12, 17, 24, 28];
