import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAttempts, readSecret } from '../../src/accounts/index.ts';
import { openOutbound } from '../../src/outbound/index.ts';
import { createEndpoints, createSeal, WEBHOOK_LIMITS } from '../../src/webhooks/index.ts';
import { openReceiver, type Receiver } from '../support/network/receiver.ts';
import { type ExportRig, openExportRig } from '../support/rigs/exports.ts';
import { until } from '../support/runs/patience.ts';

let receiver: Receiver;
let rig: ExportRig;
beforeAll(async () => {
  receiver = await openReceiver();
  rig = await openExportRig({ settings: { MARQUEE_ALLOWED_HOSTS: receiver.host } });
});
afterAll(async () => {
  await rig.site.close();
  await receiver.close();
});

it('an export that is ready is told to the endpoints of its account, once', async () => {
  const { site } = rig;
  const owner = await rig.createCustomer('ready@example.org', 'enterprise');
  const outbound = openOutbound({ allowedHosts: [receiver.host], limits: WEBHOOK_LIMITS });
  const endpoints = createEndpoints({
    db: site.store.db,
    outbound,
    attempts: createAttempts(site.limitsNow),
    publicUrl: site.url,
    seal: createSeal(readSecret(site.dataDir, null)),
    clocks: { directory: site.now, limits: site.limitsNow },
  });
  const created = await endpoints.create(owner, {
    url: receiver.url,
    description: '',
    eventTypes: ['export.ready'],
    feedId: null,
    payload: 'full',
    order: 'parallel',
    publicKey: false,
  });
  if (!created.ok) throw new Error(created.detail);
  expect(await endpoints.prove(owner, created.id)).toEqual({ ok: true });
  const { id, rows } = await rig.ready(owner, await rig.request(owner));
  await until(() => expect(receiver.received.map(({ body }) => body.type)).toEqual(['export.ready']));
  expect(receiver.received[0]?.body.data).toMatchObject({ exportId: id, rows });
  await outbound.close();
});
