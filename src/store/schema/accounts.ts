/** Accounts, their plans and keys. Who signs in is in `people.ts`, what was used is in `usage.ts`. */

import type { Generated } from 'kysely';
import type { InstantColumn, MaybeInstantColumn, Numeric } from './columns.ts';
import type {
  AuditTable,
  CredentialTable,
  EmailTable,
  PasskeyTable,
  SecretDigestTable,
  SessionTable,
  TrialNetworkTable,
  TwoFactorTable,
  VerificationTable,
} from './people.ts';
import type {
  RequestMinuteTable,
  ServingProcessTable,
  UsageDayTable,
  UsageDetailTable,
  UsageHourTable,
  UsageKeyHourTable,
  UsageSummaryTable,
  UsageWriterTable,
} from './usage.ts';

interface AccountTable {
  id: string;
  email: string;
  email_lower: string;
  email_verified_at: MaybeInstantColumn;
  default_tier: string | null;
  status: Generated<string>;
  is_operator: Generated<boolean>;
  created_at: InstantColumn;
  name: Generated<string>;
  image: string | null;
  /** As `email_verified_at` is set. */
  email_verified: Generated<boolean>;
  two_factor_enabled: Generated<boolean>;
  updated_at: InstantColumn;
}

interface SubscriptionTable {
  id: string;
  account_id: string;
  tier: string;
  status: string;
  trial_ends_at: MaybeInstantColumn;
  /** SHA-256, hexadecimal, of the mailbox that has the trial. */
  trial_mailbox: string | null;
  created_at: InstantColumn;
}

interface ApiKeyTable {
  id: string;
  subscription_id: string;
  name: string;
  secret_hash: Buffer;
  last4: string;
  created_at: InstantColumn;
  expires_at: MaybeInstantColumn;
  revoked_at: MaybeInstantColumn;
  last_used_at: MaybeInstantColumn;
  /** Digest of the form that asked for it; null when none did. */
  form: string | null;
}

interface AccessChangeTable {
  seq: Numeric;
  at: InstantColumn;
  subscription_id: string;
}

/** All tables that `accounts` owns. */
export interface AccountsTables {
  account: AccountTable;
  subscription: SubscriptionTable;
  api_key: ApiKeyTable;
  trial_network: TrialNetworkTable;
  session: SessionTable;
  secret_digest: SecretDigestTable;
  credential: CredentialTable;
  verification: VerificationTable;
  two_factor: TwoFactorTable;
  passkey: PasskeyTable;
  letter: EmailTable;
  audit: AuditTable;
  usage_day: UsageDayTable;
  usage_hour: UsageHourTable;
  usage_detail: UsageDetailTable;
  usage_summary: UsageSummaryTable;
  usage_key_hour: UsageKeyHourTable;
  usage_writer: UsageWriterTable;
  request_minute: RequestMinuteTable;
  serving_process: ServingProcessTable;
  access_change: AccessChangeTable;
}
