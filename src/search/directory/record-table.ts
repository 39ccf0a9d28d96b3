/** The records of one kind: a slot for each id, for ever, and a row of columns for each slot. */

import type { Lifecycle } from '../rows.ts';
import { createColumns } from '../structures/columns.ts';
import { UuidTable } from '../structures/uuid-table.ts';
import { type EVENT_COLUMNS, STATES, type VENUE_COLUMNS } from './record-columns.ts';

/** A table that was saved: its ids, and the bytes of each column by name. */
export interface HeldRecords {
  ids: Uint32Array;
  count: number;
  bytes: ReadonlyMap<string, Uint8Array>;
}

export type EventRecordTable = ReturnType<typeof createRecordTable<typeof EVENT_COLUMNS>>;
export type VenueRecordTable = ReturnType<typeof createRecordTable<typeof VENUE_COLUMNS>>;

export function createRecordTable<S extends typeof EVENT_COLUMNS | typeof VENUE_COLUMNS>(schema: S, held?: HeldRecords) {
  const ids = new UuidTable(held?.ids);
  const columns = createColumns(schema, held);
  return {
    ids,
    columns,
    /** The slot of an id; a new one when it has none. */
    claim(id: string): number {
      const slot = ids.claim(id);
      columns.grow(slot + 1);
      return slot;
    },
  };
}

/** `claim`: of the same table. */
export function setLifecycle(
  at: { state: Uint8Array; mergedInto: Uint32Array },
  slot: number,
  { state, mergedInto }: Lifecycle,
  claim: (id: string) => number,
): void {
  const survivor = mergedInto === null ? 0 : claim(mergedInto);
  at.state[slot] = STATES[state];
  at.mergedInto[slot] = survivor;
}
