/** A 200, its 304 and the 301 of a merged record: the headers of data. */

import { hash } from 'node:crypto';
import { COMPRESS_FROM_BYTES, compress } from './compress.ts';
import { type Answering, type Exchange, writeAnswer } from './exchange.ts';
import { chooseEncoding, matchesTag } from './negotiation.ts';
import { writePagingLinks } from './paging-links.ts';
import type { Outcome } from './route.ts';

/** The parameters that were used, as sent. */
export type Sent = readonly (readonly [string, string])[];

/** Writes the answer at once, or promises to when the body has to be compressed. */
export function answerData(
  x: Exchange,
  sent: Sent,
  { tag, body: writeBody, page, interpretations }: Extract<Outcome, { kind: 'data' }>,
  answering: Answering,
): Promise<void> | undefined {
  // Where no tag stands for the bytes, the bytes themselves do.
  const early = tag === null ? writeBody() : null;
  const etag = early ? `W/"${hash('sha1', early, 'base64url')}"` : `W/"${tag}"`;
  const headers = ['Cache-Control', DATA_CACHE, 'ETag', etag];
  if (page) headers.push('Link', writePagingLinks(answering.publicUrl() + pathOf(x), sent, page));
  if (interpretations && interpretations.length > 0) {
    const readings = interpretations.map(({ word, readAs }) => `${encodeURIComponent(word)}=${encodeURIComponent(readAs)}`);
    headers.push('X-Search-Interpretation', readings.join(', '));
  }
  if (matchesTag(x.head.ifNoneMatch, etag)) {
    writeAnswer(x, 304, headers, null, answering);
    return undefined;
  }
  headers.push('Content-Type', JSON_TYPE);
  // At one address a tag names its bytes.
  const key = x.path + etag;
  const body = early ?? writeOnce(key, writeBody, answering);
  const encoding = body.length > COMPRESS_FROM_BYTES ? chooseEncoding(x.head.acceptEncoding) : null;
  if (encoding === null) {
    writeAnswer(x, 200, headers, body, answering);
    return undefined;
  }
  headers.push('Content-Encoding', encoding);
  const known = answering.bodies.get(encoding + key);
  if (known) {
    writeAnswer(x, 200, headers, known, answering);
    return undefined;
  }
  return compress(body, encoding).then((compressed) => {
    answering.bodies.put(encoding + key, compressed);
    writeAnswer(x, 200, headers, compressed, answering);
  });
}

function writeOnce(key: string, write: () => Buffer, { bodies }: Answering): Buffer {
  const known = bodies.get(key);
  if (known) return known;
  const body = write();
  bodies.put(key, body);
  return body;
}

/** Merged away: 301 to the survivor under the same kind of address, the parameters kept. */
export function answerMoved(x: Exchange, sent: Sent, id: string, answering: Answering): void {
  const path = answering.publicUrl() + x.route.replace('{id}', id);
  const query = sent.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const location = query === '' ? path : `${path}?${query}`;
  const headers = ['Content-Type', JSON_TYPE, 'Cache-Control', DATA_CACHE, 'Location', location];
  writeAnswer(x, 301, headers, Buffer.from(JSON.stringify({ data: { id, location } })), answering);
}

/** The list's own path: the row's, with the id in the form that is answered. */
function pathOf(x: Exchange): string {
  return x.route.includes('{id}') ? x.path.toLowerCase() : x.route;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const DATA_CACHE = 'private, max-age=30';
