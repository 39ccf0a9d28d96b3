/** What the gate answers about one request: every outcome is a value. */

import type { TierName } from './tiers.ts';

/** The allowance at the moment of the decision, after it. */
export interface Allowance {
  tier: TierName;
  day: { limit: number; used: number; remaining: number /** Instant, ms. */; resetsAt: number };
  minute: {
    limit: number;
    used: number;
    remaining: number /** Whole seconds until the oldest request leaves the window; 0 when the window is empty. */;
    freesInSeconds: number;
  };
}

/** Who calls. No secret in it. */
export interface Caller {
  keyId: string;
  subscriptionId: string;
  accountId: string;
  tier: TierName;
  /** Of a test key: it reads the test city, and nothing of the directory. */
  isTest?: true;
}

export type AccessVerdict =
  | {
      ok: true;
      caller: Caller;
      allowance: Allowance /** Whether the account may call now: the answer's 402, decided after the route. */;
      accessStatus: AccessStatus;
      recordOutcome: RecordOutcome;
    }
  | { ok: false; reason: 'missing' | 'invalid' | 'revoked' | 'expired' }
  | { ok: false; reason: 'unknown_key_limit'; retryAfterSeconds: number }
  | { ok: false; reason: 'minute' | 'day'; caller: Caller; allowance: Allowance; retryAfterSeconds: number }
  /** `crowded`: too many requests of this caller wait for a key to be looked up. */
  | { ok: false; reason: 'unavailable' | 'crowded' };

/**
 * Says how the request was answered: `endpoint` is a template of a table, never an address as sent. A 5xx of ours gives the request
 * back. Only the first word counts.
 */
export type RecordOutcome = (endpoint: string, status: number) => void;

export type AccessStatus = 'active' | 'trial_expired' | 'subscription_inactive';

export interface UsageReport {
  allowance: Allowance;
  /** Newest last; UTC days with at least one request, up to 90. */
  days: { date: string; requests: number }[];
}

export interface Gate {
  /**
   * Decides one request: key, then minute and day together. `header` is the raw `X-API-Key` header as sent (an array when it came
   * more than once), `address` the caller's address for the limit of unknown keys, `connection` what stands for
   * the connection it came by, if a later request on it may be known by that. Synchronous for a key in memory, and for a key that
   * certainly nobody owns.
   */
  admit(header: string | string[] | undefined, address: string, connection?: object): AccessVerdict | Promise<AccessVerdict>;
  /** Like `admit`, but consumes nothing and answers even when the allowance is spent (`GET /usage`). */
  inspect(header: string | string[] | undefined, address: string, connection?: object): AccessVerdict | Promise<AccessVerdict>;
  /** Null while the store is away and has not told this subscription's days before. */
  usage(caller: Caller): Promise<UsageReport | null>;
  /** What is left to subscriptions, by their ids; unknown ones are missing. Rejects with the store's error. */
  allowancesOf(subscriptionIds: readonly string[]): Promise<Map<string, Allowance>>;
  /** Tells at once and then of every change, at most twice a second, until the function it gives is called. */
  watch(subscriptionId: string, listener: (allowance: Allowance) => void): () => void;
  /** How long the store has been out of reach, ms; 0 while it answers. */
  storeAwayMs(): number;
  /** Writes the counters now. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
