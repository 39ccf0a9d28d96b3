/** Many changes at once: more than one page of the change log. One engine is enough: pages are planned without the database. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Webhooks } from '../../src/webhooks/index.ts';
import { openWebhookRig, type WebhookRig } from '../support/rigs/webhooks.ts';
import { until } from '../support/runs/patience.ts';

let rig: WebhookRig;
let worker: Webhooks;
beforeAll(async () => {
  rig = await openWebhookRig();
  worker = await rig.work();
});
afterAll(() => rig.close());

let rounds = 0;
/** More than a page of changes of other events. */
const others = () => {
  rounds += 1;
  const title = `Round ${rounds}`;
  return rig.put(...Array.from({ length: 210 }, (_, index) => rig.event(50 + index, { category: 'comedy', title })));
};

it('an event that changes again and again in one burst enters a saved query once, and leaves it once', async () => {
  const [owner, receiver] = [await rig.customer(), await rig.receiver()];
  const feedId = await rig.feed(owner, 'category=concert');
  const { id } = await rig.add(owner, receiver, { feedId });
  const told = async () => {
    await rig.renewSnapshot();
    await worker.catchUp();
    await until(async () => {
      // What is held back for two seconds is due.
      rig.pass(3_000);
      worker.wake();
      expect((await rig.endpoints.find(owner.accountId, id))?.pending).toBe(0);
    });
    const messages = receiver.received.splice(0).filter(({ body }) => body.data.id === rig.rows.events[1]?.id);
    return messages.map(({ body }) => `${body.type} ${body.data.sequences}`).sort();
  };
  await rig.put(rig.event(1, { category: 'comedy' }));
  await others();
  await told();

  const entered = await rig.put(rig.event(1, { category: 'concert' }));
  await others();
  const changed = await rig.put(rig.event(1, { title: 'Once more' }));
  expect(await told()).toEqual([`event.updated ${entered}`, `event.updated ${changed}`, `feed.matched ${entered}`]);

  const left = await rig.put(rig.event(1, { category: 'comedy' }));
  await others();
  await rig.put(rig.event(1, { title: 'And once more' }));
  expect(await told()).toEqual([`event.removed ${left}`, `feed.unmatched ${left}`]);
});

it('an event that moves on two pages of a redelivery is told of once', async () => {
  const [owner, receiver] = [await rig.customer(), await rig.receiver()];
  const feedId = await rig.feed(owner, 'category=concert');
  const { id } = await rig.add(owner, receiver, { feedId, eventTypes: ['feed.matched'] });
  await rig.endpoints.pause(owner, id);
  const from = await rig.put(rig.event(2, { category: 'comedy' }));
  await rig.put(rig.event(2, { category: 'concert' }));
  await others();
  await rig.put(rig.event(2, { category: 'comedy' }));
  await rig.put(rig.event(2, { category: 'concert' }));
  await rig.renewSnapshot();
  await rig.endpoints.resume(owner, id);
  expect(await rig.redelivery.recover(owner, id, { by: 'sequence', from, to: null })).toEqual({ ok: true, messages: 1 });
});
