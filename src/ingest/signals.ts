/** The recorded observations of events. */

import { type Kysely, sql } from 'kysely';
import type { Signal, SignalKind } from '../catalog/index.ts';
import type { Database } from '../store/index.ts';

/** All observations of these events, by event. */
export async function readSignals(db: Kysely<Database>, eventIds: readonly string[]): Promise<Map<string, Signal[]>> {
  if (eventIds.length === 0) return new Map();
  const rows = await db.selectFrom('signal').selectAll().where('event_id', '=', sql<string>`any(${eventIds}::uuid[])`).execute();
  const signals = rows.map((row) => ({
    eventId: row.event_id,
    signal: { kind: row.kind as SignalKind, value: row.value, observedAt: row.observed_at.getTime() },
  }));
  const byEvent = Map.groupBy(signals, ({ eventId }) => eventId);
  return new Map([...byEvent].map(([eventId, entries]) => [eventId, entries.map(({ signal }) => signal)]));
}
