/** Bytes of a text format into text, whatever the provider says or forgets to say about its encoding. */

import type { SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';

/**
 * By byte order mark, else the header's charset, else what the document says of itself, else UTF-8. Throws a `ProviderError` of code
 * `garbled` when more than 1 % of the characters cannot be read: damaged titles would look like new events.
 */
export function decodeText({ body, contentType }: Pick<SourceResponse, 'body' | 'contentType'>): string {
  const encoding = encodingOf(body, contentType);
  const text = new TextDecoder(encoding).decode(body);
  const lost = countLost(text);
  if (lost > text.length * MAX_LOST)
    throw new ProviderError('garbled', `${lost} of ${text.length} characters cannot be read as ${encoding}`);
  return text;
}

function encodingOf(body: Uint8Array, contentType: string | null): string {
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, index) => body[index] === byte));
  if (mark) return mark.encoding;
  const declared = fromHeader(contentType) ?? fromDocument(body) ?? 'utf-8';
  // Servers and old templates say Latin-1 without looking. Text of it that is well-formed UTF-8 beyond ASCII does not occur.
  return declared === 'windows-1252' && isUtf8(body) ? 'utf-8' : declared;
}

function fromHeader(contentType: string | null): string | null {
  return known(/;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]);
}

/** XML 1.0 §4.3.3 (`encoding=`) and HTML §13.2.3.2 (`<meta>` in the first 1024 bytes). */
function fromDocument(body: Uint8Array): string | null {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, PRESCAN_BYTES)).toString('latin1');
  const xml = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(start)?.[1];
  const meta = /<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start)?.[1];
  const declared = known(xml ?? meta);
  // A declaration that could be read byte by byte is not in UTF-16, whatever it says.
  return declared?.startsWith('utf-16') ? 'utf-8' : declared;
}

/** The WHATWG name of a label; null for one that nobody knows. */
function known(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function isUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}

function countLost(text: string): number {
  let count = 0;
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, at + 1)) count++;
  return count;
}

/** The last two are UTF-16 without a mark, as XML 1.0 appendix F tells it from its first two characters. */
const MARKS: readonly { bytes: readonly number[]; encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
  { bytes: [0x3c, 0, 0x3f, 0], encoding: 'utf-16le' },
  { bytes: [0, 0x3c, 0, 0x3f], encoding: 'utf-16be' },
];
const PRESCAN_BYTES = 1024;
const REPLACEMENT = '\ufffd';
const MAX_LOST = 0.01;
