/** The numbered lists that others follow. */

import type { Generated, JSONColumnType } from 'kysely';
import type { InstantColumn, Numeric } from './columns.ts';

export interface ListHeadTable {
  list: 'change' | 'access_change';
  seq: Numeric;
}

export interface ChangeTable {
  seq: Numeric;
  at: InstantColumn;
  kind: string;
  entity: string;
  entity_id: string | null;
  /** Previous values of the public fields that changed, by field. */
  previous: JSONColumnType<object> | null;
}

/** One row. */
export interface ChangeLogTable {
  only_row: Generated<boolean>;
  epoch: string;
  public_url: string | null;
}

export interface AccessChangeTable {
  seq: Numeric;
  at: InstantColumn;
  subscription_id: string;
}
