/** Keys, what is left of their limits, and a first request with one, as pages show them. */

import type { KeyListing, KeyPlan } from '../../accounts/index.ts';

/** What is left of a day and a minute, as a page shows it. Instants in ms. */
export interface LeftNow {
  day: { limit: number; used: number; remaining: number; resetsAt: number };
  minute: { limit: number; used: number; remaining: number };
  /** When the day's requests end at the pace of the last hour; null: not today. */
  endsAt: number | null;
}

export interface SubscriptionShown {
  id: string;
  tier: string;
  plan: KeyListing['plan'];
  trialEndsAt: Date | null;
  /** Requests answer 402: the trial is over. */
  isOver: boolean;
  /** Keys that work, oldest first. */
  keys: { id: string; name: string; last4: string }[];
  left: LeftNow;
}

/** A key without its secret. */
export const showKey = ({ id, last4, plan }: { id: string; last4: string; plan: KeyPlan }): string =>
  `mq_${plan === 'test' ? 'test' : 'live'}_${id}_…${last4}`;

/** Whether requests with the key return 402: its plan is not active, or its trial is over. `now`: ms. */
export const isKeyClosed = ({ plan, trialEndsAt }: Pick<KeyListing, 'plan' | 'trialEndsAt'>, now: number): boolean =>
  plan === 'inactive' || (trialEndsAt !== null && trialEndsAt.getTime() <= now);

export type KeyOutcome = ShownKey | RefusedKeyForm;

export interface ShownKey {
  kind: 'shown';
  /** The whole key, in this one answer. */
  key: string;
  name: string;
  tier: string;
  /** False: the plan must be paid first. */
  isOpen: boolean;
  /** Of a rotation: how long the old key goes on. */
  grace: string | null;
  publicUrl: string;
}

export interface RefusedKeyForm {
  kind: 'refused';
  /** Of the key whose form it was; null: the form for a new one. */
  id: string | null;
  intent: string;
  errors: Record<string, string>;
  /** What was typed. */
  name: string;
  plan: string;
}

/** `key`: the whole key where it is at hand, else the variable that holds it. */
export function curlOf(publicUrl: string, key = '$MARQUEE_KEY'): string {
  return `curl -H "X-API-Key: ${key}" \\\n  '${publicUrl}/api/v1/events?limit=3'`;
}
