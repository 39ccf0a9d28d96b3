/** The minutes of all processes: those of this one on their way into the table, and those of the last 90 days out of it. */

import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AnswerTotals } from '../../api/index.ts';
import type { Clock } from '../../clock.ts';
import { type Database, limitQueries } from '../../store/index.ts';
import { type ServiceHealth, SURFACES, type SurfaceName, type SurfaceReport } from '../model.ts';
import { availabilityOf, createHistory, dayOf, firstMinuteOf, SHOWN_DAYS } from './history.ts';
import { createMinuteRecorder, MINUTE_MS, type MinuteTallies, minuteOf, NOTHING, sumOf } from './recorder.ts';
import { answersOf, failedShareOf, type Tally } from './tally.ts';

export interface ServiceMinutes {
  /** Stores what is finished, with `all` also the minute that runs, and reads what others have stored. */
  store(all?: boolean): Promise<void>;
  /** Day by day, so that no other work waits for long. */
  readHistory(ending: AbortSignal): Promise<void>;
  /** Whether the stored minutes were read. */
  isComplete(): boolean;
  /** From memory. */
  report(): SurfaceReport[];
}

/** `now`: the limits' clock. */
export function createServiceMinutes(
  db: Kysely<Database>,
  now: Clock,
  readTotals: (surface: SurfaceName) => AnswerTotals,
): ServiceMinutes {
  const writer = randomUUID();
  const recorder = createMinuteRecorder(readTotals, now);
  const history = createHistory();
  let isComplete = false;

  return {
    store: (all) =>
      recorder.handOver(async (minutes) => {
        await writeMinutes(db, writer, minutes);
        const minute = minuteOf(now());
        const from = Math.min(minute - READ_AGAIN_MINUTES, ...minutes.keys());
        history.put(await loadMinutes(db, from, minute + 1));
      }, all),

    async readHistory(ending) {
      const first = await loadFirstMinute(db);
      const today = dayOf(minuteOf(now()));
      if (first !== null) history.noteFirst(first);
      const oldest = first === null ? today : Math.max(dayOf(first), today - SHOWN_DAYS + 1);
      for (let day = today; day >= oldest && !ending.aborted; day -= 1) {
        const minutes = await limitQueries(DAY_QUERY_MS, () => loadMinutes(db, firstMinuteOf(day), firstMinuteOf(day + 1)));
        if (day >= today - 1) history.put(minutes);
        else history.putDay(day, minutes);
      }
      isComplete = true;
    },

    isComplete: () => isComplete,

    report() {
      const unsaved = recorder.unsaved();
      const minute = minuteOf(now());
      const days = history.days(minute, unsaved);
      const lately = history.tallyOf(minute - LATELY_MINUTES, minute, unsaved);
      return SURFACES.map((name) => ({
        name,
        state: healthOf(lately[name]),
        availability: availabilityOf(days[name]),
        days: days[name],
      }));
    },
  };
}

/** A few failures among few answers say nothing. */
function healthOf(lately: Tally): ServiceHealth {
  if (answersOf(lately) < MIN_ANSWERS) return 'operational';
  const share = failedShareOf(lately);
  if (share >= OUTAGE_SHARE) return 'outage';
  return share >= DEGRADED_SHARE ? 'degraded' : 'operational';
}

/** A minute that this writer has stored already stays as it is: a batch may be sent twice. */
async function writeMinutes(db: Kysely<Database>, writer: string, minutes: ReadonlyMap<number, MinuteTallies>): Promise<void> {
  if (minutes.size === 0) return;
  const rows = [...minutes].map(([minute, { api, pages, mcp }]) => ({
    minute: new Date(minute * MINUTE_MS),
    writer,
    api: [...api],
    pages: [...pages],
    mcp: [...mcp],
  }));
  await db
    .insertInto('service_minute')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Of all processes together, by number; from `from` on and before `to`. */
async function loadMinutes(db: Kysely<Database>, from: number, to: number): Promise<Map<number, MinuteTallies>> {
  const rows = await db
    .selectFrom('service_minute')
    .select(['minute', 'api', 'pages', 'mcp'])
    .where('minute', '>=', new Date(from * MINUTE_MS))
    .where('minute', '<', new Date(to * MINUTE_MS))
    .execute();
  const minutes = new Map<number, MinuteTallies>();
  for (const { minute, ...tallies } of rows) {
    const number = minuteOf(minute.getTime());
    minutes.set(number, sumOf(minutes.get(number) ?? NOTHING, tallies));
  }
  return minutes;
}

/** Null: nothing is stored. */
async function loadFirstMinute(db: Kysely<Database>): Promise<number | null> {
  const row = await db.selectFrom('service_minute').select('minute').orderBy('minute').limit(1).executeTakeFirst();
  return row ? minuteOf(row.minute.getTime()) : null;
}

const DAY_QUERY_MS = 30_000;
/** Other processes store their minutes a moment later. */
const READ_AGAIN_MINUTES = 15;
const LATELY_MINUTES = 5;
const MIN_ANSWERS = 20;
const DEGRADED_SHARE = 0.05;
const OUTAGE_SHARE = 0.5;
