/** Sources and their runs as lists and pages of the desk show them, and what an operator does to them. */

import { setTimeout as delay } from 'node:timers/promises';
import {
  IngestError,
  type OverseenSource,
  type RunLine,
  redactKeys,
  releaseSource,
  setSourceState,
  type WholeRun,
  wantRun,
} from '../../ingest/index.ts';
import type { StartPrecision } from '../../records/index.ts';
import type { ChangeView, DifferenceView, Excerpt, Part } from '../model/desk.ts';
import type { Act, MomentFormat } from './desk.ts';
import type { Rooms } from './rooms.ts';

export function viewRun({ id, source, kind, state, startedAt, finishedAt, summary, error }: RunLine, moments: MomentFormat) {
  return {
    id,
    source,
    kind,
    state,
    summary,
    started: moments.format(startedAt),
    /** Null while it runs. */
    seconds: finishedAt === null ? null : Math.max(0, Math.round((finishedAt - startedAt) / 1000)),
    error: error === null ? null : redactKeys(error),
  };
}

export type SourceView = ReturnType<typeof viewSource>;

export function viewSource(source: OverseenSource, moments: MomentFormat) {
  const { id, name, kind, location, everySeconds, trust, condition, lastError, failures, isReleased, state } = source;
  return {
    id,
    name,
    kind,
    location,
    trust,
    condition,
    lastError,
    failures,
    isReleased,
    state,
    schedule: everySeconds === null ? null : formatEvery(everySeconds),
    next: moments.maybe(source.nextRunAt),
    lastRun: moments.maybe(source.lastRunAt),
    fresh: moments.maybe(source.lastOkAt),
    last: source.last && viewRun(source.last, moments),
  };
}

/** `every hour`, `every 30 minutes`. */
function formatEvery(seconds: number): string {
  const [size, unit] = UNITS.find(([size]) => seconds % size === 0) ?? [1, 'second'];
  const count = seconds / size;
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}

/** As the address asks for it; a page that is not there is the nearest one. */
export function readExcerpt({ searchParams }: URL, { report }: WholeRun): Excerpt & { pages: number } {
  const asked = searchParams.get('part') ?? '';
  if (!report || !isPart(asked, report.difference)) return { part: null, page: 1, pages: 1 };
  const pages = Math.max(1, Math.ceil(report.difference[asked].length / LINES_A_PAGE));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(searchParams.get('page'))) || 1));
  return { part: asked, page, pages };
}

/** Venues have no page of their own. */
const isPart = (asked: string, difference: object): asked is Part => asked !== 'venues' && Object.hasOwn(difference, asked);

export function viewDifference(
  { report, summary }: WholeRun,
  moments: MomentFormat,
  { part: only, page }: Excerpt,
): DifferenceView | null {
  if (!report) return null;
  const [first, most] = only === null ? [0, FEW_LINES] : [(page - 1) * LINES_A_PAGE, LINES_A_PAGE];
  const { created, changed, merged, cancelled, vanished } = report.difference;
  const part = (name: Part, lines: readonly Partial<Line>[]) => ({
    total: summary?.[name] ?? lines.length,
    kept: lines.length,
    lines: (only === null || only === name ? lines.slice(first, first + most) : []).map((line) => viewLine(line, moments)),
  });
  return {
    created: part('created', created),
    changed: part('changed', changed),
    merged: part('merged', merged),
    cancelled: part('cancelled', cancelled),
    vanished: part('vanished', vanished),
  };
}

interface Line {
  id: string;
  title: string;
  start: string;
  precision: StartPrecision;
  into: string;
  fields: Record<string, [before: unknown, after: unknown]>;
}

function viewLine(line: Partial<Line>, moments: MomentFormat): ChangeView {
  const { id = '', title = '', start, precision = 'time', into, fields = {} } = line;
  const startsAt = start === undefined ? Number.NaN : Date.parse(start);
  const moment = Number.isNaN(startsAt) ? null : moments.start(startsAt, precision);
  const [precisionBefore] = (fields.precision ?? [precision]) as [StartPrecision];
  return {
    id,
    title,
    into: into ?? null,
    start: moment && { iso: moment.iso, text: moment.text },
    fields: Object.entries(fields).map(([name, [before, after]]) => ({
      name,
      before: formatValue(name, before, { moments, precision: precisionBefore }),
      after: formatValue(name, after, { moments, precision }),
    })),
  };
}

interface EventClock {
  moments: MomentFormat;
  precision: StartPrecision;
}

function formatValue(name: string, value: unknown, { moments, precision }: EventClock): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if ((name === 'start' || name === 'end') && typeof value === 'string') return moments[name](Date.parse(value), precision).text;
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

type Undone = { ok: true; outcome: 'undone' | 'undoing' } | { ok: false; reason: string };

/** Undoes a run: begun once, waited for as long as a reader waits. `undoing`: it goes on in the background. Refusals are sentences. */
export function undoRun({ once, note }: Act, { runs, ending }: Rooms, run: RunLine): Promise<Undone> {
  return once(async () => {
    const undo = runs.undo(run.id).then(
      async (): Promise<Undone> => {
        await note({ action: 'run.undo', subject: 'run', subjectId: run.id, detail: { source: run.source?.name ?? null } });
        return { ok: true, outcome: 'undone' };
      },
      (error: unknown): Undone => {
        if (!(error instanceof IngestError)) throw error;
        return { ok: false, reason: `The run cannot be undone: ${error.message}.` };
      },
    );
    // Nobody may wait any more when it fails. The failure is logged already and must not end the service.
    undo.catch(() => undefined);
    const patience = delay(PATIENCE_MS, { ok: true, outcome: 'undoing' } as const, { signal: ending, ref: false });
    return Promise.race([undo, patience]);
  });
}

/** `not_held`: there is nothing to release. `unknown`: there is no such source any longer. */
type SourceOutcome = 'done' | 'not_held' | 'unknown';

interface SourceAct {
  act(rooms: Rooms, name: string): Promise<SourceOutcome>;
}

async function runNow({ store, runs, clocks }: Rooms, name: string): Promise<SourceOutcome> {
  const isThere = await wantRun({ store, name, now: clocks.directory });
  if (!isThere) return 'unknown';
  runs.wake();
  return 'done';
}

async function put({ store }: Rooms, name: string, state: 'active' | 'paused'): Promise<SourceOutcome> {
  return (await setSourceState({ store, name, state })) === null ? 'unknown' : 'done';
}

async function release(rooms: Rooms, name: string): Promise<SourceOutcome> {
  const released = await releaseSource({ store: rooms.store, name });
  return released.ok ? runNow(rooms, name) : released.code;
}

const SOURCE_ACTS = {
  run: { act: runNow },
  pause: { act: (rooms, name) => put(rooms, name, 'paused') },
  resume: { act: (rooms, name) => put(rooms, name, 'active') },
  release: { act: release },
} as const satisfies Record<string, SourceAct>;

type SourceIntent = keyof typeof SOURCE_ACTS;
export const isSourceIntent = (word: string): word is SourceIntent => Object.hasOwn(SOURCE_ACTS, word);

/** Does it once and writes it down. */
export function actOnSource(
  { once, note }: Act,
  rooms: Rooms,
  intent: SourceIntent,
  source: { id: string; name: string },
): Promise<SourceOutcome> {
  return once(async () => {
    const outcome = await SOURCE_ACTS[intent].act(rooms, source.name);
    if (outcome === 'done')
      await note({ action: `source.${intent}`, subject: 'source', subjectId: source.id, detail: { name: source.name } });
    return outcome;
  });
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;
const MAX_VALUE_LENGTH = 200;
/** Of each kind, where all kinds are shown. */
const FEW_LINES = 20;
const LINES_A_PAGE = 50;
const PATIENCE_MS = 8_000;
