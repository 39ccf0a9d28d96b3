/** Tables of who signs in, by what, and of what anyone did. */

import type { Generated } from 'kysely';
import type { Day, InstantColumn, MaybeInstantColumn, Numeric } from './columns.ts';

export interface SecretDigestTable {
  only_row: Generated<boolean>;
  salt: Buffer;
  digest: Buffer;
}

export interface SessionTable {
  id: string;
  account_id: string;
  token: string;
  expires_at: InstantColumn;
  ip_address: string | null;
  user_agent: string | null;
  created_at: InstantColumn;
  updated_at: InstantColumn;
}

export interface CredentialTable {
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

export interface VerificationTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: InstantColumn;
  created_at: InstantColumn;
  updated_at: InstantColumn;
}

export interface TwoFactorTable {
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

export interface PasskeyTable {
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
export interface TrialNetworkTable {
  /** As `siteNetwork` gives it. */
  network: string;
  day: Day;
  trials: number;
}

export interface EmailTable {
  account_id: string;
  kind: string;
  sent_at: InstantColumn;
}

export interface AuditTable {
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
