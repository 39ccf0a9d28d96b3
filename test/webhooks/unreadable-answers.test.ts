/** Answers whose body cannot be read. One engine is enough: what an answer means is decided before anything is stored. */

import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerWith } from '../support/network/receiver.ts';
import { openWebhookRig, type WebhookRig } from '../support/rigs/webhooks.ts';
import { until } from '../support/runs/patience.ts';

let rig: WebhookRig;
beforeAll(async () => {
  rig = await openWebhookRig();
  await rig.work();
});
afterAll(() => rig.close());

async function firstAttempt(answer: (response: ServerResponse) => void) {
  const [owner, receiver] = [await rig.customer(), await rig.receiver()];
  receiver.answer = answer;
  const { id } = await rig.add(owner, receiver, { eventTypes: ['event.updated'] });
  await rig.redelivery.sendTest(owner, id, 'event.updated');
  const attempt = await until(async () => {
    const [first] = await rig.endpoints.attempts(owner.accountId, id);
    expect(first).toBeDefined();
    return first;
  });
  const endpoint = await rig.endpoints.find(owner.accountId, id);
  await rig.endpoints.remove(owner, id);
  return { attempt, endpoint };
}

const zipped = gzipSync('thanks, '.repeat(20));
const breakOff = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('thanks', () => response.socket?.resetAndDestroy());
};

it.each<[string, (response: ServerResponse) => void, string, RegExp]>([
  ['a coding that is none', answerWith(200, { 'content-encoding': 'utf-8' }, 'thanks'), 'thanks', /was not requested/],
  ['a coding that was not requested', answerWith(200, { 'content-encoding': 'br' }, 'thanks'), 'thanks', /was not requested/],
  [
    'text that is called gzip',
    answerWith(200, { 'content-encoding': 'gzip' }, 'thanks'),
    '',
    /not what its Content-Encoding says/,
  ],
  [
    'gzip that breaks in the middle',
    (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(breakBytes(zipped)),
    '',
    /not what its Content-Encoding says/,
  ],
  ['a body that breaks off', breakOff, 'thanks', /closed the connection/],
])('a 2xx status is a success with %s, and the attempt says what could not be read', async (_kind, answer, kept, why) => {
  const { attempt, endpoint } = await firstAttempt(answer);
  expect(attempt).toMatchObject({ outcome: 'delivered', status: 200, detail: expect.stringMatching(why) });
  expect(attempt?.answer).toBe(kept);
  expect(endpoint).toMatchObject({ failures: 0, pending: 0 });
});

it('status 410 disables, and Retry-After is respected, whatever the body', async () => {
  const gone = await firstAttempt(answerWith(410, { 'content-encoding': 'br' }, 'gone'));
  expect(gone.attempt).toMatchObject({ outcome: 'status', status: 410, answer: 'gone' });
  expect(gone.endpoint).toMatchObject({ state: 'disabled', reason: 'gone' });
  const busy = await firstAttempt(answerWith(503, { 'content-encoding': 'br', 'retry-after': '600' }, 'busy'));
  expect(busy.attempt).toMatchObject({ outcome: 'status', status: 503, answerHeaders: { 'retry-after': '600' } });
  expect(busy.endpoint?.openUntil).toEqual(new Date(rig.now() + 600_000));
});

function breakBytes(bytes: Buffer): Buffer {
  const broken = Buffer.from(bytes);
  return broken.fill(0xff, 10);
}
