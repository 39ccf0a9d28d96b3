/** Ten receivers of webhooks, some of them slow, failing, or dead for a while, and what each of them got. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { EndpointInput } from '../../src/webhooks/index.ts';
import { accept, openReceiver, type Received, type Receiver } from '../support/network/receiver.ts';

export interface WebhookReceiver {
  name: string;
  input: Partial<EndpointInput>;
  /** Whether the endpoint has a saved query, which all events pass. */
  hasFeed: boolean;
  receiver: Receiver;
  /** Of messages that were taken: answered with 2xx while the sender was there. */
  sequences: Set<number>;
  /** How often each message was taken, by `webhook-id`. */
  taken: Map<string, number>;
  /** Requests whose sender was gone before the answer. */
  brokenOff: number;
  /** Messages that came after a later one: 0 unless an ordered endpoint failed. */
  outOfOrder: number;
}

interface Behavior {
  name: string;
  input?: Partial<EndpointInput>;
  hasFeed?: boolean;
  /** Milliseconds until the answer, at most. */
  slowMs?: number;
  /** One of so many messages is answered with 500 the first time. */
  failsOneOf?: number;
  /** Connections are reset while `isDown`. */
  dies?: boolean;
}

const BEHAVIORS: readonly Behavior[] = [
  { name: 'parallel' },
  { name: 'thin', input: { payload: 'thin', publicKey: true } },
  { name: 'fifo', input: { order: 'fifo' } },
  { name: 'saved query', hasFeed: true },
  { name: 'slow', slowMs: 200 },
  { name: 'slow fifo', slowMs: 20, input: { order: 'fifo' } },
  { name: 'failing', failsOneOf: 50 },
  { name: 'failing fifo', failsOneOf: 1_000, input: { order: 'fifo' } },
  { name: 'dead and revived', dies: true },
  { name: 'dead and revived fifo', dies: true, input: { order: 'fifo' } },
];

/** `isDown` says whether those that die are dead now. */
export async function openWebhookReceivers(isDown: () => boolean): Promise<WebhookReceiver[]> {
  return Promise.all(
    BEHAVIORS.map(async (behavior) => {
      const { name, input = {}, hasFeed = false } = behavior;
      const receiver = await openReceiver();
      const got: WebhookReceiver = {
        name,
        input,
        hasFeed,
        receiver,
        sequences: new Set<number>(),
        taken: new Map<string, number>(),
        brokenOff: 0,
        outOfOrder: 0,
      };
      receiver.answer = answerAs(behavior, got, isDown);
      return got;
    }),
  );
}

function answerAs(behavior: Behavior, got: WebhookReceiver, isDown: () => boolean): Receiver['answer'] {
  const { slowMs = 0, failsOneOf = 0, dies = false } = behavior;
  const failed = new Set<string>();
  let last = 0;
  let arrived = 0;
  return (response, { headers, body }, request) => {
    // Tens of thousands of payloads would take all of the memory.
    got.receiver.received.length = 0;
    if (dies && isDown()) return void request.socket.destroy();
    const id = headers['webhook-id'] ?? '';
    arrived += 1;
    if (failsOneOf > 0 && arrived % failsOneOf === 0 && !failed.has(id)) {
      failed.add(id);
      return void response.writeHead(500).end();
    }
    if (body.data.sequence < last) got.outOfOrder += 1;
    last = Math.max(last, body.data.sequence);
    const take = () => takeMessage(got, { response, request, id, sequences: body.data.sequences });
    // What the end of the sender's connection has to say is heard before the answer.
    if (slowMs > 0) void pause(Math.random() * slowMs).then(() => setImmediate(take));
    else take();
  };
}

interface Taken {
  response: ServerResponse;
  request: IncomingMessage;
  id: string;
  sequences: Received['body'];
}

/** A sender that died meanwhile learns nothing: the message is not taken, and must come again. */
function takeMessage(got: WebhookReceiver, { response, request, id, sequences }: Taken): void {
  if (request.socket.destroyed || !request.socket.readable) {
    got.brokenOff += 1;
    return;
  }
  accept(response);
  got.taken.set(id, (got.taken.get(id) ?? 0) + 1);
  for (const sequence of sequences as number[]) got.sequences.add(sequence);
}
