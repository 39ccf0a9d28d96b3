/**
 * What ranking no longer looks at. Its series reach back 35 days (`ranking/momentum.ts`), and a score is explained as of the moment it
 * was computed. So nothing that is deleted here changes a score or a trend; a test compares them.
 */

import { sql, type Transaction } from 'kysely';
import type { Database } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';
import { walk } from './delete-old.ts';
import { type Batch, type DeletionStep, dayOf, daysBefore } from './model.ts';

/**
 * Appeal by day: the days of the baseline, and the last day before them, whose value held when they began. The event itself says the
 * latest value, so where that has held since before the baseline no other is needed.
 */
export function thinScoreHistory(batch: Batch): Promise<DeletionStep> {
  const cutoff = dayOf(daysBefore(batch.moments.directory, BASELINE_DAYS));
  return walk(batch, 'score_history', async (trx, after) => {
    const { ids, upTo } = await nextEvents(trx, 'score_history', after, batch.rows);
    const { numAffectedRows } = await sql`
      delete from score_history as old using event
      where old.event_id = any(${ids}::uuid[]) and event.id = old.event_id and old.day < ${cutoff}::date and (
        old.appeal is null or (event.appeal is not null and event.scored_day <= ${cutoff}::date) or exists (
          select from score_history as later where later.event_id = old.event_id and later.day > old.day
            and later.day <= ${cutoff}::date and later.appeal is not null))`.execute(trx);
    return { deleted: Number(numAffectedRows ?? 0), upTo };
  });
}

/** See `spareSignals`. */
export function thinSignals(batch: Batch): Promise<DeletionStep> {
  return walk(batch, 'signal', async (trx, after) => {
    const { ids, upTo } = await nextEvents(trx, 'signal', after, batch.rows);
    const { rows } = await sql<SignalRow>`
      select event_id, kind, observed_at, value, scored_at, greatest(starts_at, ends_at) as over_at
      from signal join event on event.id = event_id where event_id = any(${ids}::uuid[])`.execute(trx);
    const spare = [...Map.groupBy(rows, ({ event_id }) => event_id)].flatMap(([eventId, readings]) => {
      const [first] = readings;
      if (!first) return [];
      const facts = { now: batch.moments.directory, scoredAt: first.scored_at.getTime(), overAt: first.over_at.getTime() };
      const all = readings.map(({ kind, observed_at, value }) => ({ kind, at: observed_at.getTime(), value }));
      return spareSignals(all, facts).map(({ kind, at }) => ({ eventId, kind, at: new Date(at).toISOString() }));
    });
    if (spare.length === 0) return { deleted: 0, upTo };
    const { numAffectedRows } = await sql`
      delete from signal using unnest(${spare.map(({ eventId }) => eventId)}::uuid[], ${spare.map(({ kind }) => kind)}::text[],
        ${spare.map(({ at }) => at)}::timestamptz[]) as spare (event_id, kind, observed_at)
      where signal.event_id = spare.event_id and signal.kind = spare.kind and signal.observed_at = spare.observed_at`.execute(
      trx,
    );
    return { deleted: Number(numAffectedRows ?? 0), upTo };
  });
}

interface SignalRow {
  event_id: string;
  kind: string;
  observed_at: Date;
  value: number;
  scored_at: Date;
  over_at: Date;
}

/** The events of the next rows after an id, each with all its rows. */
async function nextEvents(
  trx: Transaction<Database>,
  table: 'score_history' | 'signal',
  after: string,
  rows: number,
): Promise<{ ids: string[]; upTo: string | null }> {
  const { rows: found } = await sql<{ id: string; read: number }>`
    select event_id as id, count(*)::int as read from (
      select event_id from ${sql.table(table)} where event_id > ${after || FIRST_ID}::uuid order by event_id limit ${rows}) as next
    group by event_id order by event_id`.execute(trx);
  const read = found.reduce((sum, each) => sum + each.read, 0);
  return { ids: found.map(({ id }) => id), upTo: read < rows ? null : (found.at(-1)?.id ?? null) };
}

interface SignalReading {
  kind: string;
  /** Milliseconds. */
  at: number;
  value: number;
}

interface EventMoments {
  now: number;
  /** As of when the event was scored last: its score is explained as of that moment. */
  scoredAt: number;
  /** Its end, or its start where no end is known. */
  overAt: number;
}

/**
 * All readings of the last `WHOLE_DAYS` before the last scoring stay, and the one before them. Of each UTC day of the baseline stay the
 * middle reading, which ranking takes for the day, the last one, and the highest where the middle would move without it. Tickets are
 * counted from the first day on, so all their days stay until the event is over.
 */
export function spareSignals(readings: readonly SignalReading[], { now, scoredAt, overAt }: EventMoments): SignalReading[] {
  if (overAt < now - EXPLAINED_DAYS * DAY_MS) return [...readings];
  const until = Math.min(now, scoredAt);
  const firstWhole = dayNumber(until - WHOLE_DAYS * DAY_MS);
  const firstOfBaseline = dayNumber(until - BASELINE_DAYS * DAY_MS);
  const isOver = overAt < now - OVER_DAYS * DAY_MS;
  return [...Map.groupBy(readings, ({ kind }) => kind)].flatMap(([kind, all]) => {
    const old = all.filter(({ at }) => dayNumber(at) < firstWhole).sort((a, b) => a.at - b.at);
    const kept = new Set(old.slice(-1));
    for (const [day, some] of isOver ? [] : Map.groupBy(old, ({ at }) => dayNumber(at))) {
      if (kind === COUNTED_FROM_THE_START || day >= firstOfBaseline) for (const reading of standIns(some)) kept.add(reading);
    }
    return old.filter((reading) => !kept.has(reading));
  });
}

/** Of the readings of one day, in the order of time: few that have the same middle and the same end as all of them. */
function standIns(readings: readonly SignalReading[]): SignalReading[] {
  const byValue = [...readings].sort((a, b) => Math.min(a.value, MAX_COUNTED) - Math.min(b.value, MAX_COUNTED) || a.at - b.at);
  const middle = Math.floor((byValue.length - 1) / 2);
  const last = readings.length === 0 ? -1 : byValue.indexOf(readings.at(-1) as SignalReading);
  const places = last < middle ? [middle, last, byValue.length - 1] : [middle, last];
  return places.flatMap((place) => byValue[place] ?? []);
}

const dayNumber = (at: number): number => Math.floor(at / DAY_MS);

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Scores look back 7 days. */
const WHOLE_DAYS = 10;
/** Trends look back 35 days. */
const BASELINE_DAYS = 40;
const OVER_DAYS = 60;
/** As long as the listings of an event are kept. */
const EXPLAINED_DAYS = 400;
const COUNTED_FROM_THE_START = 'tickets_sold';
/** As `ranking/series.ts` counts. */
const MAX_COUNTED = 1e10;
