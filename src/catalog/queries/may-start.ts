/** Whether an event is still to come: the one rule of it for rows, as `search/directory/event-records.ts` has it for the read model. */

import { type RawBuilder, sql } from 'kysely';

/** Of a row of `event`: it may still start from `now` (milliseconds) on; where no hour is known, until its day is over in the city. */
export function mayStart(now: number): RawBuilder<boolean> {
  const moment = new Date(now);
  return sql<boolean>`(event.starts_at >= date_trunc('day', ${moment}::timestamptz, coalesce((select timezone from city), 'UTC'))
    and (event.precision <> 'time' or event.starts_at >= ${moment}))`;
}
