/** In which form a spreadsheet program wrote a file: its delimiter, and names and cells as the program dresses them up. */

import { ProviderError } from '../provider-error.ts';
import { csvRows } from './csv-rows.ts';

/** Throws a `ProviderError` for the file of a spreadsheet program itself. */
export function refuseWorkbook(body: Uint8Array): void {
  const found = WORKBOOKS.find(({ bytes }) => bytes.every((byte, at) => body[at] === byte));
  if (found) throw new ProviderError('not_of_the_kind', `the file is ${found.name}: open it and save it as CSV in UTF-8`);
}

/** `stated`: by the mapping; null where it leaves it to the file. Excel's first line `sep=;` names one, and is no row. */
export function readForm(text: string, stated: string | null): { delimiter: string; rows: string } {
  const named = SEP_LINE.exec(text.slice(0, MAX_SEP_CHARS));
  if (named) return { delimiter: named[1] ?? ',', rows: text.slice(named[0].length) };
  return { delimiter: stated ?? usualDelimiter(text), rows: text };
}

/** The sign that parts most rows into as many cells as the header line; of equals, that with more cells. */
function usualDelimiter(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARS);
  const rated = DELIMITERS.map((delimiter) => {
    const [header = 1, ...counts] = countCells(sample, delimiter);
    const alike = counts.filter((count) => count === header).length;
    return { delimiter, header, share: counts.length === 0 ? 1 : alike / counts.length };
  });
  const [best] = rated.filter(({ header }) => header > 1).sort((a, b) => b.share - a.share || b.header - a.header);
  return best?.delimiter ?? ',';
}

function countCells(text: string, delimiter: string): number[] {
  const counts: number[] = [];
  try {
    for (const { cells } of csvRows(text, delimiter)) {
      if (cells.some((cell) => cell.trim() !== '')) counts.push(cells.length);
      if (counts.length > SAMPLE_ROWS) break;
    }
  } catch (error) {
    // The sample may end inside a quoted cell.
    if (!(error instanceof RangeError)) throw error;
  }
  return counts;
}

/**
 * The names of the columns: those that the mapping has, where blanks, line breaks, quotes and capitals are all that differs. Columns without
 * a name at the end are none.
 */
export function columnsOf(header: readonly string[], wanted: ReadonlySet<string>): string[] {
  const last = header.findLastIndex((name) => name.trim() !== '');
  const bySimpleName = new Map([...wanted].map((name) => [simpleName(name), name]));
  const columns = header.slice(0, last + 1).map((name) => name.trim());
  return columns.map((name) => {
    const other = bySimpleName.get(simpleName(name));
    return other === undefined || wanted.has(name) || columns.includes(other) ? name : other;
  });
}

const simpleName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/["'\s\u00a0]+/g, ' ')
    .trim()
    .toLowerCase();

/** A formula that keeps a text as it is, as `="00123"`. */
export function cellText(cell: string): string {
  return cell.startsWith('="') && cell.endsWith('"') && cell.length > 2 ? cell.slice(2, -1).replaceAll('""', '"') : cell;
}

const WORKBOOKS = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], name: 'a workbook (.xlsx, .ods) or another zip archive' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], name: 'a workbook of an old program (.xls)' },
] as const;
const SEP_LINE = /^"?sep=([^\s"]|\t)"?[ \t]*(?:\r\n|\n|\r)+/i;
const MAX_SEP_CHARS = 100;
const DELIMITERS = [',', ';', '\t', '|'] as const;
const SAMPLE_CHARS = 65_536;
const SAMPLE_ROWS = 20;
