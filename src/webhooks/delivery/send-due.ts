/** Sends what is due of one leased endpoint, for as long as it is its turn. */

import type { Clock } from '../../clock.ts';
import { type FinishedSpan, timeOf } from '../../telemetry/index.ts';
import { messageIdOf, payloadOf } from '../messages.ts';
import type { Signer } from '../sign.ts';
import { type AttemptResult, deliver } from './deliver.ts';
import { signerFor } from './endpoint-signer.ts';
import { createBatches, type DueDelivery, type LeasedEndpoint, takeDue, takeFirst } from './leases.ts';
import { judge, type OutcomeWriter } from './outcomes.ts';
import type { SendPermission } from './send-permission.ts';
import type { SenderOptions } from './sender.ts';

/** What this process does for one endpoint that it has leased. */
export interface EndpointTurn {
  endpoint: LeasedEndpoint;
  isFailing: boolean;
  /** When each request that is under way began, oldest first; milliseconds by the machine. */
  underWay: Set<{ since: number }>;
  isOver: boolean;
}

export interface SendDueOptions
  extends Pick<SenderOptions, 'db' | 'outbound' | 'seal'>,
    Required<Pick<SenderOptions, 'random' | 'tracing'>> {
  permission: SendPermission;
  writer: OutcomeWriter;
  /** Ends requests that are under way. */
  signal: AbortSignal;
  now: Clock;
}

/** Resolves when nothing is due, when the turn is over, or after an attempt that failed. */
export type SendDue = (turn: EndpointTurn) => Promise<void>;

export function createSendDue(options: SendDueOptions): SendDue {
  const { db, outbound, seal, permission, writer, signal, now, random, tracing } = options;

  const takeSome = createBatches(async (asked: readonly { id: string; limit: number }[]) => {
    const taken = await takeDue(db, asked, now());
    return asked.map(({ id }) => taken.get(id) ?? []);
  });

  const takeNext = ({ endpoint: { id, isOrdered }, isFailing }: EndpointTurn): Promise<DueDelivery[]> =>
    isOrdered ? takeFirst(db, id, now()) : takeSome({ id, limit: isFailing ? 1 : BATCH });

  const isAllowed = async ({ endpoint }: EndpointTurn): Promise<boolean> =>
    (await permission.isAllowed(endpoint)) && !signal.aborted;

  async function send(turn: EndpointTurn, signer: Signer, delivery: DueDelivery): Promise<void> {
    const { endpoint } = turn;
    const at = now();
    const request = { since: performance.now() };
    turn.underWay.add(request);
    const body = payloadOf(delivery, endpoint.isThin ? 'thin' : 'full');
    const result: AttemptResult = await deliver(outbound, {
      url: endpoint.url,
      webhookId: messageIdOf(delivery.messageId),
      body,
      signer,
      at: new Date(at),
      signal,
    });
    turn.underWay.delete(request);
    tracing?.record(toSpan(delivery, request.since, result));
    // Nobody refused it: it waits for the next process.
    if (result.outcome === 'stopped') return;
    const attempt = { deliveryId: delivery.id, messageId: delivery.messageId, type: delivery.type, at, result };
    const outcome = judge(endpoint, { ...attempt, number: delivery.attempts + 1 }, now(), random);
    if (result.outcome !== 'delivered') turn.isOver = true;
    if (outcome.isGone) permission.withdraw(endpoint.id);
    await writer.add(outcome);
  }

  /** As many at once as the endpoint has earned: each success doubles it. Rejects once all that began have ended. */
  async function sendAll(turn: EndpointTurn, signer: Signer, due: readonly DueDelivery[]): Promise<void> {
    const serving: Promise<void>[] = [];
    const errors: unknown[] = [];
    let next = 0;
    let busy = 0;
    const fill = () => {
      while (busy < turn.endpoint.concurrency && next < due.length && !turn.isOver) {
        busy += 1;
        serving.push(serve().catch(fail));
      }
    };
    function fail(error: unknown): void {
      errors.push(error);
      turn.isOver = true;
    }
    async function serve(): Promise<void> {
      while (!turn.isOver && next < due.length) {
        const delivery = due[next++];
        if (delivery && (await isAllowed(turn))) await send(turn, signer, delivery);
        else turn.isOver = true;
        fill();
      }
      busy -= 1;
    }
    fill();
    for (let i = 0; i < serving.length; i++) await serving[i];
    if (errors.length > 0) throw errors[0];
  }

  return async function sendDue(turn): Promise<void> {
    const signer = signerFor(turn.endpoint, seal, now());
    const begun = performance.now();
    while (!turn.isOver && performance.now() - begun < TURN_MS && (await isAllowed(turn))) {
      const due = await takeNext(turn);
      if (due.length === 0) break;
      await sendAll(turn, signer, due);
      if (turn.isFailing) break;
    }
  };
}

/** Neither the address nor what was sent is in it. */
function toSpan({ type, attempts }: DueDelivery, since: number, { outcome, status }: AttemptResult): FinishedSpan {
  return {
    name: 'webhook delivery',
    kind: 'client',
    startedAt: timeOf(since),
    endedAt: timeOf(performance.now()),
    attributes: {
      'marquee.webhook.type': type,
      'marquee.webhook.attempt': attempts + 1,
      'marquee.webhook.outcome': outcome,
      ...(status !== null && { 'http.response.status_code': status }),
    },
    isError: outcome !== 'delivered',
  };
}

/** Deliveries that are taken at once. */
const BATCH = 64;
/** After so long it is another endpoint's turn. */
const TURN_MS = 2_000;
