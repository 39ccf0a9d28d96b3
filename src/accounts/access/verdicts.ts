/** What the gate answers about a key that is known: whether it may ask, and how much is left. Records what became of each request. */

import type { Clock, Clocks } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Admission, Counters, LimitDecision } from '../limits/counters.ts';
import { HOUR_MS, type UsageLedger } from '../usage/usage-ledger.ts';
import type { AccessStatus, AccessVerdict, Allowance, Caller, RecordOutcome } from '../verdict.ts';
import type { MaybePromise } from './identify.ts';
import type { KnownKey } from './known-keys.ts';
import type { RecentUsage } from './recent-usage.ts';
import { describeError } from './store-trouble.ts';

export interface Verdicts {
  /** Counts one request of the key. */
  admitKey(key: KnownKey): MaybePromise<AccessVerdict>;
  /** Counts nothing. */
  inspectKey(key: KnownKey): MaybePromise<AccessVerdict>;
}

export interface VerdictsOptions {
  counters: Counters;
  ledger: UsageLedger;
  recentUsage: Pick<RecentUsage, 'remember'>;
  clocks: Clocks;
  monotonic: Clock;
  log: Log;
}

export function createVerdicts({ counters, ledger, recentUsage, clocks, monotonic, log }: VerdictsOptions): Verdicts {
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
      log.warn({ error: describeError(error), subscriptionId }, 'cannot refund a request');
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

const NOTHING_TO_RECORD = (): void => {};
const TOUCH_EVERY_MS = 60_000;
/** A refusal is counted without asking where the request went. */
const NOWHERE = '';
const REFUSED = 429;
const SERVER_FAULT = 500;
