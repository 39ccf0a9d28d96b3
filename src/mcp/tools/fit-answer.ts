/** Answers within the size that was asked for: a list is cut between records, says so, and names the cursor of its next page. */

import type { JsonObject } from '../protocol/message.ts';
import type { PrintedRecord, ToolAnswer } from './tool.ts';

export interface FittedList {
  records: readonly PrintedRecord[];
  isCut: boolean;
}

/** The list that fits with everything that is said beside it: `answerWith` is asked again with fewer records while it is too long. */
export function fitList(
  records: readonly PrintedRecord[],
  maxChars: number,
  answerWith: (fitted: FittedList) => ToolAnswer,
  spent = HEAD_CHARS,
): ToolAnswer {
  for (let fitted = fitRecords(records, maxChars, spent); ; ) {
    const answer = answerWith(fitted);
    if (fitted.records.length <= 1 || sizeOf(answer) <= maxChars) return answer;
    fitted = { records: fitted.records.slice(0, -1), isCut: true };
  }
}

/** `spent`: characters of everything beside the records. The first record is always kept. */
export function fitRecords(records: readonly PrintedRecord[], maxChars: number, spent: number): FittedList {
  let size = spent;
  for (const [n, { line, json }] of records.entries()) {
    size += line.length + json.length + RECORD_OVERHEAD;
    if (size > maxChars && n > 0) return { records: records.slice(0, n), isCut: true };
  }
  return { records, isCut: false };
}

export const numbered = (records: readonly PrintedRecord[], first = 1): string[] =>
  records.map(({ line }, n) => `${first + n}. ${line}`);

export const printRecord = (line: string, facts: JsonObject): PrintedRecord => ({ line, json: JSON.stringify(facts) });

/** Head, records and notes, one a line. */
export function joinText(head: string, lines: readonly string[], notes: readonly string[]): string {
  return [head, ...lines, ...notes.map((note) => `Note: ${note}`)].join('\n');
}

/** Both forms, as their size is promised. */
export const sizeOf = (answer: ToolAnswer): number => answer.text.length + printStructured(answer).length;

/** `structured` is never empty: all answers have notes. */
export function printStructured({ structured, list }: ToolAnswer): string {
  const others = JSON.stringify(structured);
  if (!list) return others;
  return `{"${list.name}":[${list.records.map(({ json }) => json).join(',')}],${others.slice(1)}`;
}

/** Where the next page of a list begins: `o40` after forty records. */
export const cursorAt = (offset: number): string => `o${offset}`;

/** The first page without one. Adds to `mistakes` what is none of ours. */
export function readCursor(cursor: unknown, mistakes: string[]): number {
  if (cursor === undefined) return 0;
  const [, digits] = /^o(\d{1,9})$/.exec(String(cursor)) ?? [];
  if (digits === undefined) mistakes.push('cursor is not one of this tool; leave it out to begin with the first page');
  return Number(digits ?? 0);
}

/** Number, separators, comma. */
const RECORD_OVERHEAD = 8;
/** Head, totals and the usual notes, which are in both forms. */
const HEAD_CHARS = 700;
