/** What the store itself needs: leases, the heads of the numbered lists, and how far lists and tables were cleaned up. */

import type { ColumnType } from 'kysely';
import type { InstantColumn, MaybeInstantColumn, Numeric } from './columns.ts';

interface LeaseTable {
  name: string;
  token: Numeric;
  until: InstantColumn;
}

interface ListHeadTable {
  list: 'change' | 'access_change';
  seq: Numeric;
  history: ColumnType<string, string | undefined, string>;
}

interface CleanUpTable {
  name: string;
  position: string;
  finished_at: MaybeInstantColumn;
}

/** All tables that `store` owns. */
export interface StoreTables {
  lease: LeaseTable;
  list_head: ListHeadTable;
  clean_up: CleanUpTable;
}
