/** CSV (RFC 4180): a header, then one row for each record. */

import { type Cell, eventCells, listedVenueCells } from '../../records/index.ts';
import { writeCsvCell } from '../../values/csv-cell.ts';
import type { Form, ServedEvent, ServedVenue } from './model.ts';
import { cleanText, formatInstant } from './text.ts';

export const eventCsv = form<ServedEvent>(eventCells(), ({ event, status, startPrecision, updatedAt, organizer }) => ({
  ...event,
  status,
  startPrecision,
  updatedAt: formatInstant(updatedAt),
  organizer: organizer(),
}));
export const venueCsv = form<ServedVenue>(listedVenueCells(), ({ venue }) => ({ ...venue }));

/** `toRecord`: the record as the cells read it. */
function form<R>(cells: readonly Cell[], toRecord: (served: R) => Readonly<Record<string, unknown>>): Form<R> {
  return {
    extension: 'csv',
    mediaType: 'text/csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    separator: '',
    open: () => writeRow(cells.map(({ name }) => name)),
    record(served) {
      const record = toRecord(served);
      return writeRow(cells.map(({ read }) => read(record)));
    },
    close: () => '',
  };
}

const writeRow = (cells: readonly unknown[]): string => `${cells.map(writeCell).join(',')}\r\n`;

/** Null is an empty cell. Lists are joined by `|`, as in exports. Only texts can be formulas: a negative number is a number. */
function writeCell(cell: unknown): string {
  if (cell === null) return '';
  if (Array.isArray(cell)) return writeCell(cell.join('|'));
  return typeof cell === 'string' ? writeCsvCell(cleanText(cell)) : String(cell);
}

/** U+FEFF, by which spreadsheets know UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';
