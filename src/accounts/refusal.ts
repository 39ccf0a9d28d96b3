/** What management refuses. A sentence is for the person who asked. */

import type { Refusal } from '../values/refusal.ts';
import { TIER_NAMES } from './tiers.ts';

export type AccountReason = keyof typeof SENTENCES;

/** `subject`: what the sentence names. */
export function refuse(reason: AccountReason, subject = ''): Refusal<AccountReason> {
  return { ok: false, reason, detail: SENTENCES[reason].replace('{}', () => subject.slice(0, MAX_SUBJECT_LENGTH)) };
}

const SENTENCES = {
  invalid_email: '"{}" is not an e-mail address.',
  duplicate_email: 'An account with the e-mail address {} already exists.',
  unknown_account: 'No account has the e-mail address {}.',
  unverified_account: 'The e-mail address {} has not been verified yet.',
  inactive_account: 'The account {} is not active.',
  unknown_tier: `"{}" is not a tier; the tiers are ${TIER_NAMES.join(', ')}.`,
  invalid_name: 'A key\u2019s name has 1 to 100 characters and no control characters.',
  trial_used: 'The trial of {} is used or over. Choose a tier for this key.',
  trial_network_full:
    'Too many trials have started from your network today. Try again tomorrow (UTC) or from another network, or choose a plan.',
  unknown_key: 'No key has the id {}.',
  unknown_subscription: 'No subscription or key has the id {}.',
  revoked_key: 'The key {} is already revoked.',
  expired_key: 'The key {} has already expired.',
  rotated_key: 'The key {} was already rotated. Rotate its newer key instead.',
  key_exists: 'This plan already has a key. Rotate that key instead.',
  test_key_exists: 'This account already has a test key of this tier: {}. Rotate or revoke that key instead.',
  too_many_keys: 'This account has as many keys as one account may have.',
  form_used: 'You already sent this form, and its key was shown then. If you lost the key, rotate it.',
  unknown_grace: '"{}" is not a grace period; choose 0, 1h, 24h or 7d.',
} as const;

const MAX_SUBJECT_LENGTH = 254;
