/** CSV (RFC 4180): a header line, CRLF, and cells that no spreadsheet takes for a formula. */

import type { Cell } from '../../records/index.ts';
import { writeCsvCell } from '../../values/csv-cell.ts';
import type { Format, RecordBatch } from './format.ts';

export const csv: Format = {
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  begin(file, cells) {
    let formatted: { batch: RecordBatch; bytes: Buffer } | null = null;
    const bytesOf = (batch: RecordBatch): Buffer => {
      if (formatted?.batch !== batch) formatted = { batch, bytes: Buffer.from(formatRows(batch, cells)) };
      return formatted.bytes;
    };
    file.append(Buffer.from(`${cells.map(({ name }) => name).join(',')}\r\n`));
    return {
      bytesWith: (batch) => file.bytes() + bytesOf(batch).length,
      write: (batch) => file.append(bytesOf(batch)),
      end: () => {},
    };
  },
};

const formatRows = (batch: RecordBatch, cells: readonly Cell[]): string =>
  batch
    .records()
    .map((record) => `${cells.map((cell) => formatCell(cell.read(record))).join(',')}\r\n`)
    .join('');

/** Null is an empty cell. Lists are joined by `|`. Only texts can be formulas: a negative number is a number. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return writeCsvCell(typeof value === 'string' ? value : Array.isArray(value) ? value.join('|') : JSON.stringify(value));
}
