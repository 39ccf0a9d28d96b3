/** Whether an event is still to come: the one rule of it for rows, as `search/directory/event-records.ts` has it for the read model. */

import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../values/duration.ts';

/** Of a row of `event`: it may still start from `now` (milliseconds) on; where no hour is known, until its day is over in the city. */
export function mayStart(now: number): RawBuilder<boolean> {
  const moment = sql`${new Date(now)}::timestamptz`;
  const dayOf = (at: RawBuilder<unknown>) => sql`(${at} at time zone coalesce((select timezone from city), 'UTC'))::date`;
  // The bound, below which no day of any city goes on, is for the index. Days are compared, not their midnights: some come twice.
  return sql<boolean>`(event.starts_at >= ${new Date(now - 2 * DAY_MS)} and (event.starts_at >= ${moment}
    or (event.precision <> 'time' and ${dayOf(sql`event.starts_at`)} >= ${dayOf(moment)})))`;
}
