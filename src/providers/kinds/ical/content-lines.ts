/** The bytes of a calendar as content lines (RFC 5545 §3.1): decoded, unfolded, one property each, none longer than the cap. */

import type { SourceResponse } from '../../provider.ts';
import { decodeText } from '../../reading/decode-text.ts';

export interface ContentLine {
  /** In capitals; empty where the line does not begin with a name. */
  name: string;
  /** The whole line, unfolded; its beginning where it is longer than the cap. */
  text: string;
  isCutOff: boolean;
}

/** Throws a `ProviderError` as `decodeText` does. */
export function calendarText({ body, contentType }: Pick<SourceResponse, 'body' | 'contentType'>): string {
  return decodeText({ body: joinSplitCharacters(body), contentType });
}

/** Lines may end with CRLF as they should, or with LF or CR alone. Blank lines are passed over. */
export function* contentLines(text: string): Generator<ContentLine> {
  let line: string | null = null;
  let isCutOff = false;
  const ends = { '\n': -1, '\r': -1 };
  const nextEnd = (mark: '\n' | '\r', at: number): number => {
    if (ends[mark] < at) {
      const found = text.indexOf(mark, at);
      ends[mark] = found === -1 ? text.length : found;
    }
    return ends[mark];
  };
  for (let at = 0; at < text.length; ) {
    const end = Math.min(nextEnd('\n', at), nextEnd('\r', at));
    const isFolded = line !== null && (text[at] === ' ' || text[at] === '\t');
    if (isFolded) {
      const room = MAX_PROPERTY_CHARS - (line?.length ?? 0);
      isCutOff ||= end - at - 1 > room;
      line += text.slice(at + 1, Math.min(end, at + 1 + room));
    } else if (end > at) {
      if (line !== null) yield contentLine(line, isCutOff);
      isCutOff = end - at > MAX_PROPERTY_CHARS;
      line = text.slice(at, Math.min(end, at + MAX_PROPERTY_CHARS));
    }
    at = end + 1;
  }
  if (line !== null) yield contentLine(line, isCutOff);
}

function contentLine(text: string, isCutOff: boolean): ContentLine {
  return { name: NAME.exec(text)?.[1]?.toUpperCase() ?? '', text, isCutOff };
}

/** Some programs fold after so many octets, in the middle of a character (§3.1, note): such folds must go before decoding. */
function joinSplitCharacters(body: Uint8Array): Uint8Array {
  const folds: { from: number; to: number }[] = [];
  for (let at = body.indexOf(LF); at !== -1; at = body.indexOf(LF, at + 1)) {
    const from = body[at - 1] === CR ? at - 1 : at;
    const blank = body[at + 1];
    if (blank !== SPACE && blank !== TAB) continue;
    if ((body[from - 1] ?? 0) >= 0x80 && isContinuation(body[at + 2] ?? 0)) folds.push({ from, to: at + 2 });
  }
  if (folds.length === 0) return body;
  const joined = new Uint8Array(body.length);
  let [read, written] = [0, 0];
  for (const { from, to } of [...folds, { from: body.length, to: body.length }]) {
    joined.set(body.subarray(read, from), written);
    written += from - read;
    read = to;
  }
  return joined.subarray(0, written);
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

const NAME = /^[ \t]*([A-Za-z0-9-]{1,64})[ \t]*[;:]/;
/** Of one property. Longer ones are attachments inside the file, which nobody reads here, or attacks. */
const MAX_PROPERTY_CHARS = 64 * 1024;
const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
