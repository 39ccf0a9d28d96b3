/**
 * A row as a line: the text that PostgreSQL gives for the whole row, as in `(1,"two, three",)`, without line ends. Every type reads its
 * own text again exactly, on either engine.
 */

/** Rows begin with a parenthesis; all other lines are objects. */
export const isRow = (line: string): boolean => line.startsWith('(');

export const escapeRow = (row: string): string =>
  NEEDS_ESCAPE.test(row) ? row.replace(/[\\\n\r]/g, (letter) => ESCAPES[letter] ?? letter) : row;

export const unescapeRow = (line: string): string =>
  line.includes('\\') ? line.replace(/\\([\\nr])/g, (_, letter: string) => LETTERS[letter] ?? letter) : line;

/** The literal of an array of rows. */
export const rowArray = (rows: readonly string[]): string =>
  `{${rows.map((row) => `"${row.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;

const NEEDS_ESCAPE = /[\\\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };
const LETTERS: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r' };
