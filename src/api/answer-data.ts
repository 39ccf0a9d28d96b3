/** A 200, its 304 and the 301 of a merged record: the headers of data. */

import { hash } from 'node:crypto';
import type { HeldAnswer } from './addresses.ts';
import { COMPRESS_FROM_BYTES, compress } from './compress.ts';
import { type Answering, type Exchange, writeAnswer } from './exchange.ts';
import { HeadLines } from './head-lines.ts';
import { Letter } from './letter.ts';
import { chooseEncoding, type Encoding, matchesTag } from './negotiation.ts';
import { writePagingLinks } from './paging-links.ts';
import type { Outcome } from './route.ts';

/** The parameters that were used, as sent. */
export type Sent = readonly (readonly [string, string])[];

/**
 * Writes the answer at once, or promises to when the body has to be compressed. `hold` is given what can be answered again at the same
 * address until the directory time that is named.
 */
export function answerData(
  x: Exchange,
  sent: Sent,
  outcome: Extract<Outcome, { kind: 'data' }>,
  answering: Answering,
  hold: (answer: HeldAnswer, until: number) => void,
): Promise<void> | undefined {
  const { tag, body: write, until } = outcome;
  if (tag === null) {
    // Where no tag stands for the bytes, the bytes themselves do.
    const body = new Letter(write());
    const answer = headsOf(x, sent, outcome, `W/"${hash('sha1', body.body, 'base64url')}"`, answering);
    return deliver(x, answer, () => body, answering);
  }
  const answer = headsOf(x, sent, outcome, `W/"${tag}"`, answering);
  if (until !== undefined) hold(answer, until);
  return deliver(x, answer, () => writeOnce(answer.bodyKey, write, answering), answering);
}

/** Answers once more what is held. False, and nothing done, when its body is not kept any more. */
export function answerHeld(x: Exchange, answer: HeldAnswer, answering: Answering): Promise<void> | undefined | false {
  const body = answering.bodies.get(answer.bodyKey);
  return body ? deliver(x, answer, () => body, answering) : false;
}

function headsOf(
  x: Exchange,
  sent: Sent,
  { page, interpretations }: Extract<Outcome, { kind: 'data' }>,
  etag: string,
  { publicUrl }: Answering,
): HeldAnswer {
  const headers = ['Cache-Control', DATA_CACHE, 'ETag', etag];
  if (page) headers.push('Link', writePagingLinks(publicUrl() + pathOf(x), sent, page));
  if (interpretations && interpretations.length > 0) {
    const readings = interpretations.map(({ word, readAs }) => `${encodeURIComponent(word)}=${encodeURIComponent(readAs)}`);
    headers.push('X-Search-Interpretation', readings.join(', '));
  }
  const withType = [...headers, 'Content-Type', JSON_TYPE];
  // At one address a tag names its bytes.
  return { etag, bodyKey: x.address.path + etag, unchanged: new HeadLines(headers), plain: new HeadLines(withType) };
}

function deliver(x: Exchange, answer: HeldAnswer, body: () => Letter, answering: Answering): Promise<void> | undefined {
  if (matchesTag(x.head.ifNoneMatch, answer.etag)) {
    writeAnswer(x, 304, answer.unchanged, null, answering);
    return undefined;
  }
  const letter = body();
  const encoding = letter.length > COMPRESS_FROM_BYTES ? chooseEncoding(x.head.acceptEncoding) : null;
  if (encoding === null) {
    writeAnswer(x, 200, answer.plain, letter, answering);
    return undefined;
  }
  const encoded = encodedHead(answer, encoding);
  const bodyKey = encoding + answer.bodyKey;
  const known = answering.bodies.get(bodyKey);
  if (known) {
    writeAnswer(x, 200, encoded, known, answering);
    return undefined;
  }
  const leave = answering.inFlight.enter(x.arrival.address, x.req.socket);
  if (!leave) {
    // More bytes, but an answer at once.
    writeAnswer(x, 200, answer.plain, letter, answering);
    return undefined;
  }
  return compress(letter.body, encoding)
    .then((bytes) => {
      const compressed = new Letter(bytes);
      answering.bodies.put(bodyKey, compressed);
      writeAnswer(x, 200, encoded, compressed, answering);
    })
    .finally(leave);
}

function encodedHead(answer: HeldAnswer, encoding: Encoding): HeadLines {
  answer.encoded ??= {};
  answer.encoded[encoding] ??= new HeadLines([...answer.plain.list, 'Content-Encoding', encoding]);
  return answer.encoded[encoding];
}

function writeOnce(key: string, write: () => Buffer, { bodies }: Answering): Letter {
  const known = bodies.get(key);
  if (known) return known;
  const body = new Letter(write());
  bodies.put(key, body);
  return body;
}

/** Merged away: 301 to the survivor under the same kind of address, the parameters kept. */
export function answerMoved(x: Exchange, sent: Sent, id: string, answering: Answering): void {
  const path = answering.publicUrl() + x.route.replace('{id}', id);
  const query = sent.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const location = query === '' ? path : `${path}?${query}`;
  const head = new HeadLines(['Content-Type', JSON_TYPE, 'Cache-Control', DATA_CACHE, 'Location', location]);
  writeAnswer(x, 301, head, Buffer.from(JSON.stringify({ data: { id, location } })), answering);
}

/** The list's own path: the row's, with the id in the form that is answered. */
function pathOf(x: Exchange): string {
  return x.route.includes('{id}') ? x.address.path.toLowerCase() : x.route;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const DATA_CACHE = 'private, max-age=30';
