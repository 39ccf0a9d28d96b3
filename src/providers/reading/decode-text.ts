/** Bytes of a text format into text, whatever the provider says or forgets to say about its encoding. All kinds read through it. */

import { isAscii, isUtf8 } from 'node:buffer';
import type { SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { decodeMixed, looksLikeWestern, markedEncoding, mayBeDoubled, shapeOf, undoDoubleEncoding } from './charset-signs.ts';

type EncodedText = Pick<SourceResponse, 'body' | 'contentType'>;

/**
 * By byte order mark, else by what the bytes can be: UTF-8 where they are that, else the charset of the header or of the document, else
 * windows-1252. Throws a `ProviderError` of code `garbled` when more than 1 % of the characters cannot be read: damaged titles would look
 * like new events.
 */
export function decodeText(answer: EncodedText): string {
  const { text, encoding } = decode(answer);
  const lost = countLost(text);
  if (lost > text.length * MAX_LOST)
    throw new ProviderError('garbled', `${lost} of ${text.length} characters cannot be read as ${encoding}`);
  return undoDoubleEncoding(text) ?? text;
}

/** The same text as bytes of UTF-8, for readers of streams: not copied where they are that already. */
export function utf8Of(answer: EncodedText): Uint8Array {
  const { body } = answer;
  const isPlain = isUtf8(body) && markedEncoding(body) === null && body.indexOf(0) === -1;
  const mayDiffer = !isPlain || declaredEncodings(answer).some((encoding) => MANY_BYTES.has(encoding)) || mayBeDoubled(body);
  return mayDiffer ? Buffer.from(decodeText(answer)) : body;
}

function decode(answer: EncodedText): { text: string; encoding: string } {
  const { body } = answer;
  const encoding = encodingOf(answer);
  if (encoding === 'mixed') return { text: withoutMark(decodeMixed(body)), encoding: 'utf-8' };
  return { text: new TextDecoder(encoding).decode(body), encoding };
}

/** `mixed`: mostly UTF-8. */
function encodingOf(answer: EncodedText): string {
  const { body } = answer;
  const mark = markedEncoding(body);
  if (mark !== null) return mark === 'utf-8' && !isUtf8(body) ? 'mixed' : mark;
  const declared = declaredEncodings(answer);
  const [stated] = declared;
  if (isAscii(body)) return stated === 'iso-2022-jp' ? stated : 'utf-8';
  return encodingOfLetters(body, declared);
}

function encodingOfLetters(body: Uint8Array, declared: readonly string[]): string {
  const manyBytes = declared.find((encoding) => MANY_BYTES.has(encoding) && canBe(encoding, body));
  if (manyBytes === undefined && isUtf8(body)) return 'utf-8';
  const { good, bad } = shapeOf(body);
  // Two or three characters of such a charset may happen to be UTF-8; more do not.
  if (manyBytes !== undefined) return bad > 0 || good < MIN_PROOFS ? manyBytes : 'utf-8';
  const [stated] = declared;
  if (good > bad || (good === bad && stated === undefined)) return 'mixed';
  return stated ?? guessed(body);
}

const guessed = (body: Uint8Array): string => (looksLikeWestern(body) ? 'windows-1252' : 'utf-8');

/**
 * What header and document say, the first to be believed first. UTF-8 and UTF-16 are told from the bytes, so only other charsets are
 * kept. Servers say Latin-1 by default, so a document that says otherwise knows better.
 */
function declaredEncodings(answer: EncodedText): string[] {
  const [header, document] = [fromHeader(answer.contentType), fromDocument(answer.body)];
  const all = header === 'windows-1252' ? [document, header] : [header, document];
  return all.filter((encoding): encoding is string => encoding !== null && !encoding.startsWith('utf-'));
}

function fromHeader(contentType: string | null): string | null {
  return known(/;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType ?? '')?.[1]);
}

/** XML 1.0 §4.3.3 (`encoding=`) and HTML §13.2.3.2 (`<meta>`). */
function fromDocument(body: Uint8Array): string | null {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, PRESCAN_BYTES)).toString('latin1');
  const xml = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(start)?.[1];
  const meta = /<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start)?.[1];
  return known(xml ?? meta);
}

/** The WHATWG name of a label; null for one that nobody knows. */
function known(label: string | undefined): string | null {
  if (label === undefined) return null;
  const plain = label.toLowerCase().replaceAll('_', '-');
  try {
    return new TextDecoder(ALIASES[plain] ?? plain).encoding;
  } catch {
    return null;
  }
}

function canBe(encoding: string, body: Uint8Array): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}

const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

function countLost(text: string): number {
  let count = 0;
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, at + 1)) count++;
  return count;
}

/** Labels that programs write and the WHATWG does not list. */
const ALIASES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  ansi: 'windows-1252',
  'latin-1': 'windows-1252',
  'iso-latin-1': 'windows-1252',
  'win-1252': 'windows-1252',
  'win-1250': 'windows-1250',
  'win-1251': 'windows-1251',
  cp932: 'shift_jis',
  'shift-jis': 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
};
/** Characters of several bytes, which may look like UTF-8 in a short text; those of the last like ASCII. */
const MANY_BYTES: ReadonlySet<string> = new Set(['shift_jis', 'euc-jp', 'euc-kr', 'gbk', 'gb18030', 'big5', 'iso-2022-jp']);
const MIN_PROOFS = 3;
const PRESCAN_BYTES = 4096;
const REPLACEMENT = '\ufffd';
const MAX_LOST = 0.01;
