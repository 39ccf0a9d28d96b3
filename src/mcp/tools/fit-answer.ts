/** Answers within the size that was asked for: a list is cut between records, and says so. */

import type { JsonObject } from '../protocol/message.ts';
import type { PrintedRecord } from './tool.ts';

export interface FittedList {
  records: readonly PrintedRecord[];
  isCut: boolean;
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

/** Number, separators, comma. */
const RECORD_OVERHEAD = 8;
/** Head, totals and notes, which are in both forms. */
export const HEAD_CHARS = 700;
