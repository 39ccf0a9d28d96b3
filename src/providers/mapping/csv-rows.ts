/** Rows of CSV (RFC 4180) as spreadsheet programs write them. Time is linear in the text. */

export interface CsvRow {
  cells: string[];
  /** How much of the text it takes. */
  chars: number;
}

/** Ends of lines are CRLF, LF or CR. Throws a `RangeError` for a cell that is longer than a cell may be, or whose quote never ends. */
export function* csvRows(text: string, delimiter: string): Generator<CsvRow> {
  const quoteAt = createQuoteFinder(text, delimiter);
  let cells: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const { cell, end } = text[at] === '"' ? quotedCell(text, at, delimiter, quoteAt) : plainCell(text, at, delimiter);
    if (end - at > MAX_CELL_CHARS) throw new RangeError(`a cell has more than ${MAX_CELL_CHARS} characters`);
    cells.push(cell);
    const sign = text[end] ?? '';
    at = end + (sign === '\r' && text[end + 1] === '\n' ? 2 : 1);
    const isLast = sign !== delimiter;
    // Behind the last delimiter is one more cell, also where the text ends there.
    if (!isLast && at >= text.length) cells.push('');
    if (!isLast && at < text.length) continue;
    yield { cells, chars: at - start };
    cells = [];
    start = at;
  }
}

function plainCell(text: string, from: number, delimiter: string): { cell: string; end: number } {
  let end = from;
  while (end < text.length && !isEnd(text, end, delimiter)) end++;
  return { cell: text.slice(from, end), end };
}

/** `from`: of the opening quote. What stands between the closing one and the next delimiter belongs to the cell, as in Excel. */
function quotedCell(text: string, from: number, delimiter: string, quoteAt: QuoteFinder): { cell: string; end: number } {
  const close = quoteAt(from + 1);
  const inner = text.slice(from + 1, close).replaceAll('""', '"');
  const rest = plainCell(text, close + 1, delimiter);
  return { cell: inner + rest.cell.trimEnd(), end: rest.end };
}

/** Where the quote is that closes the cell in which a place is. */
type QuoteFinder = (from: number) => number;

/**
 * A quote closes a cell before a delimiter or at the end of a line. Another one is doubled, or was forgotten to be: it is text if a closing
 * one follows on its line. Throws a `RangeError` where none follows at all.
 */
function createQuoteFinder(text: string, delimiter: string): QuoteFinder {
  const closes = (at: number): boolean => {
    let next = at + 1;
    while (text[next] === ' ' && next - at < MAX_BLANKS) next++;
    return next >= text.length || isEnd(text, next, delimiter);
  };
  /** What is known of the line: a closing quote is at `close`, or none from `from` on. */
  let known = { from: -1, until: -1, close: -1 };
  const hasCloseOnLine = (from: number): boolean => {
    if (from < known.from || from >= known.until) known = { from, ...closeOnLine(text, from, delimiter, closes) };
    return known.close >= from;
  };
  return (from) => {
    for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
      if (text[at + 1] === '"') at++;
      else if (closes(at) || !hasCloseOnLine(at + 1)) return at;
    }
    throw new RangeError('a quote is never closed');
  };
}

/** Until the line ends, or until another quoted cell begins. */
function closeOnLine(text: string, from: number, delimiter: string, closes: (at: number) => boolean) {
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '\n' || char === '\r' || (char === delimiter && text[at + 1] === '"')) return { until: at, close: -1 };
    if (char === '"' && text[at + 1] !== '"' && closes(at)) return { until: at + 1, close: at };
  }
  return { until: text.length, close: -1 };
}

function isEnd(text: string, at: number, delimiter: string): boolean {
  const char = text[at];
  return char === delimiter || char === '\n' || char === '\r';
}

const MAX_CELL_CHARS = 1024 * 1024;
const MAX_BLANKS = 20;
