/** Accounts, their plans and keys; who signs in, by what, and what anyone did; what was used. */

import type { Generated } from 'kysely';
import type { Day, InstantColumn, MaybeInstantColumn, Numeric } from './columns.ts';

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

interface SecretDigestTable {
  only_row: Generated<boolean>;
  salt: Buffer;
  digest: Buffer;
}

interface SessionTable {
  id: string;
  account_id: string;
  token: string;
  expires_at: InstantColumn;
  ip_address: string | null;
  user_agent: string | null;
  created_at: InstantColumn;
  updated_at: InstantColumn;
}

interface CredentialTable {
  id: string;
  account_id: string;
  provider: string;
  provider_account: string;
  password: string | null;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: MaybeInstantColumn;
  refresh_token_expires_at: MaybeInstantColumn;
  scope: string | null;
  created_at: InstantColumn;
  updated_at: InstantColumn;
}

interface VerificationTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: InstantColumn;
  created_at: InstantColumn;
  updated_at: InstantColumn;
}

interface TwoFactorTable {
  id: string;
  account_id: string;
  secret: string;
  backup_codes: string;
  verified: Generated<boolean>;
  failures: Generated<number>;
  locked_until: MaybeInstantColumn;
  /** Of the last code that was taken; time steps since 1970 (RFC 6238, 4.2). */
  last_step: Generated<number | null>;
}

interface PasskeyTable {
  id: string;
  account_id: string;
  name: string | null;
  public_key: string;
  credential_id: string;
  counter: Numeric;
  device_type: string;
  backed_up: boolean;
  transports: string | null;
  aaguid: string | null;
  created_at: MaybeInstantColumn;
}

/** How many trials began from a network on a day. */
interface TrialNetworkTable {
  /** As `siteNetwork` gives it. */
  network: string;
  day: Day;
  trials: number;
}

interface EmailTable {
  account_id: string;
  kind: string;
  sent_at: InstantColumn;
}

interface AuditTable {
  id: string;
  at: InstantColumn;
  actor_id: string | null;
  actor: string;
  action: string;
  subject: string;
  subject_id: string | null;
  detail: Generated<Record<string, unknown>>;
  address: string | null;
}

interface UsageDayTable {
  subscription_id: string;
  day: Day;
  requests: Numeric;
}

interface UsageHourTable {
  key_id: string;
  hour: InstantColumn;
  endpoint: string;
  status: number;
  requests: number;
}

interface UsageDetailTable {
  key_id: string;
  day: Day;
  endpoint: string;
  status: number;
  requests: Numeric;
}

interface UsageSummaryTable {
  account_id: string;
  at: InstantColumn;
  kind: string;
  label: string;
  requests: Numeric;
  refused: Numeric;
}

interface UsageKeyHourTable {
  key_id: string;
  hour: InstantColumn;
  requests: Numeric;
  refused: Numeric;
}

interface UsageWriterTable {
  id: string;
  batch: Numeric;
  at: InstantColumn;
}

interface ServingProcessTable {
  id: string;
  started_at: InstantColumn;
  seen_at: InstantColumn;
  shares_limits: boolean;
}

interface RequestMinuteTable {
  subscription_id: string;
  writer: string;
  written_at: InstantColumn;
  ages: Buffer;
}
