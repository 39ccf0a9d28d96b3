/** Many changes at once: more than one page of the change log. One engine is enough: pages are planned without the database. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Webhooks } from '../../src/webhooks/index.ts';
import { write } from '../search/directory-writer.ts';
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

/** The types that an endpoint with all concerts got. */
async function leaving(number: number, leave: () => Promise<unknown>): Promise<string[]> {
  const [owner, receiver] = [await rig.customer(), await rig.receiver()];
  const feedId = await rig.feed(owner, 'category=concert');
  await rig.put(rig.event(number, { category: 'concert' }));
  await rig.renewSnapshot();
  const { id } = await rig.add(owner, receiver, { feedId, eventTypes: ['event.removed', 'feed.unmatched'] });
  await worker.catchUp();
  await leave();
  await rig.renewSnapshot();
  await worker.catchUp();
  await until(async () => {
    rig.pass(3_000);
    worker.wake();
    expect((await rig.endpoints.find(owner.accountId, id))?.pending).toBe(0);
  });
  return receiver.received.map(({ body }) => body.type).sort();
}

it('an event that is changed and then removed at once is told of as removed', async () => {
  const told = await leaving(3, async () => {
    const { id } = rig.event(3, { title: 'Changed' });
    await rig.put(rig.event(3));
    await write(rig.opened.store, { removed: [id] }, rig.now());
  });
  expect(told).toEqual(['event.removed', 'feed.unmatched']);
});

it('an event that is changed and then leaves is told of by a worker that has just begun', async () => {
  const told = await leaving(4, async () => {
    await worker.close();
    await rig.put(rig.event(4, { title: 'Changed' }));
    await rig.put(rig.event(4, { category: 'comedy' }));
    await rig.renewSnapshot();
    worker = await rig.work();
  });
  expect(told).toEqual(['event.removed', 'feed.unmatched']);
});

it('no change is told of twice when the changes of one record are on three pages', async () => {
  const [owner, receiver] = [await rig.customer(), await rig.receiver()];
  const { id } = await rig.add(owner, receiver, { eventTypes: ['event.updated'] });
  await worker.close();
  const sequences: number[] = [];
  const change = async (title: string) => sequences.push(await rig.put(rig.event(5, { title })));
  await change('One');
  await others();
  await change('Two');
  await others();
  await change('Three');
  rig.pass(3_000);
  await change('Four');
  worker = await rig.work();
  await worker.catchUp();
  await until(async () => {
    rig.pass(3_000);
    worker.wake();
    expect((await rig.endpoints.find(owner.accountId, id))?.pending).toBe(0);
  });
  const messages = receiver.received.filter(({ body }) => body.data.id === rig.rows.events[5]?.id);
  const told = messages.flatMap(({ body }) => body.data.sequences as number[]);
  expect(told.sort((a, b) => a - b)).toEqual(sequences);
  const four = messages.find(({ body }) => body.data.sequence === sequences.at(-1));
  expect(four?.body.data.previous.title).toBe('Three');
});
