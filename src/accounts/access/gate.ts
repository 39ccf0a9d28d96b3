/** The gate: who asks, and whether they may, in one step. */

import type { Kysely } from 'kysely';
import type { Clock, Clocks } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { ALWAYS_LOOK, type CommitWatcher, createDeadline, type Database } from '../../store/index.ts';
import { createUsageLedger, HOUR_MS } from '../usage/usage-ledger.ts';
import type { AccessStatus, AccessVerdict, Allowance, Caller, Gate, RecordOutcome } from '../verdict.ts';
import { followAccess } from './access-follower.ts';
import { createAllowances } from './allowances.ts';
import type { Admission, Counters, LimitDecision } from './counters.ts';
import { createExistingKeys } from './existing-keys.ts';
import { createIdentify, type MaybePromise } from './identify.ts';
import { leaveMinutes, takeMinutes } from './kept-minutes.ts';
import { createKnownKeys, type KnownKey } from './known-keys.ts';
import { createLimiter } from './limiter.ts';
import { createRecentUsage } from './recent-usage.ts';
import { describeError } from './store-trouble.ts';
import { createUnknownKeyLimiter } from './unknown-key-limiter.ts';

export interface GateOptions {
  db: Kysely<Database>;
  /** Says when following the list of access changes would find nothing; without it every poll asks. */
  commitWatcher?: CommitWatcher;
  /** `directory` ends trials and graces, `limits` turns days. */
  clocks: Clocks;
  log: Log;
  /** Milliseconds that never step back: the minute, and how long what is remembered may be believed. */
  monotonic?: Clock;
  /** Where requests are counted; in process unless told. */
  counters?: Counters;
  flushEveryMs?: number;
  pollEveryMs?: number;
}

/**
 * Opens the gate on a migrated store, with the keys that were used last already known and all others known to exist. Rejects with the store's error when they or
 * the list of access changes cannot be read.
 */
export async function openGate(options: GateOptions): Promise<Gate> {
  const { db, commitWatcher = ALWAYS_LOOK, clocks, log, monotonic = () => performance.now() } = options;
  const counters = options.counters ?? createLimiter({ monotonic, wall: clocks.limits });
  const keys = createKnownKeys({ db, counters, wall: clocks.limits, monotonic });
  const existing = createExistingKeys(db);
  const unknownKeyLimiter = createUnknownKeyLimiter(monotonic);
  const ledger = createUsageLedger(db);
  const allowances = createAllowances({ db, counters, wall: clocks.limits });
  const follower = await followAccess({
    db,
    keys,
    existing,
    commitWatcher,
    monotonic,
    log,
    everyMs: options.pollEveryMs ?? POLL_EVERY_MS,
  });
  await keys.readLastUsed();
  const inTime = createDeadline(LEAVING);
  const kept = { db, counters, wall: clocks.limits };
  await takeMinutes(kept);
  const identify = createIdentify({ keys, existing, follower, unknownKeyLimiter, now: clocks.directory });

  const flushing = setInterval(() => void writeUsage({ requestsOnly: true }), options.flushEveryMs ?? FLUSH_EVERY_MS).unref();
  const sweeping = setInterval(sweep, SWEEP_EVERY_MS).unref();

  let unwritten = false;
  async function writeUsage(what?: { requestsOnly: boolean }): Promise<void> {
    try {
      await ledger.flush(what);
      unwritten = false;
    } catch (error) {
      if (!unwritten) log.warn({ error: describeError(error) }, 'cannot write usage; keeping it in memory and trying again');
      unwritten = true;
    }
  }

  function sweep(): void {
    counters.releaseIdle();
    unknownKeyLimiter.releaseIdle();
    // When keys were last used is precise to a minute: it needs no statement of its own each time.
    void writeUsage();
  }

  function standingOf(key: KnownKey): AccessStatus {
    if (!key.active) return 'subscription_inactive';
    return key.trialEndsAt !== null && clocks.directory() >= key.trialEndsAt ? 'trial_expired' : 'active';
  }

  function admitKey(key: KnownKey): MaybePromise<AccessVerdict> {
    const decision = counters.decide(key.caller.subscriptionId, key.caller.tier);
    return decision instanceof Promise ? decision.then((made) => toVerdict(key, made)) : toVerdict(key, decision);
  }

  function toVerdict(key: KnownKey, decision: LimitDecision): AccessVerdict {
    const { caller } = key;
    const { allowance } = decision;
    if (!decision.ok) {
      ledger.recordOutcome(caller.keyId, Math.floor(clocks.limits() / HOUR_MS), NOWHERE, REFUSED);
      return { ok: false, reason: decision.reason, caller, allowance, retryAfterSeconds: decision.retryAfterSeconds };
    }
    ledger.add(caller.subscriptionId, decision.admission.day, 1);
    touch(key);
    return { ok: true, caller, allowance, standing: standingOf(key), recordOutcome: createSettle(caller, decision.admission) };
  }

  function createSettle(caller: Caller, admission: Admission): RecordOutcome {
    let settled = false;
    return (endpoint, status) => {
      if (settled) return;
      settled = true;
      if (status < SERVER_FAULT) ledger.recordOutcome(caller.keyId, admission.hour, endpoint, status);
      else giveBack(caller, admission);
    };
  }

  function giveBack({ subscriptionId }: Caller, admission: Admission): void {
    ledger.add(subscriptionId, admission.day, -1);
    void Promise.resolve(counters.refund(subscriptionId, admission)).catch((error: unknown) => {
      log.warn({ error: describeError(error), subscriptionId }, 'cannot refund a request');
    });
  }

  /** The time of a key's last use is for people: a minute's precision saves a write for each request. */
  function touch(key: KnownKey): void {
    const now = monotonic();
    if (now - key.touchedAt < TOUCH_EVERY_MS) return;
    key.touchedAt = now;
    ledger.touch(key.caller.keyId, clocks.directory());
  }

  function inspectKey(key: KnownKey): MaybePromise<AccessVerdict> {
    const toAnswer = (allowance: Allowance): AccessVerdict => {
      return { ok: true, caller: key.caller, allowance, standing: standingOf(key), recordOutcome: NOTHING_TO_SETTLE };
    };
    const allowance = counters.peek(key.caller.subscriptionId, key.caller.tier);
    return allowance instanceof Promise ? allowance.then(toAnswer) : toAnswer(allowance);
  }

  return {
    admit: (header, address, connection) => identify(header, { address, connection }, admitKey),
    inspect: (header, address, connection) => identify(header, { address, connection }, inspectKey),

    usage: createRecentUsage({ ledger, counters, wall: clocks.limits }),

    allowancesOf: allowances.read,
    watch: allowances.watch,
    flush: () => ledger.flush(),

    async close() {
      allowances.close();
      clearInterval(flushing);
      clearInterval(sweeping);
      await follower.close();
      for (let attempt = 0; attempt === 0 || (unwritten && attempt < LAST_ATTEMPTS); attempt += 1) await writeUsage();
      // Without them the next process begins the minute anew, as after a crash.
      await inTime(() => leaveMinutes(kept)).catch((error: unknown) => {
        log.warn({ error: describeError(error) }, 'cannot hand over the requests of the last minute to the next process');
      });
    },
  };
}

const NOTHING_TO_SETTLE = (): void => {};
const LEAVING = { deadlineMs: 3_000, mostHanging: 1 } as const;
/** Each over another connection, where one has gone silent. */
const LAST_ATTEMPTS = 3;
/** Three quarters of what may be lost to kill -9; each costs as much as some dozens of requests. */
const FLUSH_EVERY_MS = 750;
/** A quarter of what a revocation may take. */
const POLL_EVERY_MS = 250;
const SWEEP_EVERY_MS = 15_000;
const TOUCH_EVERY_MS = 60_000;
/** A refusal is counted without asking where the request went. */
const NOWHERE = '';
const REFUSED = 429;
const SERVER_FAULT = 500;
