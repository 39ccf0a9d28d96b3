/**
 * One body to one subscription, and what became of it. One is under way at a time, so the cursor in a body is the subscription's own
 * position: everything before it was acknowledged or given up.
 */

import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Outbound } from '../../outbound/index.ts';
import type { Cursor } from '../../query/index.ts';
import type { Database } from '../../store/index.ts';
import type { AttemptResult, Signer } from '../../webhooks/index.ts';
import { postEnvelope, reasonOf } from './post-envelope.ts';
import { type EventSubscription, type SubscriptionProgress, writeProgress } from './subscription-rows.ts';

export interface TellOptions {
  db: Kysely<Database>;
  outbound: Outbound;
  /** Of the limits, milliseconds. */
  now: Clock;
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

type Progress = Omit<SubscriptionProgress, 'leaseUntil'>;

export interface Tell {
  /** False: the turn is over. */
  tell(subscription: EventSubscription, signer: Signer, told: Told): Promise<boolean>;
  /** Sends a body that changes no position. */
  post(subscription: EventSubscription, signer: Signer, message: Omit<Told, 'behind'>): Promise<AttemptResult>;
  /** Notes the progress and prolongs the lease. False: the lease is lost. */
  save(subscription: EventSubscription, progress: Progress): Promise<boolean>;
  /** Notes the progress and gives the lease back. */
  release(subscription: EventSubscription, progress: Progress): Promise<boolean>;
}

export function createTell({ db, outbound, now, owner, leaseMs, random, signal }: TellOptions): Tell {
  function write(subscription: EventSubscription, progress: Progress, leaseUntil: number | null): Promise<boolean> {
    Object.assign(subscription, progress);
    return writeProgress(db, subscription, owner, { ...progress, leaseUntil });
  }

  const save: Tell['save'] = (subscription, progress) => write(subscription, progress, now() + leaseMs);
  const release: Tell['release'] = (subscription, progress) => write(subscription, progress, null);

  const post: Tell['post'] = ({ id, url }, signer, { messageId, body }) =>
    postEnvelope(outbound, { subscriptionId: id, url, messageId, body, signer, at: new Date(now()), signal });

  async function noteFailure(subscription: EventSubscription, { behind }: Told, result: AttemptResult): Promise<boolean> {
    const { isOver, ...progress } = judgeFailure(subscription, result, now(), random());
    if (isOver) return await save(subscription, { ...progress, position: behind });
    await release(subscription, progress);
    return false;
  }

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

  return { tell, post, save, release };
}

/** `isOver`: the occurrence is given up, and the next one follows. Else it waits for its next attempt, or for the client. */
function judgeFailure(
  { attempts: before, rounds, failingSince: since }: EventSubscription,
  result: AttemptResult,
  now: number,
  random: number,
): Progress & { isOver: boolean } {
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
