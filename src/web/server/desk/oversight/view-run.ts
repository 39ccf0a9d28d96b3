/** Runs and sources as lists and pages show them. */

import { type OverseenSource, type RunLine, redactKeys, type WholeRun } from '../../../../ingest/index.ts';
import type { StartPrecision } from '../../../../records/index.ts';
import type { ChangeView, DifferenceView, Excerpt, Part } from '../../../model/desk/run.ts';
import type { Rooms } from '../../rooms.ts';
import { createMoments, type MomentFormat } from '../moments.ts';

export const momentsOf = ({ search, clocks }: Pick<Rooms, 'search' | 'clocks'>): MomentFormat =>
  createMoments(search.current().city.timezone, clocks.directory());

export type RunView = ReturnType<typeof viewRun>;

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

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;
const MAX_VALUE_LENGTH = 200;
/** Of each kind, where all kinds are shown. */
const FEW_LINES = 20;
const LINES_A_PAGE = 50;
