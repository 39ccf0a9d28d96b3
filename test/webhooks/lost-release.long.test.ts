/** A lease that could not be given back. One engine is enough: leases are the same rows on both. */

import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWebhookRig, type WebhookRig } from '../support/rigs/webhooks.ts';
import { until } from '../support/runs/patience.ts';

let rig: WebhookRig;
beforeAll(async () => {
  rig = await openWebhookRig();
});
afterAll(() => rig.close());

it('runs out, however busy the worker is with other endpoints', async () => {
  const { db } = rig.opened.store;
  let failed = 0;
  const failing: KyselyPlugin = {
    transformQuery({ node }) {
      if (!JSON.stringify(node).includes('set lease_owner = null') || failed > 0) return node;
      failed += 1;
      throw new Error('the database went away');
    },
    transformResult: async ({ result }) => result,
  };
  await rig.work(db.withPlugin(failing));
  const [owner, hanging, receiver] = [await rig.customer(), await rig.receiver(), await rig.receiver()];
  hanging.answer = () => {};
  const busy = await rig.add(owner, hanging, { eventTypes: ['event.updated'] });
  const { id } = await rig.add(owner, receiver, { eventTypes: ['venue.created'] });
  await rig.put(rig.event(1, { title: 'Under way' }));
  await until(() => expect(hanging.received).toHaveLength(1));
  await rig.redelivery.sendTest(owner, id, 'venue.created');
  await until(() => expect(failed).toBe(1));
  const leaseOf = async (endpointId: string) =>
    (await db.selectFrom('webhook_endpoint').select('lease_until').where('id', '=', endpointId).executeTakeFirstOrThrow())
      .lease_until;
  const [before, lost] = [await leaseOf(busy.id), await leaseOf(id)];
  rig.pass(1_000);
  await until(async () => expect(await leaseOf(busy.id)).not.toEqual(before));
  expect(await leaseOf(id)).toEqual(lost);
});
