/** Newline-delimited JSON as a stream of values, each line on its own: one that cannot be read stops nothing. */

import { printable } from '../../facts/index.ts';

export interface ReadLineHead {
  /** From 1. */
  line: number;
  bytes: number;
}
/** A line that cannot be read may still say which field is to blame and which record it is. */
export type ReadLine = ReadLineHead &
  ({ ok: true; value: unknown } | { ok: false; reason: string; field?: string | null; externalId?: string | null });

/** Blank lines are skipped, a byte order mark at the beginning too. Holds one line at a time, of at most `MAX_LINE_BYTES`. */
export async function* readNdjson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadLine> {
  for await (const { line, bytes } of splitLines(chunks)) {
    if (bytes === null) {
      yield { line, bytes: MAX_LINE_BYTES, ok: false, reason: `wanted a line of at most ${MAX_LINE_BYTES} bytes` };
      continue;
    }
    const read = readValue(line === 1 ? withoutMark(bytes) : bytes);
    if (read) yield { line, bytes: bytes.length + 1, ...read };
  }
}

function readValue(bytes: Buffer): { ok: true; value: unknown } | { ok: false; reason: string } | null {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    return { ok: false, reason: 'wanted UTF-8, got other bytes' };
  }
  if (text.trim() === '') return null;
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    // The message quotes the line.
    const message = printable((error as Error).message.slice(0, MAX_REASON_CHARS));
    return { ok: false, reason: `wanted JSON: ${message}` };
  }
}

/** Lines without their end. `bytes` is null for a line over the limit, which is passed over without being held. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ line: number; bytes: Buffer | null }> {
  let line = 1;
  let parts: Buffer[] = [];
  let held = 0;
  const add = (part: Buffer): void => {
    held += part.length;
    if (held > MAX_LINE_BYTES) parts = [];
    else parts.push(part);
  };
  const take = (): { line: number; bytes: Buffer | null } => {
    const bytes = held > MAX_LINE_BYTES ? null : Buffer.concat(parts);
    parts = [];
    held = 0;
    return { line: line++, bytes };
  };
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, end));
      yield take();
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (held > 0) yield take();
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_FEED = 0x0a;
/** A description of 20 000 characters written in \u escapes takes 120 kB. */
const MAX_LINE_BYTES = 1024 * 1024;
const MAX_REASON_CHARS = 200;
