/** Files of records that customers asked for. */

import type { Generated } from 'kysely';
import type { InstantColumn, MaybeInstantColumn, MaybeNumeric } from './columns.ts';

interface ExportRequestTable {
  id: string;
  account_id: string;
  /** Null: everything. */
  feed_id: string | null;
  format: string;
  /** Null: records as the detail endpoint answers them. */
  columns: string[] | null;
  repeat: string;
  created_at: InstantColumn;
  next_at: MaybeInstantColumn;
  removed_at: MaybeInstantColumn;
}

interface ExportTable {
  id: string;
  request_id: string;
  account_id: string;
  state: string;
  queued_at: InstantColumn;
  started_at: MaybeInstantColumn;
  finished_at: MaybeInstantColumn;
  expires_at: MaybeInstantColumn;
  /** Of the process that works on it. */
  claim: string | null;
  lease_until: MaybeInstantColumn;
  attempts: Generated<number>;
  /** Null until it is written. */
  is_full: boolean | null;
  rows: MaybeNumeric;
  bytes: MaybeNumeric;
  /** The bytes of `manifest.json`: the order of its members is signed. */
  manifest: string | null;
  error: string | null;
  /** Since when the storage has not answered this export; null while it does. */
  storage_away_since: MaybeInstantColumn;
  /** Attempts that failed for it. */
  storage_tries: Generated<number>;
  /** It is not tried before. */
  retry_at: MaybeInstantColumn;
}

interface ExportLinkTable {
  /** SHA-256 of the token. */
  digest: Buffer;
  request_id: string;
  last4: string;
  created_at: InstantColumn;
  revoked_at: MaybeInstantColumn;
}

/** All tables that `exports` owns. */
export interface ExportsTables {
  export_request: ExportRequestTable;
  export: ExportTable;
  export_link: ExportLinkTable;
}
