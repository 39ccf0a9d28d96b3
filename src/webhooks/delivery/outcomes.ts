/** What attempts mean for their deliveries and endpoints, and how that is written: many at once, in one transaction. */

import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Database, isConnectionLost, StoreError, transact } from '../../store/index.ts';
import { compareText } from '../../values/compare-text.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { AttemptResult } from './deliver.ts';
import type { Journal, JournalEntry } from './journal.ts';

/** What a sender knows of the endpoint that it works for. Only the holder of the lease changes it. */
export interface EndpointHealth {
  id: string;
  failures: number;
  failingSince: number | null;
  concurrency: number;
  openUntil: number | null;
  lastAttemptAt: number | null;
  /** When this sender began to leave it alone. */
  pausedAt?: number;
}

export interface AttemptOutcome {
  health: EndpointHealth;
  deliveryId: string;
  messageId: string;
  type: string;
  /** Of this attempt, from 1. */
  number: number;
  at: number;
  result: AttemptResult;
  /** Milliseconds; null: no further attempt. */
  dueAt: number | null;
  isGone: boolean;
}

/** Changes `health`. */
export function judge(
  health: EndpointHealth,
  attempt: Pick<AttemptOutcome, 'deliveryId' | 'messageId' | 'type' | 'number' | 'at' | 'result'>,
  now: number,
  random: () => number,
): AttemptOutcome {
  const { status, outcome, retryAfterMs } = attempt.result;
  // Those that were under way when the pause began say nothing new of the endpoint.
  const isOld = attempt.at < (health.pausedAt ?? 0);
  // Failures before a long time without messages are not of the same trouble.
  if (attempt.at - (health.lastAttemptAt ?? 0) > MAX_QUIET_MS) Object.assign(health, { failures: 0, failingSince: null });
  health.lastAttemptAt = Math.max(health.lastAttemptAt ?? 0, attempt.at);
  if (outcome === 'delivered') {
    if (isOld) return { ...attempt, health, dueAt: null, isGone: false };
    Object.assign(health, { failures: 0, failingSince: null, openUntil: null });
    health.concurrency = Math.min(MAX_CONCURRENCY, health.concurrency * 2);
    return { ...attempt, health, dueAt: null, isGone: false };
  }
  if (!isOld) health.failures += 1;
  health.failingSince ??= attempt.at;
  health.concurrency = 1;
  const delay = breakerDelay(isOld ? 0 : health.failures, retryAfterMs, random());
  if (delay > 0) Object.assign(health, { openUntil: Math.max(health.openUntil ?? 0, now + delay), pausedAt: now });
  const isGone = status === 410;
  const retry = isGone ? null : retryDelay(attempt.number, retryAfterMs, random());
  return { ...attempt, health, dueAt: retry === null ? null : now + retry, isGone };
}

export interface OutcomeWriter {
  /** Resolves when it is written. */
  add(outcome: AttemptOutcome): Promise<void>;
  /** From now on nothing waits for a database that is away. */
  giveUp(): void;
  /** Resolves when nothing waits any more. */
  close(): Promise<void>;
}

interface WaitingOutcome {
  outcome: AttemptOutcome;
  since: number;
  resolve(): void;
  reject(error: unknown): void;
}

export function createOutcomeWriter(db: Kysely<Database>, journal: Journal, onGone: () => void): OutcomeWriter {
  let waiting: WaitingOutcome[] = [];
  let running: Promise<void> | null = null;
  let isEnding = false;

  async function write(batch: readonly WaitingOutcome[]): Promise<void> {
    const outcomes = batch.map(({ outcome }) => outcome);
    await transact(db, (trx) => writeOutcomes(trx, outcomes));
    if (waiting.length === 0) journal.clear();
    for (const { resolve } of batch) resolve();
    if (outcomes.some(({ isGone }) => isGone)) onGone();
  }

  /** While the database is away everything waits: a lost result is a repetition. */
  async function waitOrReject(batch: readonly WaitingOutcome[], error: unknown): Promise<void> {
    const isLate = performance.now() - (batch[0]?.since ?? 0) > GIVE_UP_AFTER_MS;
    if (isEnding || isLate || !isDatabaseAway(error)) {
      for (const { reject } of batch) reject(error);
      return;
    }
    waiting.unshift(...batch);
    await delay(RETRY_MS);
  }

  /** What comes while one transaction runs is the next one. */
  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH);
      await write(batch).catch((error: unknown) => waitOrReject(batch, error));
    }
    running = null;
  }

  return {
    add(outcome) {
      if (outcome.result.outcome === 'delivered') journal.note(toEntry(outcome));
      const written = new Promise<void>((resolve, reject) => {
        waiting.push({ outcome, since: performance.now(), resolve, reject });
      });
      running ??= Promise.resolve().then(run);
      return written;
    },
    giveUp() {
      isEnding = true;
    },
    async close() {
      isEnding = true;
      await running;
      waiting = [];
    },
  };
}

const toEntry = ({ health, deliveryId, messageId, type, number, at, result }: AttemptOutcome): JournalEntry => ({
  endpointId: health.id,
  deliveryId,
  messageId,
  type,
  number,
  at,
  result,
});

const isDatabaseAway = (error: unknown): boolean => error instanceof StoreError || isConnectionLost(error);

export async function writeOutcomes(trx: Transaction<Database>, all: readonly AttemptOutcome[]): Promise<void> {
  const outcomes = await writeDeliveries(trx, all);
  if (outcomes.length === 0) return;
  const column = <T>(value: (outcome: AttemptOutcome) => T) => outcomes.map(value);
  await sql`
    insert into webhook_attempt (endpoint_id, message_id, type, number, at, outcome, status, detail, duration_ms, request_headers,
      answer_headers, answer)
    select * from unnest(${column(({ health }) => health.id)}::uuid[], ${column(({ messageId }) => messageId)}::uuid[],
      ${column(({ type }) => type)}::text[], ${column(({ number }) => number)}::int[],
      ${column(({ at }) => new Date(at))}::timestamptz[], ${column(({ result }) => result.outcome)}::text[],
      ${column(({ result }) => result.status)}::int[], ${column(({ result }) => result.detail)}::text[],
      ${column(({ result }) => result.durationMs)}::int[],
      ${column(({ result }) => JSON.stringify(result.requestHeaders))}::jsonb[],
      ${column(({ result }) => JSON.stringify(result.answerHeaders))}::jsonb[],
      ${column(({ result }) => result.answer)}::text[])`.execute(trx);
  await writeHealth(trx, outcomes);
}

/** Gives those outcomes that are news: whoever took over the endpoint, or a commit of which nobody heard, may have been quicker. */
async function writeDeliveries(trx: Transaction<Database>, outcomes: readonly AttemptOutcome[]): Promise<AttemptOutcome[]> {
  const column = <T>(value: (outcome: AttemptOutcome) => T) => outcomes.map(value);
  const dateOrNull = (moment: number | null) => (moment === null ? null : new Date(moment));
  const { rows } = await sql<{ id: string }>`
    update webhook_delivery set state = done.state, attempts = done.number, due_at = coalesce(done.due_at, webhook_delivery.due_at),
      finished_at = done.finished_at
    from unnest(${column(({ deliveryId }) => deliveryId)}::bigint[], ${column(stateOf)}::text[], ${column(({ number }) => number)}::int[],
      ${column(({ dueAt }) => dateOrNull(dueAt))}::timestamptz[],
      ${column(({ dueAt, at }) => (dueAt === null ? new Date(at) : null))}::timestamptz[])
      as done (id, state, number, due_at, finished_at)
    where webhook_delivery.id = done.id and webhook_delivery.attempts < done.number
      and webhook_delivery.state in ('pending', 'sending', 'dropped')
    returning webhook_delivery.id`.execute(trx);
  const written = new Set(rows.map(({ id }) => String(id)));
  return outcomes.filter(({ deliveryId }) => written.has(String(deliveryId)));
}

/** The last outcome of each endpoint says how it is. */
async function writeHealth(trx: Transaction<Database>, outcomes: readonly AttemptOutcome[]): Promise<void> {
  const last = new Map<string, { outcome: AttemptOutcome; finished: number; lastSuccessAt: number | null; isGone: boolean }>();
  for (const outcome of outcomes) {
    const { health, dueAt, result, at, isGone } = outcome;
    const known = last.get(health.id);
    last.set(health.id, {
      outcome,
      finished: (known?.finished ?? 0) + (dueAt === null ? 1 : 0),
      lastSuccessAt: result.outcome === 'delivered' ? at : (known?.lastSuccessAt ?? null),
      isGone: isGone || (known?.isGone ?? false),
    });
  }
  const rows = [...last.entries()].sort(([a], [b]) => compareText(a, b)).map(([, row]) => row);
  const ids = rows.map(({ outcome }) => outcome.health.id);
  const date = (moment: number | null) => (moment === null ? null : new Date(moment));
  await sql`select id from webhook_endpoint where id = any(${ids}::uuid[]) order by id for update`.execute(trx);
  await sql`
    update webhook_endpoint set failures = done.failures, failing_since = done.failing_since, concurrency = done.concurrency,
      open_until = done.open_until, pending = greatest(0, pending - done.finished), last_attempt_at = done.at,
      last_success_at = coalesce(done.last_success_at, webhook_endpoint.last_success_at),
      mails_sent = case when webhook_endpoint.failing_since is distinct from done.failing_since then 0 else mails_sent end
    from unnest(${ids}::uuid[], ${rows.map(({ outcome }) => outcome.health.failures)}::int[],
      ${rows.map(({ outcome }) => date(outcome.health.failingSince))}::timestamptz[],
      ${rows.map(({ outcome }) => outcome.health.concurrency)}::int[],
      ${rows.map(({ outcome }) => date(outcome.health.openUntil))}::timestamptz[], ${rows.map(({ finished }) => finished)}::int[],
      ${rows.map(({ outcome }) => new Date(outcome.at))}::timestamptz[],
      ${rows.map(({ lastSuccessAt }) => date(lastSuccessAt))}::timestamptz[])
      as done (id, failures, failing_since, concurrency, open_until, finished, at, last_success_at)
    where webhook_endpoint.id = done.id`.execute(trx);
  const gone = rows.filter(({ isGone }) => isGone).map(({ outcome }) => outcome);
  for (const { health, at } of gone) {
    await trx
      .updateTable('webhook_endpoint')
      .set({ state: 'disabled', state_reason: 'gone', state_at: new Date(at), revision: sql`revision + 1` })
      .where('id', '=', health.id)
      .where('state', '=', 'active')
      .execute();
  }
}

function stateOf({ dueAt, result }: AttemptOutcome): string {
  if (result.outcome === 'delivered') return 'delivered';
  return dueAt === null ? 'failed' : 'pending';
}

/** Between the attempts: ten attempts over 75 h 35 min. */
export const RETRY_AFTER_MS: readonly number[] = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  5 * 3_600_000,
  10 * 3_600_000,
  14 * 3_600_000,
  20 * 3_600_000,
  24 * 3_600_000,
];

/** `attempts`: how many there have been. Null: there is no further one. `random`: 0 to 1. */
function retryDelay(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const delay = RETRY_AFTER_MS[attempts - 1];
  if (delay === undefined) return null;
  return Math.max(withJitter(delay, random), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

/** `failures`: failed attempts in a row, over all deliveries of the endpoint. 0: the endpoint may be asked. */
function breakerDelay(failures: number, retryAfterMs: number | null, random: number): number {
  const asked = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  if (failures < BREAKER_FAILURES) return asked;
  const delay = Math.min(MAX_BREAKER_MS, FIRST_BREAKER_MS * 2 ** Math.min(20, failures - BREAKER_FAILURES));
  return Math.max(withJitter(delay, random), asked);
}

const withJitter = (delay: number, random: number): number => Math.round(delay * (1 - JITTER + 2 * JITTER * random));

/** Requests under way to one endpoint. */
const MAX_CONCURRENCY = 8;
const MAX_BATCH = 500;
/** As long as the database is away. */
const RETRY_MS = 100;
const GIVE_UP_AFTER_MS = 60_000;
/** After so long without an attempt failures are counted anew. Longer than the longest wait between attempts of one message. */
const MAX_QUIET_MS = 2 * DAY_MS;
/** So that endpoints which failed together do not return together. */
const JITTER = 0.15;
const MAX_RETRY_AFTER_MS = DAY_MS;
const BREAKER_FAILURES = 5;
const FIRST_BREAKER_MS = 30_000;
const MAX_BREAKER_MS = 3_600_000;
