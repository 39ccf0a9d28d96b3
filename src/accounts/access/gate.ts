/** The gate: who asks, and whether they may, in one step. */

import type { Kysely } from 'kysely';
import type { Clock, Clocks } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { ALWAYS_LOOK, type CommitWatcher, createDeadline, type Database, describeFailure } from '../../store/index.ts';
import { createAllowances } from '../limits/allowances.ts';
import type { Admission, Counters, LimitDecision } from '../limits/counters.ts';
import { openKeptMinutes } from '../limits/kept-minutes.ts';
import { createLimiter } from '../limits/limiter.ts';
import type { RedisLimits } from '../limits/open-redis-limits.ts';
import { createUnknownKeyLimiter } from '../limits/unknown-key-limiter.ts';
import { createReadUse, createUsageLedger, HOUR_MS, type UsageLedger } from '../usage/usage-ledger.ts';
import type { AccessStatus, AccessVerdict, Allowance, Caller, Gate, RecordOutcome } from '../verdict.ts';
import { followAccess } from './access-follower.ts';
import { createExistingKeys, createIdentify, type MaybePromise } from './identify.ts';
import { createKnownKeys, type KnownKey } from './known-keys.ts';
import { createRecentUsage, type RecentUsage } from './recent-usage.ts';
import { openServingProcesses } from './serving-processes.ts';

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
  /** Counts requests and failed keys for all processes together; closed by whoever opened it. */
  redis?: RedisLimits | null;
  flushEveryMs?: number;
  pollEveryMs?: number;
}

/**
 * Opens the gate on a migrated store, with the keys that were used last already known and all others known to exist. Rejects with the store's error when they or
 * the list of access changes cannot be read.
 */
export async function openGate(options: GateOptions): Promise<Gate> {
  const { db, commitWatcher = ALWAYS_LOOK, clocks, log, monotonic = () => performance.now(), redis = null } = options;
  const ledger = createUsageLedger(db);
  const processes = await openServingProcesses(db, log, redis !== null);
  const counters =
    options.counters ??
    redis?.openCounters({ readUse: createReadUse(db, ledger), processes: processes.read, wall: clocks.limits }) ??
    createLimiter({ monotonic, wall: clocks.limits });
  const keys = createKnownKeys(db, counters, clocks.limits, monotonic);
  const existing = createExistingKeys(db);
  const ownFailedKeys = createUnknownKeyLimiter(monotonic);
  const unknownKeyLimiter = redis?.shareUnknownKeys(ownFailedKeys) ?? ownFailedKeys;
  const usage = createUsageWriter(ledger, log);
  const allowances = createAllowances(db, counters, clocks.limits);
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
  const inTime = createDeadline(HAND_OVER);
  const kept = await openKeptMinutes(db, counters, clocks.limits);
  const recentUsage = createRecentUsage(ledger, counters, clocks.limits);
  const { admitKey, inspectKey } = createVerdicts({ counters, ledger, recentUsage, clocks, monotonic, log });
  const identify = createIdentify({ keys, existing, follower, unknownKeyLimiter, now: clocks.directory });

  const flushing = setInterval(flush, options.flushEveryMs ?? FLUSH_EVERY_MS).unref();
  const sweeping = setInterval(sweep, SWEEP_EVERY_MS).unref();

  let keeping: Promise<void> | null = null;
  /** One write at a time. What the store does not take is in the next one; its trouble is in the log already. */
  function keepMinutes(isLast = false): Promise<void> {
    keeping ??= inTime(() => kept.write(isLast)).finally(() => {
      keeping = null;
    });
    return keeping;
  }

  function flush(): void {
    void usage.write({ requestsOnly: true });
    keepMinutes().catch(() => undefined);
  }

  function sweep(): void {
    inTime(kept.deleteOld).catch(() => undefined);
    counters.releaseIdle();
    unknownKeyLimiter.releaseIdle();
    // When keys were last used is precise to a minute: it needs no statement of its own each time.
    void usage.write();
  }

  return {
    admit: (header, address, connection) => identify(header, { address, connection }, admitKey),
    inspect: (header, address, connection) => identify(header, { address, connection }, inspectKey),

    usage: recentUsage.report,

    allowancesOf: allowances.read,
    watch: allowances.watch,
    storeAwayMs: keys.awayMs,
    flush: () => ledger.flush(),

    async close() {
      allowances.close();
      clearInterval(flushing);
      clearInterval(sweeping);
      await follower.close();
      await usage.writeLast();
      await processes.close();
      await keeping?.catch(() => undefined);
      // Without it the next process knows all but the last second of the minute, as after a crash.
      await keepMinutes(true).catch((error: unknown) => {
        log.warn({ error: describeFailure(error) }, 'cannot hand over the requests of the last second to the next process');
      });
    },
  };
}

interface UsageWriter {
  /** Never rejects: a failure is logged once, and the next write has it all. */
  write(what?: { requestsOnly: boolean }): Promise<void>;
  /** Before the process ends. */
  writeLast(): Promise<void>;
}

/** Writes the ledger again and again; what cannot be written stays in memory. */
function createUsageWriter(ledger: Pick<UsageLedger, 'flush'>, log: Log): UsageWriter {
  let unwritten = false;

  async function write(what?: { requestsOnly: boolean }): Promise<void> {
    try {
      await ledger.flush(what);
      unwritten = false;
    } catch (error) {
      if (!unwritten) log.warn({ error: describeFailure(error) }, 'cannot write usage; keeping it in memory and trying again');
      unwritten = true;
    }
  }

  return {
    write,
    async writeLast() {
      for (let attempt = 0; attempt === 0 || (unwritten && attempt < LAST_ATTEMPTS); attempt += 1) await write();
    },
  };
}

interface Verdicts {
  /** Counts one request of the key. */
  admitKey(key: KnownKey): MaybePromise<AccessVerdict>;
  /** Counts nothing. */
  inspectKey(key: KnownKey): MaybePromise<AccessVerdict>;
}

interface VerdictsOptions {
  counters: Counters;
  ledger: UsageLedger;
  recentUsage: Pick<RecentUsage, 'remember'>;
  clocks: Clocks;
  monotonic: Clock;
  log: Log;
}

function createVerdicts({ counters, ledger, recentUsage, clocks, monotonic, log }: VerdictsOptions): Verdicts {
  function accessStatusOf(key: KnownKey): AccessStatus {
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
    return {
      ok: true,
      caller,
      allowance,
      accessStatus: accessStatusOf(key),
      recordOutcome: createRecordOutcome(caller, decision.admission),
    };
  }

  function createRecordOutcome(caller: Caller, admission: Admission): RecordOutcome {
    let isRecorded = false;
    return (endpoint, status) => {
      if (isRecorded) return;
      isRecorded = true;
      // Faults that a test key asks for are not given back: nobody fails for free without end.
      if (status < SERVER_FAULT || caller.isTest) ledger.recordOutcome(caller.keyId, admission.hour, endpoint, status);
      else refund(caller, admission);
    };
  }

  function refund({ subscriptionId }: Caller, admission: Admission): void {
    ledger.add(subscriptionId, admission.day, -1);
    void Promise.resolve(counters.refund(subscriptionId, admission)).catch((error: unknown) => {
      log.warn({ error: describeFailure(error), subscriptionId }, 'cannot refund a request');
    });
  }

  /** The time of a key's last use is for people: a minute's precision saves a write for each request. */
  function touch(key: KnownKey): void {
    const now = monotonic();
    if (now - key.touchedAt < TOUCH_EVERY_MS) return;
    key.touchedAt = now;
    ledger.touch(key.caller.keyId, clocks.directory());
    recentUsage.remember(key.caller.subscriptionId);
  }

  function inspectKey(key: KnownKey): MaybePromise<AccessVerdict> {
    const toAnswer = (allowance: Allowance): AccessVerdict => {
      return { ok: true, caller: key.caller, allowance, accessStatus: accessStatusOf(key), recordOutcome: NOTHING_TO_RECORD };
    };
    const allowance = counters.peek(key.caller.subscriptionId, key.caller.tier);
    return allowance instanceof Promise ? allowance.then(toAnswer) : toAnswer(allowance);
  }

  return { admitKey, inspectKey };
}

const HAND_OVER = { deadlineMs: 3_000, mostHanging: 2 } as const;
/** Three quarters of what may be lost to kill -9; each costs as much as some dozens of requests. */
const FLUSH_EVERY_MS = 750;
/** A quarter of what a revocation may take. */
const POLL_EVERY_MS = 250;
const SWEEP_EVERY_MS = 15_000;
/** Each over another connection, where one has gone silent. */
const LAST_ATTEMPTS = 3;
const NOTHING_TO_RECORD = (): void => {};
const TOUCH_EVERY_MS = 60_000;
/** A refusal is counted without asking where the request went. */
const NOWHERE = '';
const REFUSED = 429;
const SERVER_FAULT = 500;
