/** Records of a CSV file (RFC 4180) as spreadsheet programs save it. The first line names the columns. */

import type { RawRecord } from '../listing.ts';
import { ProviderError } from '../provider-error.ts';
import { cellText, columnsOf, readForm } from './csv-form.ts';
import { type CsvRow, csvRows } from './csv-rows.ts';
import type { Mapping } from './mapping.ts';

/**
 * A row is an object of the columns' names. Empty cells at its end may be missing or too many; a row with other cells beyond the header is a
 * record that cannot be read. Rows without content are none.
 */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>, mapping: Mapping): AsyncGenerator<RawRecord> {
  const { text, bytes: bytesOfAll } = await readText(chunks);
  if (MARKUP.test(text)) throw new ProviderError('not_of_the_kind', 'the file is not CSV: it is a web page or XML');
  const { delimiter, rows } = readForm(text, mapping.delimiter);
  const bytesPerChar = bytesOfAll / Math.max(1, text.length);
  let columns: string[] | null = null;
  let index = 0;
  for (const { cells, chars } of checked(csvRows(rows, delimiter))) {
    const length = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
    if (length === 0) continue;
    if (!columns) {
      columns = columnsOf(cells, mapping.paths);
      continue;
    }
    index++;
    const bytes = chars * bytesPerChar;
    if (length <= columns.length) yield { index, bytes, ok: true, value: rowOf(columns, cells) };
    else yield { index, bytes, ok: false, reason: describeLength(columns.length, length) };
  }
}

/** Held as a whole, as its form shows in its first lines. */
async function readText(chunks: AsyncIterable<Uint8Array>): Promise<{ text: string; bytes: number }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      parts.push(decoder.decode(chunk, { stream: true }));
    }
    parts.push(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ProviderError('not_of_the_kind', 'the file is not UTF-8');
  }
  return { text: parts.join(''), bytes };
}

function* checked(rows: Generator<CsvRow>): Generator<CsvRow> {
  try {
    yield* rows;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ProviderError('not_of_the_kind', `the file is not CSV: ${error.message}`);
  }
}

function rowOf(columns: readonly string[], cells: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((name, index) => [name, cellText(cells[index] ?? '')]));
}

function describeLength(wanted: number, got: number): string {
  return `wanted ${wanted} ${wanted === 1 ? 'cell' : 'cells'}, got ${got}`;
}

const MARKUP = /^\s*<(?:!doctype|html|table|\?xml)\b/i;
