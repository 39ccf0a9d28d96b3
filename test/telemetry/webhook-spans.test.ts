// One engine is enough: the span is made of what was sent, not of the database.
import { afterEach, expect, it } from 'vitest';
import type { FinishedSpan } from '../../src/telemetry/index.ts';
import { answerWith } from '../support/network/receiver.ts';
import { openWebhookRig, type WebhookRig } from '../support/rigs/webhooks.ts';
import { until } from '../support/runs/patience.ts';

let rig: WebhookRig | undefined;
afterEach(() => rig?.close());

it('an attempt to deliver a webhook is a span with its outcome, without the address and the message', async () => {
  rig = await openWebhookRig();
  const spans: FinishedSpan[] = [];
  const receiver = await rig.receiver();
  await rig.add(await rig.customer(), receiver);
  const webhooks = await rig.work(undefined, { record: (span) => void spans.push(span) });
  await rig.put(rig.event(1, { title: 'Told to one customer' }));
  await until(() => expect(spans).toHaveLength(1));
  receiver.answer = answerWith(503);
  await rig.put(rig.event(2, { title: 'Told to nobody yet' }));
  await until(() => expect(spans).toHaveLength(2));
  await webhooks.close();

  const [delivered, failed] = spans;
  const common = { name: 'webhook delivery', kind: 'client', startedAt: expect.any(Number), endedAt: expect.any(Number) };
  const attributes = { 'marquee.webhook.type': 'event.updated', 'marquee.webhook.attempt': 1 };
  expect(delivered).toEqual({
    ...common,
    attributes: { ...attributes, 'marquee.webhook.outcome': 'delivered', 'http.response.status_code': 204 },
    isError: false,
  });
  expect(failed).toEqual({
    ...common,
    attributes: { ...attributes, 'marquee.webhook.outcome': 'status', 'http.response.status_code': 503 },
    isError: true,
  });
});
