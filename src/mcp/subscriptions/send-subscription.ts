/**
 * Tells one subscription what waits for it, in the order of the log. One occurrence is under way at a time, so the cursor in a body is
 * its own position: everything before it was acknowledged or given up.
 */

import type { Kysely } from 'kysely';
import { loadAccountTier } from '../../accounts/index.ts';
import { type Cursor, formatCursor, parseCursor } from '../../api/index.ts';
import type { Clocks } from '../../clock.ts';
import type { Outbound } from '../../outbound/index.ts';
import type { Database } from '../../store/index.ts';
import { type AttemptResult, createSigner, type Seal, type Signer } from '../../webhooks/index.ts';
import { EVENT_KINDS } from '../events/event-kinds.ts';
import type { EventSource } from '../events/event-source.ts';
import { MCP_ERRORS } from '../protocol/errors.ts';
import { newControlId, postEnvelope, reasonOf } from './post-envelope.ts';
import { deleteSubscription, type EventSubscription, type SubscriptionProgress, writeProgress } from './subscription-rows.ts';

export interface SendOptions {
  db: Kysely<Database>;
  outbound: Outbound;
  seal: Seal;
  clocks: Clocks;
  /** Of the leases. */
  owner: string;
  leaseMs: number;
  /** 0 to 1. */
  random: () => number;
  /** Ends requests that are under way. */
  signal: AbortSignal;
}

/** A body that is to be told, and the position behind it. */
interface Told {
  messageId: string;
  body: string;
  behind: Cursor;
}

export type SendSubscription = (subscription: EventSubscription, source: EventSource) => Promise<void>;

export function createSendSubscription(options: SendOptions): SendSubscription {
  const { db, outbound, seal, clocks, owner, leaseMs, random, signal } = options;
  const now = clocks.limits;

  function save(
    subscription: EventSubscription,
    progress: Omit<SubscriptionProgress, 'leaseUntil'>,
    isLast = false,
  ): Promise<boolean> {
    Object.assign(subscription, progress);
    return writeProgress(db, subscription, owner, { ...progress, leaseUntil: isLast ? null : now() + leaseMs });
  }

  const post = (subscription: EventSubscription, signer: Signer, { messageId, body }: Omit<Told, 'behind'>) =>
    postEnvelope(outbound, {
      ...{ subscriptionId: subscription.id, url: subscription.url, messageId, body, signer },
      ...{ at: new Date(now()), signal },
    });

  /** False: the turn is over. */
  async function tell(subscription: EventSubscription, signer: Signer, told: Told): Promise<boolean> {
    const isTooLarge = Buffer.byteLength(told.body) > MAX_BODY_BYTES;
    const result = isTooLarge ? TOO_LARGE : await post(subscription, signer, told);
    // Nobody refused it: it waits for the next process.
    if (result.outcome === 'stopped') return false;
    if (result.outcome === 'delivered') {
      return await save(subscription, { ...UNTROUBLED, position: told.behind, lastSuccessAt: new Date(now()) });
    }
    return await noteFailure(subscription, told, result);
  }

  async function noteFailure(subscription: EventSubscription, { behind }: Told, result: AttemptResult): Promise<boolean> {
    const { isOver, ...progress } = judgeFailure(subscription, result, now(), random());
    if (isOver) return await save(subscription, { ...progress, position: behind });
    await save(subscription, progress, true);
    return false;
  }

  /** The plan has ended: the subscription with it. */
  async function terminate(subscription: EventSubscription, signer: Signer): Promise<void> {
    await deleteSubscription(db, subscription.id, now());
    const error = { code: MCP_ERRORS.event_forbidden.code, message: 'webhooks need an API key of the enterprise plan' };
    const body = JSON.stringify({ type: 'terminated', error });
    await post(subscription, signer, { messageId: newControlId('terminated'), body });
  }

  /** The log is another one since a restore: what lies between nobody can tell. */
  async function tellGap(subscription: EventSubscription, signer: Signer, source: EventSource): Promise<boolean> {
    const head = await source.head();
    const body = JSON.stringify({ type: 'gap', cursor: formatCursor(head) });
    return await tell(subscription, signer, { messageId: newControlId('gap'), body, behind: head });
  }

  /** What was looked at and not told is behind it, too. */
  async function moveTo(subscription: EventSubscription, position: Cursor): Promise<boolean> {
    if (position.sequence <= subscription.position.sequence) return true;
    return await save(subscription, { position });
  }

  /** The next page of what waits. False: there is no further one, or the turn is over. */
  async function tellPage(subscription: EventSubscription, signer: Signer, source: EventSource): Promise<boolean> {
    const kind = EVENT_KINDS.find(({ name }) => name === subscription.name);
    if (!kind) return false;
    const { position } = subscription;
    const limits = { maxEvents: PAGE_SIZE, notBefore: subscription.notBefore ?? Number.NEGATIVE_INFINITY };
    const page = await source.read({ kind, query: subscription.query }, position, limits);
    if (page.cursor.epoch !== position.epoch) return await tellGap(subscription, signer, source);
    for (const event of page.events) {
      const behind = parseCursor(event.cursor) ?? page.cursor;
      const told = { messageId: event.eventId, body: JSON.stringify(event), behind };
      if (!(await tell(subscription, signer, told))) return false;
    }
    return (await moveTo(subscription, page.cursor)) && page.hasMore;
  }

  return async function sendSubscription(subscription, source) {
    const signer = signerOf(subscription, seal, now());
    const begun = performance.now();
    let goesOn = true;
    while (goesOn && !signal.aborted && performance.now() - begun < TURN_MS) {
      if ((await loadAccountTier(db, subscription.accountId, clocks.directory())) !== 'enterprise') {
        return await terminate(subscription, signer);
      }
      goesOn = await tellPage(subscription, signer, source);
    }
    await save(subscription, {}, true);
  };
}

/** `isOver`: the occurrence is given up, and the next one follows. Else it waits for its next attempt, or for the client. */
function judgeFailure(
  { attempts: before, rounds, failingSince: since }: EventSubscription,
  result: AttemptResult,
  now: number,
  random: number,
): Omit<SubscriptionProgress, 'leaseUntil'> & { isOver: boolean } {
  const failure = { lastError: reasonOf(result), failingSince: since ?? new Date(now) };
  const attempts = before + 1;
  const delay = RETRY_AFTER_MS[attempts - 1];
  // 410 and 413 are final for this occurrence. So is a second round of attempts: it is this occurrence that is not wanted.
  const isOver = FINAL.has(result.status ?? 0) || (delay === undefined && rounds > 0);
  if (isOver) return { ...failure, isOver, attempts: 0, rounds: 0 };
  if (delay === undefined) return { ...failure, isOver, attempts, state: 'suspended', rounds: rounds + 1 };
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * random));
  const asked = Math.min(result.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return { ...failure, isOver, attempts, dueAt: now + Math.max(jittered, asked) };
}

function signerOf({ id, secret, previousSecret, previousUntil }: EventSubscription, seal: Seal, now: number): Signer {
  const isDouble = previousSecret !== null && previousUntil !== null && previousUntil > now;
  const sealed = isDouble ? [secret, previousSecret] : [secret];
  return createSigner(
    sealed.map((each) => seal.open(each, id)),
    [],
  );
}

const UNTROUBLED = { attempts: 0, rounds: 0, lastError: null, failingSince: null } as const;
/** Five attempts within about twelve minutes. */
const RETRY_AFTER_MS: readonly number[] = [10_000, 60_000, 180_000, 480_000];
const JITTER = 0.15;
const MAX_RETRY_AFTER_MS = 600_000;
const FINAL: ReadonlySet<number> = new Set([410, 413]);
/** SEP-3415, "Delivery profile". */
const MAX_BODY_BYTES = 262_144;
const TOO_LARGE: AttemptResult = {
  ...{ outcome: 'status', status: 413, detail: null, durationMs: 0, retryAfterMs: null },
  ...{ requestHeaders: {}, answerHeaders: {}, answer: '' },
};
const PAGE_SIZE = 50;
/** After so long it is another subscription's turn. */
const TURN_MS = 5_000;
