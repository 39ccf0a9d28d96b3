/** Which bytes of a file a request wants (RFC 9110 §14). */

export interface FileFacts {
  bytes: number;
  /** A strong entity tag, quotes included. */
  etag: string;
  /** Milliseconds; null: no date names it. */
  modifiedAt: number | null;
}

type Wanted = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'none' };

/** One range is answered; of several, the whole file is, as the standard allows. A range that is not understood is ignored. */
export function wantedBytes(range: string | undefined, ifRange: string | undefined, file: FileFacts): Wanted {
  const [, first = '', last = ''] = RANGE.exec(range ?? '') ?? [];
  if ((first === '' && last === '') || !isSameFile(ifRange, file)) return { kind: 'whole' };
  if (first === '') {
    const length = Math.min(Number(last), file.bytes);
    return length === 0 ? { kind: 'none' } : { kind: 'part', start: file.bytes - length, end: file.bytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return { kind: 'whole' };
  if (start >= file.bytes) return { kind: 'none' };
  return { kind: 'part', start, end: last === '' ? file.bytes - 1 : Math.min(Number(last), file.bytes - 1) };
}

/** §13.1.5: a weak tag never matches, and a date only to the second. */
function isSameFile(ifRange: string | undefined, { etag, modifiedAt }: FileFacts): boolean {
  if (ifRange === undefined) return true;
  if (ifRange.startsWith('"')) return ifRange === etag;
  return modifiedAt !== null && Date.parse(ifRange) === Math.floor(modifiedAt / 1000) * 1000;
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;
