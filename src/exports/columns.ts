/** The columns of an export of events: what may be chosen, and how each is laid out in formats that have typed columns. */

import {
  type Cell,
  cellsOfEventField,
  type EVENT_FIELDS,
  type EventDetail,
  printedEventRows,
  type RecordOf,
} from '../records/index.ts';
import type { Snapshot } from '../search/index.ts';
import { createCityTime } from '../values/city-time.ts';

export type ColumnName = keyof RecordOf<typeof EVENT_FIELDS, 'compact' | 'list' | 'detail' | 'extra'>;

const ROWS = printedEventRows();
const namesOf = (rows: readonly { shownAs: string }[]) => rows.map(({ shownAs }) => shownAs as ColumnName);
/** In the order of the detail record; those after `sources` are beside it. */
export const EVENT_COLUMNS: readonly ColumnName[] = namesOf(ROWS);
/** What the detail record lacks and another instance needs to take the event over. */
export const FACT_COLUMNS: readonly ColumnName[] = namesOf(ROWS.filter(({ form }) => form === 'extra'));
const DETAIL_COLUMNS: readonly ColumnName[] = namesOf(ROWS.filter(({ form }) => form !== 'extra'));

/** The chosen columns in the order of the table; `id` is always among them. Null for an unknown name. */
export function parseColumns(names: readonly string[]): ColumnName[] | null {
  const known = new Set<string>(EVENT_COLUMNS);
  if (names.some((name) => !known.has(name))) return null;
  return EVENT_COLUMNS.filter((name) => name === 'id' || names.includes(name));
}

export type ExportRecord = Readonly<Partial<Record<ColumnName, unknown>>> & { readonly id: string };

/** Reads events of one snapshot as records of the chosen columns. `lines`: their details, as the snapshot writes them. */
export function createRecordReader(
  snapshot: Snapshot,
  columns: readonly ColumnName[] | null,
): (items: readonly number[], lines: Buffer) => ExportRecord[] {
  const chosen = columns ?? DETAIL_COLUMNS;
  const needsFacts = FACT_COLUMNS.some((name) => chosen.includes(name));
  const cityTime = createCityTime(snapshot.city.timezone);
  return (items, lines) =>
    parseLines<EventDetail>(lines).map((event, n) => {
      const all: Record<string, unknown> = { ...event };
      if (needsFacts) {
        const { status, startPrecision, updatedAt, organizer } = snapshot.facts(items[n] ?? 0);
        Object.assign(all, { status, startPrecision, updatedAt: cityTime.format(updatedAt), organizer });
      }
      return columns ? pick(all, columns) : (all as unknown as ExportRecord);
    });
}

function pick(all: Record<string, unknown>, columns: readonly ColumnName[]): ExportRecord {
  const picked: Record<string, unknown> = {};
  for (const name of columns) picked[name] = all[name];
  return picked as ExportRecord;
}

export function parseLines<T>(lines: Buffer): T[] {
  const parsed: T[] = [];
  for (let from = 0, to = lines.indexOf(LINE_FEED); to >= 0; from = to + 1, to = lines.indexOf(LINE_FEED, from)) {
    parsed.push(JSON.parse(lines.toString('utf8', from, to)) as T);
  }
  return parsed;
}

const LINE_FEED = 0x0a;

export const chosenCells = (columns: readonly ColumnName[] | null): Cell[] => {
  const chosen: readonly string[] = columns ?? DETAIL_COLUMNS;
  return ROWS.filter(({ shownAs }) => chosen.includes(shownAs)).flatMap(cellsOfEventField);
};
