/** What management refuses, as values. `detail` is one sentence for the person who asked. */

import { TIER_NAMES } from './tiers.ts';

export interface Refusal {
  ok: false;
  reason: RefusalReason;
  detail: string;
}

export type RefusalReason = keyof typeof SENTENCES;

export function refuse(reason: RefusalReason, subject = ''): Refusal {
  return { ok: false, reason, detail: SENTENCES[reason].replace('{}', () => subject.slice(0, LONGEST_SUBJECT)) };
}

const SENTENCES = {
  invalid_email: '"{}" is not an e-mail address.',
  duplicate_email: 'There is an account with the e-mail address {} already.',
  unknown_account: 'There is no account with the e-mail address {}.',
  unverified_account: 'The e-mail address {} has not been verified yet.',
  inactive_account: 'The account {} is not active.',
  unknown_tier: `"{}" is not a tier; the tiers are ${TIER_NAMES.join(', ')}.`,
  invalid_name: 'A key\u2019s name has 1 to 100 characters and no control characters.',
  trial_used: 'The trial of {} is used or over: choose a tier for this key.',
  trial_network_full:
    'Too many trials have started from your network today. Try again tomorrow (UTC) or from another network, or choose a plan.',
  unknown_key: 'There is no key with the id {}.',
  unknown_subscription: 'There is no subscription or key with the id {}.',
  revoked_key: 'The key {} is revoked already.',
  expired_key: 'The key {} has expired already.',
  rotated_key: 'The key {} was rotated already: rotate the key that took its place.',
  key_exists: 'This plan has a key already: rotate it instead.',
  too_many_keys: 'This account has as many keys as one account may have.',
  form_used: 'This form was sent before, and its key was shown then. If it is lost, rotate it.',
  unknown_grace: '"{}" is not a grace period; choose 0, 1h, 24h or 7d.',
} as const;

const LONGEST_SUBJECT = 254;
