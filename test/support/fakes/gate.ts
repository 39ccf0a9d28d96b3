/** A gate of scripted verdicts that counts: one key of each kind, so that tests of the API can meet every outcome. */

import { type AccessVerdict, type Allowance, type Caller, type Gate, TIERS, type TierName } from '../../../src/accounts/index.ts';

/** What a key of this name meets. Each is sent as it stands. */
export const FAKE_KEYS = {
  starter: 'mq_live_starter',
  growth: 'mq_live_growth',
  enterprise: 'mq_live_enterprise',
  revoked: 'mq_live_revoked',
  expired: 'mq_live_expired',
  trialEnded: 'mq_live_trialEnded',
  inactive: 'mq_live_inactive',
  overMinute: 'mq_live_overMinute',
  overDay: 'mq_live_overDay',
  overUnknown: 'mq_live_overUnknown',
  crowded: 'mq_live_crowded',
  unavailable: 'mq_live_unavailable',
  slow: 'mq_live_slow',
} as const;

export interface FakeGate extends Gate {
  used(): number;
  refunded(): number;
  /** How metered requests were answered: template and status, oldest first. */
  settled(): readonly string[];
  /** From now on `usage` waits like the slow key. */
  holdUsage(): void;
  /** Requests that wait: of the slow key, or for the usage. */
  waiting(): number;
  /** Lets the waiting requests go on. */
  release(): void;
}

export function createFakeGate(): FakeGate {
  let used = 0;
  let refunded = 0;
  const settled: string[] = [];
  let waiting: (() => void)[] = [];
  let isUsageHeld = false;

  const allowanceOf = (tier: TierName, spent: number): Allowance => ({
    tier,
    day: {
      limit: TIERS[tier].perDay,
      used: spent,
      remaining: Math.max(0, TIERS[tier].perDay - spent),
      resetsAt: Date.parse('2026-06-17T00:00:00Z'),
    },
    minute: { limit: TIERS[tier].perMinute, used: 1, remaining: TIERS[tier].perMinute - 1, freesInSeconds: 60 },
  });
  const callerOf = (tier: TierName): Caller => ({ keyId: `id-${tier}`, subscriptionId: 's', accountId: 'a', tier });

  const admitted = (
    tier: TierName,
    consume: boolean,
    accessStatus: 'active' | 'trial_expired' | 'subscription_inactive' = 'active',
  ): AccessVerdict => {
    if (consume) used++;
    let given = false;
    return {
      ok: true,
      caller: callerOf(tier),
      allowance: allowanceOf(tier, used),
      accessStatus,
      recordOutcome(endpoint, status) {
        if (!given && consume) settled.push(`${endpoint} ${status}`);
        if (!given && consume && status >= 500) refunded++;
        given = true;
      },
    };
  };

  const decide = (header: string | string[] | undefined, consume: boolean): AccessVerdict | Promise<AccessVerdict> => {
    if (header === undefined || header === '') return { ok: false, reason: 'missing' };
    switch (header) {
      case FAKE_KEYS.starter:
      case FAKE_KEYS.growth:
      case FAKE_KEYS.enterprise:
        return admitted(header.slice('mq_live_'.length) as TierName, consume);
      case FAKE_KEYS.revoked:
        return { ok: false, reason: 'revoked' };
      case FAKE_KEYS.expired:
        return { ok: false, reason: 'expired' };
      case FAKE_KEYS.trialEnded:
        return admitted('enterprise', consume, 'trial_expired');
      case FAKE_KEYS.inactive:
        return admitted('enterprise', consume, 'subscription_inactive');
      case FAKE_KEYS.overMinute:
      case FAKE_KEYS.overDay: {
        const reason = header === FAKE_KEYS.overDay ? 'day' : 'minute';
        const allowance = allowanceOf('enterprise', reason === 'day' ? 100_000 : 5);
        if (!consume) return { ...(admitted('enterprise', false) as Extract<AccessVerdict, { ok: true }>), allowance };
        return {
          ok: false,
          reason,
          caller: callerOf('enterprise'),
          allowance,
          retryAfterSeconds: reason === 'day' ? 14_400 : 17,
        };
      }
      case FAKE_KEYS.overUnknown:
        return { ok: false, reason: 'unknown_key_limit', retryAfterSeconds: 9 };
      case FAKE_KEYS.unavailable:
        return { ok: false, reason: 'unavailable' };
      case FAKE_KEYS.crowded:
        return { ok: false, reason: 'crowded' };
      case FAKE_KEYS.slow:
        return new Promise((resolve) => waiting.push(() => resolve(admitted('enterprise', consume))));
      default:
        return { ok: false, reason: 'invalid' };
    }
  };

  return {
    admit: (header) => decide(header, true),
    inspect: (header) => decide(header, false),
    async usage(caller) {
      if (isUsageHeld) await new Promise<void>((resolve) => waiting.push(resolve));
      return { allowance: allowanceOf(caller.tier, used), days: [{ date: '2026-06-16', requests: used }] };
    },
    holdUsage() {
      isUsageHeld = true;
    },
    allowancesOf: async (ids) => new Map(ids.map((id) => [id, allowanceOf('starter', used)])),
    watch: () => () => {},
    storeAwayMs: () => 0,
    flush: async () => {},
    close: async () => {},
    used: () => used,
    refunded: () => refunded,
    settled: () => settled,
    waiting: () => waiting.length,
    release() {
      isUsageHeld = false;
      for (const go of waiting) go();
      waiting = [];
    },
  };
}
