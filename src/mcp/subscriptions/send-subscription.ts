/**
 * What waits for one subscription, in the order of the log. One body is under way at a time, so the cursor in a body is the subscription's
 * own position: everything before it was acknowledged or given up.
 */

import type { Kysely } from 'kysely';
import { loadAccountTier } from '../../accounts/index.ts';
import type { Clocks } from '../../clock.ts';
import type { Outbound } from '../../outbound/index.ts';
import { type Cursor, formatCursor, parseCursor } from '../../query/index.ts';
import type { Database } from '../../store/index.ts';
import { type AttemptResult, createSigner, type Seal, type Signer } from '../../webhooks/index.ts';
import { EVENT_KINDS } from '../events/event-kinds.ts';
import type { EventSource } from '../events/event-source.ts';
import { MCP_ERRORS } from '../protocol/errors.ts';
import { newControlId, postEnvelope, reasonOf } from './post-envelope.ts';
import { deleteSubscription, type EventSubscription, type SubscriptionProgress, writeProgress } from './subscription-rows.ts';

export interface SubscriptionWorker {
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

/** What one subscription is sent by one worker. */
interface Turn {
  worker: SubscriptionWorker;
  subscription: EventSubscription;
  source: EventSource;
  signer: Signer;
}

/** A body that is to be sent, and the position behind it. */
interface Message {
  messageId: string;
  body: string;
  behind: Cursor;
}

type Progress = Omit<SubscriptionProgress, 'leaseUntil'>;

export async function sendSubscription(
  worker: SubscriptionWorker,
  subscription: EventSubscription,
  source: EventSource,
): Promise<void> {
  const { db, seal, clocks, signal } = worker;
  const turn: Turn = { worker, subscription, source, signer: signerOf(subscription, seal, clocks.limits()) };
  const begun = performance.now();
  let goesOn = true;
  while (goesOn && !signal.aborted && performance.now() - begun < TURN_MS) {
    if ((await loadAccountTier(db, subscription.accountId, clocks.directory())) !== 'enterprise') return await terminate(turn);
    goesOn = await sendPage(turn);
  }
  await release(turn, {});
}

function signerOf({ id, secret, previousSecret, previousUntil }: EventSubscription, seal: Seal, now: number): Signer {
  const isDouble = previousSecret !== null && previousUntil !== null && previousUntil > now;
  const sealed = isDouble ? [secret, previousSecret] : [secret];
  return createSigner(
    sealed.map((each) => seal.open(each, id)),
    [],
  );
}

/** The plan has ended: the subscription with it. */
async function terminate(turn: Turn): Promise<void> {
  const { db, clocks } = turn.worker;
  await deleteSubscription(db, turn.subscription.id, clocks.limits());
  const error = { code: MCP_ERRORS.event_forbidden.code, message: 'webhooks need an API key of the enterprise plan' };
  await post(turn, { messageId: newControlId('terminated'), body: JSON.stringify({ type: 'terminated', error }) });
}

/** The next page of what waits. False: there is no further one, or the turn is over. */
async function sendPage(turn: Turn): Promise<boolean> {
  const { subscription, source } = turn;
  const kind = EVENT_KINDS.find(({ name }) => name === subscription.name);
  if (!kind) return false;
  const { position } = subscription;
  const limits = { maxEvents: PAGE_SIZE, notBefore: subscription.notBefore ?? Number.NEGATIVE_INFINITY };
  const page = await source.read({ kind, query: subscription.query }, position, limits);
  if (page.cursor.epoch !== position.epoch) return await sendGap(turn);
  const begun = performance.now();
  for (const event of page.events) {
    const behind = parseCursor(event.cursor) ?? page.cursor;
    if (!(await send(turn, { messageId: event.eventId, body: JSON.stringify(event), behind }))) return false;
    // A slow endpoint: whether the plan allows the next one is asked again, and whose turn it is.
    if (performance.now() - begun > PAGE_MS) return true;
  }
  // What was looked at and not sent is behind it, too.
  const isThere = page.cursor.sequence <= subscription.position.sequence || (await save(turn, { position: page.cursor }));
  return isThere && page.hasMore;
}

/** The log is another one since a restore: what lies between nobody can tell. */
async function sendGap(turn: Turn): Promise<boolean> {
  const head = await turn.source.head();
  const body = JSON.stringify({ type: 'gap', cursor: formatCursor(head) });
  return await send(turn, { messageId: newControlId('gap'), body, behind: head });
}

/** False: the turn is over. */
async function send(turn: Turn, message: Message): Promise<boolean> {
  const isTooLarge = Buffer.byteLength(message.body) > MAX_BODY_BYTES;
  const result = isTooLarge ? TOO_LARGE : await post(turn, message);
  // Nobody refused it: it waits for the next process.
  if (result.outcome === 'stopped') return false;
  const { clocks, random } = turn.worker;
  const now = clocks.limits();
  if (result.outcome === 'delivered') {
    return await save(turn, { ...UNTROUBLED, position: message.behind, lastSuccessAt: new Date(now) });
  }
  const { isOver, ...progress } = judgeFailure(turn.subscription, result, now, random());
  if (isOver) return await save(turn, { ...progress, position: message.behind });
  await release(turn, progress);
  return false;
}

function post({ worker, subscription: { id, url }, signer }: Turn, { messageId, body }: Omit<Message, 'behind'>) {
  const { outbound, clocks, signal } = worker;
  const at = new Date(clocks.limits());
  return postEnvelope(outbound, { subscriptionId: id, url, messageId, body, signer, at, signal });
}

/** Notes the progress and prolongs the lease. False: the lease is lost. */
const save = (turn: Turn, progress: Progress): Promise<boolean> =>
  write(turn, progress, turn.worker.clocks.limits() + turn.worker.leaseMs);

/** Notes the progress and gives the lease back. */
const release = (turn: Turn, progress: Progress): Promise<boolean> => write(turn, progress, null);

function write({ worker: { db, owner }, subscription }: Turn, progress: Progress, leaseUntil: number | null): Promise<boolean> {
  Object.assign(subscription, progress);
  return writeProgress(db, subscription, owner, { ...progress, leaseUntil });
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

const PAGE_SIZE = 50;
/** The rest of a page is read again after so long. */
const PAGE_MS = 300;
/** After so long it is another subscription's turn. */
const TURN_MS = 5_000;
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
