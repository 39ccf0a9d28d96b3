/** Reads the request headers that shape an answer (`Accept`, `Accept-Encoding`, `If-None-Match`, `Prefer`) and compresses bodies. Every reader is linear. */

import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync, zstdCompress, zstdCompressSync } from 'node:zlib';

export type Encoding = 'br' | 'zstd' | 'gzip';

/**
 * Which of the media types `Accept` likes best, or null when it excludes all (RFC 9110 §12.5.1: the most specific range decides; `q=0`
 * excludes). Of equally welcome ones the first is taken, and so it is without the header or when no range in it can be read.
 */
export function chooseMediaType(header: string | undefined, offers: readonly [string, ...string[]]): string | null {
  if (header === undefined || header === '*/*' || header === offers[0]) return offers[0];
  const ranges = weighed(header).filter(({ value }) => MEDIA_RANGE.test(value));
  if (ranges.length === 0) return offers[0];
  let best: string | null = null;
  let bestQuality = 0;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality <= bestQuality) continue;
    best = offer;
    bestQuality = quality;
    if (quality === 1) break;
  }
  return best;
}

function qualityOf(offer: string, ranges: readonly Weighed[]): number {
  const family = `${offer.slice(0, offer.indexOf('/'))}/*`;
  let specificity = 0;
  let quality = 0;
  for (const { value, q } of ranges) {
    const rank = value === '*/*' ? 1 : value === family ? 2 : value === offer ? 3 : 0;
    if (rank === 0 || rank < specificity) continue;
    quality = rank === specificity ? Math.max(quality, q) : q;
    specificity = rank;
  }
  return quality;
}

/** The encoding to use, or null for none (RFC 9110 §12.5.3). Of equally welcome ones the first of `ENCODINGS` is taken. */
export function chooseEncoding(header: string | undefined): Encoding | null {
  if (header === undefined || header === '' || header === 'identity') return null;
  const named = new Map<string, number>();
  for (const { value, q } of weighed(header)) named.set(value === 'x-gzip' ? 'gzip' : value, q);
  const rest = named.get('*') ?? 0;
  let best: Encoding | null = null;
  // What does not beat sending it plain, where the caller weighed that too, is not used.
  let bestQuality = named.get('identity') ?? 0;
  for (const encoding of ENCODINGS) {
    const q = named.get(encoding) ?? rest;
    if (q <= 0 || (best === null ? q < bestQuality : q <= bestQuality)) continue;
    best = encoding;
    bestQuality = q;
  }
  return best;
}

/**
 * Whether `If-None-Match` names the tag (RFC 9110 §13.1.2: `*` or a list, weak comparison). `tag` is weak (`W/"…"`) or strong (`"…"`).
 * A malformed header is ignored. The size limit of headers bounds the list.
 */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === '*') return true;
  const opaque = tag.startsWith('W/') ? tag.slice(2) : tag;
  if (header === opaque || header === tag) return true;
  if (!header.includes(opaque)) return false;
  let found = false;
  let at = 0;
  while (at < header.length) {
    LISTED_TAG.lastIndex = at;
    const match = LISTED_TAG.exec(header);
    if (!match) return false;
    if (match[1] === opaque) found = true;
    at = LISTED_TAG.lastIndex;
  }
  return found;
}

/** Whether `Prefer` asks for strict handling (RFC 7240 §4.4); of a preference named twice the first counts (§2). */
export function prefersStrict(header: string | undefined): boolean {
  if (header === undefined) return false;
  for (const part of header.split(',')) {
    const preference = (part.split(';', 1)[0] ?? '').trim().toLowerCase();
    const handling = /^handling\s*=\s*(?:"([^"]*)"|(\S+))$/.exec(preference);
    if (handling) return (handling[1] ?? handling[2]) === 'strict';
  }
  return false;
}

/** Off the serving thread. */
export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const done = (error: Error | null, result: Buffer) => (error ? reject(error) : resolve(result));
  if (encoding === 'br') brotliCompress(body, brotli(body), done);
  else if (encoding === 'zstd') zstdCompress(body, done);
  else gzip(body, { level: GZIP_LEVEL }, done);
  return promise;
}

/** On the spot: for the few bodies that are rare and small. */
export function compressNow(body: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'br') return brotliCompressSync(body, brotli(body));
  return encoding === 'zstd' ? zstdCompressSync(body) : gzipSync(body, { level: GZIP_LEVEL });
}

const brotli = ({ length }: Buffer) => ({ params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: length } });

interface Weighed {
  value: string;
  q: number;
}

/** The members of a list with their weights; other parameters are dropped, a broken weight counts as 1. */
function weighed(header: string): Weighed[] {
  return header.split(',').map((part) => {
    const [value = '', ...parameters] = part.split(';');
    const weight = parameters.map((parameter) => WEIGHT.exec(parameter.trim())).find(Boolean);
    return { value: value.trim().toLowerCase(), q: weight ? Number(weight[1]) : 1 };
  });
}

/** Smaller bodies fit a packet or two as they are (decisions §2: above 1 KB). */
export const COMPRESS_FROM_BYTES = 1024;
/** In order of preference. Brotli is smallest here; zstd is quicker but larger at its default level. */
export const ENCODINGS: readonly Encoding[] = ['br', 'zstd', 'gzip'];
const MEDIA_RANGE = /^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))$/;
const WEIGHT = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;
/** One entity tag with what separates it from the next (RFC 9110 §8.8.3; empty list members are allowed, §5.6.1). */
const LISTED_TAG = /[ \t,]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,[ \t,]*|$)/y;
/** Quality 4 of 11: the knee of the curve, where more time hardly makes it smaller. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
const GZIP_LEVEL = 6;
