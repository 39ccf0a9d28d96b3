/** Several workers send for the same endpoints. Both engines: workers take the same rows at once. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { accept } from '../support/network/receiver.ts';
import { openWebhookRig, type WebhookRig } from '../support/rigs/webhooks.ts';
import { until } from '../support/runs/patience.ts';

let rig: WebhookRig;
beforeAll(async () => {
  rig = await openWebhookRig();
  await rig.work();
  await rig.work();
});
afterAll(() => rig.close());

it('an endpoint with fifo that is paused and activated while it answers gets one request at a time', async () => {
  const [owner, receiver, witness] = [await rig.customer(), await rig.receiver(), await rig.receiver()];
  const { id } = await rig.add(owner, receiver, { order: 'fifo', eventTypes: ['event.updated'] });
  await rig.add(owner, witness, { eventTypes: ['event.updated'] });
  const released = Promise.withResolvers<void>();
  receiver.answer = (response) => void released.promise.then(() => accept(response));
  const sequences = [await rig.put(rig.event(1, { title: 'One' }))];
  await until(() => expect(receiver.received).toHaveLength(1));
  await rig.endpoints.pause(owner, id);
  await rig.endpoints.resume(owner, id);
  // Both workers have looked for work since.
  for (const number of [2, 3, 4]) {
    sequences.push(await rig.put(rig.event(number, { title: 'Later' })));
    await until(() => expect(witness.received).toHaveLength(number));
  }
  released.resolve();
  await until(async () => expect((await rig.endpoints.find(owner.accountId, id))?.pending).toBe(0));
  expect(receiver.received.map(({ body }) => body.data.sequence)).toEqual(sequences);
  expect(receiver.mostAtOnce).toBe(1);
});
