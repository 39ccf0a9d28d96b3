/** The minutes of all processes: those of this one on their way into the table, and those of the last 90 days out of it. */

import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AnswerTotals } from '../api/index.ts';
import type { Clock } from '../clock.ts';
import { type Database, limitQueries } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';
import {
  addTallies,
  answersOf,
  bySurface,
  createMinuteRecorder,
  durationWithin,
  failedShareOf,
  failuresOf,
  MINUTE_MS,
  type MinuteTallies,
  minuteOf,
  NO_ANSWERS,
  NOTHING,
  slowOf,
  sumOf,
  type Tally,
} from './minute-recorder.ts';
import { type DayReport, type ServiceHealth, SURFACES, type SurfaceName, type SurfaceReport } from './model.ts';

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

/*
 * Ninety days in a few kilobytes: finished days as sums, yesterday and today as minutes.
 *
 * The availability of a minute is the share of its answers that did not fail; 1 where nothing was requested, 0 where no process was running.
 * That of a day is the mean of its minutes. Minutes before the first known one do not count.
 */

interface DaySums {
  /** Minutes in which a process was running. */
  running: number;
  surfaces: Record<SurfaceName, { /** Minutes that failures cost. */ lost: number; tally: Tally }>;
}

interface MinuteHistory {
  /** Minutes as they are stored; those that are known are replaced. */
  put(minutes: ReadonlyMap<number, MinuteTallies>): void;
  /** A whole day, which does not change any more. */
  putDay(day: number, minutes: ReadonlyMap<number, MinuteTallies>): void;
  /** The service was up in this minute at the latest. */
  noteFirst(minute: number): void;
  /** The last 90 days up to `minute`, the oldest first. `unsaved`: minutes that are not stored yet. */
  days(minute: number, unsaved: ReadonlyMap<number, MinuteTallies>): Record<SurfaceName, DayReport[]>;
  /** Of the minutes from `from` to `to`. */
  tallyOf(from: number, to: number, unsaved: ReadonlyMap<number, MinuteTallies>): MinuteTallies;
}

function createHistory(): MinuteHistory {
  const days = new Map<number, DaySums>();
  const recent = new Map<number, MinuteTallies>();
  let first = Number.POSITIVE_INFINITY;

  /** Days that are over become sums; those that nobody is shown are forgotten. */
  function fold(today: number): void {
    const over = [...recent.keys()].filter((minute) => dayOf(minute) < today - 1);
    for (const [day, numbers] of Map.groupBy(over, dayOf)) {
      days.set(day, sumUp(numbers.map((number) => recent.get(number) ?? NOTHING)));
      for (const number of numbers) recent.delete(number);
    }
    for (const day of days.keys()) if (day <= today - SHOWN_DAYS) days.delete(day);
  }

  return {
    put(minutes) {
      for (const [minute, tallies] of minutes) recent.set(minute, tallies);
    },
    putDay(day, minutes) {
      days.set(day, sumUp([...minutes.values()]));
    },
    noteFirst(minute) {
      first = Math.min(first, minute);
    },
    days(minute, unsaved) {
      const today = dayOf(minute);
      fold(today);
      const merged = Map.groupBy(merge(recent, unsaved), ([number]) => dayOf(number));
      const known = Math.min(first, ...recent.keys(), ...unsaved.keys());
      const shown = Array.from({ length: SHOWN_DAYS }, (_, i) => {
        const day = today - SHOWN_DAYS + 1 + i;
        const counted = Math.max(0, Math.min((day + 1) * DAY_MINUTES, minute + 1) - Math.max(day * DAY_MINUTES, known));
        return { day, counted, sums: days.get(day) ?? sumUp(merged.get(day)?.map(([, tallies]) => tallies) ?? []) };
      });
      return bySurface((surface) => shown.map((each) => describeDay(surface, each)));
    },
    tallyOf(from, to, unsaved) {
      let sum = NOTHING;
      for (let minute = from; minute <= to; minute += 1) {
        for (const minutes of [recent, unsaved]) sum = sumOf(sum, minutes.get(minute) ?? NOTHING);
      }
      return sum;
    },
  };
}

function merge(
  stored: ReadonlyMap<number, MinuteTallies>,
  unsaved: ReadonlyMap<number, MinuteTallies>,
): Map<number, MinuteTallies> {
  const merged = new Map(stored);
  for (const [minute, tallies] of unsaved) merged.set(minute, sumOf(merged.get(minute) ?? NOTHING, tallies));
  return merged;
}

function sumUp(minutes: readonly MinuteTallies[]): DaySums {
  const surfaces = bySurface((): { lost: number; tally: Tally } => ({ lost: 0, tally: NO_ANSWERS }));
  for (const tallies of minutes) {
    for (const surface of SURFACES) {
      const sums = surfaces[surface];
      sums.lost += failedShareOf(tallies[surface]);
      sums.tally = addTallies(sums.tally, tallies[surface]);
    }
  }
  return { running: minutes.length, surfaces };
}

function describeDay(surface: SurfaceName, { day, counted, sums }: { day: number; counted: number; sums: DaySums }): DayReport {
  const { lost, tally } = sums.surfaces[surface];
  const down = Math.max(0, counted - sums.running);
  return {
    date: new Date(day * DAY_MS).toISOString().slice(0, 10),
    counted,
    down,
    availability: counted === 0 ? null : Math.max(0, 1 - (down + lost) / counted),
    answers: answersOf(tally),
    failed: failuresOf(tally),
    slow: slowOf(tally),
    p50: durationWithin(tally, 0.5),
    p95: durationWithin(tally, 0.95),
    p99: durationWithin(tally, 0.99),
  };
}

/** Over all minutes that count. */
function availabilityOf(days: readonly DayReport[]): number | null {
  const counted = days.reduce((sum, day) => sum + day.counted, 0);
  if (counted === 0) return null;
  return days.reduce((sum, { availability, counted }) => sum + (availability ?? 0) * counted, 0) / counted;
}

const dayOf = (minute: number): number => Math.floor(minute / DAY_MINUTES);
const firstMinuteOf = (day: number): number => day * DAY_MINUTES;

const SHOWN_DAYS = 90;
const DAY_MINUTES = minuteOf(DAY_MS);
const DAY_QUERY_MS = 30_000;
/** Other processes store their minutes a moment later. */
const READ_AGAIN_MINUTES = 15;
const LATELY_MINUTES = 5;
const MIN_ANSWERS = 20;
const DEGRADED_SHARE = 0.05;
const OUTAGE_SHARE = 0.5;
