/** Reads the request headers that shape an answer: `Accept`, `Accept-Encoding`, `If-None-Match`, `Prefer`. Every reader is linear. */

export type Encoding = 'br' | 'zstd' | 'gzip';

/**
 * Whether `Accept` leaves room for `application/json` (RFC 9110 §12.5.1: the most specific range decides; `q=0` excludes).
 * Without the header, or when no range in it can be read, JSON is welcome.
 */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header === '*/*' || header === 'application/json') return true;
  let specificity = 0;
  let quality = 0;
  let readable = false;
  for (const { value, q } of weighed(header)) {
    if (!MEDIA_RANGE.test(value)) continue;
    readable = true;
    const rank = value === '*/*' ? 1 : value === 'application/*' ? 2 : value === 'application/json' ? 3 : 0;
    if (rank === 0 || rank < specificity) continue;
    quality = rank === specificity ? Math.max(quality, q) : q;
    specificity = rank;
  }
  return !readable || quality > 0;
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
 * Whether `If-None-Match` names the tag (RFC 9110 §13.1.2: `*` or a list, weak comparison). `tag` is weak, `W/"…"`.
 * A malformed header is ignored. The size limit of headers bounds the list.
 */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === '*') return true;
  const opaque = tag.slice(2);
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

/** The members of a list with their weights; other parameters are dropped, a broken weight counts as 1. */
function weighed(header: string): { value: string; q: number }[] {
  return header.split(',').map((part) => {
    const [value = '', ...parameters] = part.split(';');
    const weight = parameters.map((parameter) => WEIGHT.exec(parameter.trim())).find(Boolean);
    return { value: value.trim().toLowerCase(), q: weight ? Number(weight[1]) : 1 };
  });
}

/** In order of preference. Brotli is smallest here; zstd is quicker but larger at its default level. */
const ENCODINGS: readonly Encoding[] = ['br', 'zstd', 'gzip'];
const MEDIA_RANGE = /^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))$/;
const WEIGHT = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;
/** One entity tag with what separates it from the next (RFC 9110 §8.8.3; empty list members are allowed, §5.6.1). */
const LISTED_TAG = /[ \t,]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,[ \t,]*|$)/y;
