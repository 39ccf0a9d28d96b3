import { afterAll, expect, it } from 'vitest';
import type { Outbound } from '../../src/outbound/index.ts';
import type { AttemptOutcome } from '../../src/webhooks/delivery/outcomes.ts';
import { createSendDue, type EndpointTurn } from '../../src/webhooks/delivery/send-due.ts';
import { createSeal } from '../../src/webhooks/index.ts';
import { createSecret } from '../../src/webhooks/sign.ts';
import { pretendDatabase } from '../support/database/pretended-database.ts';

const ENDPOINT_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const seal = createSeal('a secret of thirty-two characters');
const stray: unknown[] = [];
const noteStray = (reason: unknown) => void stray.push(reason);
process.on('unhandledRejection', noteStray);
afterAll(() => void process.off('unhandledRejection', noteStray));

it('ends a turn as one where the database goes away between its messages: nothing is left to fail by itself', async () => {
  const answer = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const written: AttemptOutcome[] = [];
  // The turn, and the first of its messages.
  let allowed = 2;
  const sendDue = createSendDue({
    db: pretendDatabase(async () => ['1', '2', '3', '4'].map(due)),
    outbound: {
      async fetch() {
        asked.resolve();
        await answer.promise;
        return { ok: true, status: 204, headers: {}, body: new Uint8Array() };
      },
    } as unknown as Outbound,
    seal,
    permission: {
      add: () => {},
      withdraw: () => {},
      async isAllowed() {
        allowed -= 1;
        if (allowed < 0) throw new Error('the database is away');
        return true;
      },
    },
    writer: { add: async (outcome) => void written.push(outcome), giveUp: () => {}, close: async () => {} },
    signal: new AbortController().signal,
    now: () => 0,
    random: () => 0,
    tracing: null,
  });
  const turn = sendDue(newTurn()).then(
    () => 'over',
    (error: Error) => `${error.message}, ${written.length} written`,
  );
  await asked.promise;
  await new Promise((resolve) => setImmediate(resolve));
  answer.resolve();
  // What was under way is known before the endpoint is given back, or it would be sent again.
  expect(await turn).toBe('the database is away, 1 written');
  expect(stray).toEqual([]);
});

function newTurn(): EndpointTurn {
  return {
    endpoint: {
      ...{
        id: ENDPOINT_ID,
        accountId: ENDPOINT_ID,
        url: 'https://hooks.example.com',
        isThin: false,
        isOrdered: false,
        revision: 1,
      },
      ...{ secret: seal.close(createSecret(), ENDPOINT_ID), signingKey: null },
      ...{ previousSecret: null, previousSigningKey: null, previousUntil: null },
      ...{ failures: 0, failingSince: null, concurrency: 4, openUntil: null, lastAttemptAt: null },
    },
    isFailing: false,
    underWay: new Set(),
    isOver: false,
  };
}

const due = (id: string) => ({
  ...{ id, endpointId: ENDPOINT_ID, messageId: ENDPOINT_ID, type: 'event.updated', attempts: 0 },
  ...{ head: '{"data":{', body: '' },
});
