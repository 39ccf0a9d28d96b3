/** One cell of a CSV table. */

/**
 * RFC 4180 §2, with a guard: a text that a spreadsheet would take for a formula begins with an apostrophe (OWASP, CSV Injection). Leading
 * blanks do not save it, for spreadsheets pass over them. A text that looks as if it had the guard already gets another one, so a reader who
 * takes one apostrophe away always gets the text back.
 */
export function writeCsvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const FORMULA = /^'*[\s\0]*[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/;
const NEEDS_QUOTES = /[",\r\n\t\0']|^\s|\s$/;
