/** How a request of the API ends: refused, failed, or answered with data (a 200, its 304, the 301 of a merged record), now or after a wait. */

import { hash } from 'node:crypto';
import {
  COMPRESS_FROM_BYTES,
  chooseEncoding,
  compress,
  ENCODINGS,
  type Encoding,
  matchesTag,
  PLAIN_METHODS,
  type Problem,
  ResponseBuffer,
  SerializedHeaders,
  writePagingLinks,
} from '../http/index.ts';
import type { Log } from '../log.ts';
import type { Snapshot } from '../search/index.ts';
import { BROKEN } from './refusals.ts';
import { type Answering, abandon, type RequestContext, setAdmitted, writeAnswer, writeRefusal } from './request-context.ts';
import type { HeldAnswer, RequestTargets } from './response-cache.ts';
import type { Ask, RouteOutcome } from './route.ts';

/** The parameters that were used, as sent. */
type SentParameters = readonly (readonly [string, string])[];

/**
 * Writes the answer at once, or promises to when the body has to be compressed. `hold` is given what can be answered again at the same
 * address until the directory time that is named.
 */
function answerData(
  ctx: RequestContext,
  sent: SentParameters,
  outcome: Extract<RouteOutcome, { kind: 'data' }>,
  answering: Answering,
  hold: (answer: HeldAnswer, until: number) => void,
): Promise<void> | undefined {
  const { tag, body: write, until } = outcome;
  const strength = ctx.target.match?.route.form ? '' : 'W/';
  if (tag === null) {
    // Where no tag stands for the bytes, the bytes themselves do.
    const body = new ResponseBuffer(write());
    const answer = headsOf(ctx, sent, outcome, `${strength}"${hash('sha1', body.body, 'base64url')}"`, answering);
    return deliver(ctx, answer, () => body, answering);
  }
  const answer = headsOf(ctx, sent, outcome, `${strength}"${tag}"`, answering);
  if (until !== undefined) hold(answer, until);
  return deliver(ctx, answer, () => writeOnce(answer.bodyKey, write, answering), answering);
}

/** Answers once more what is held. False, and nothing done, when its body is not kept any more. */
function answerHeld(ctx: RequestContext, answer: HeldAnswer, answering: Answering): Promise<void> | undefined | false {
  const body = answering.bodies.get(answer.bodyKey);
  return body ? deliver(ctx, answer, () => body, answering) : false;
}

function headsOf(
  ctx: RequestContext,
  sent: SentParameters,
  { page, interpretations }: Extract<RouteOutcome, { kind: 'data' }>,
  etag: string,
  { publicUrl, findDeprecations }: Answering,
): HeldAnswer {
  const deprecated = findDeprecations(ctx.target.match, sent);
  const headers = ['Cache-Control', DATA_CACHE, 'ETag', etag, ...(deprecated?.list ?? [])];
  const links = page ? [writePagingLinks(publicUrl() + pathOf(ctx), sent, page)] : [];
  if (deprecated) links.push(deprecated.link);
  if (links.length > 0) headers.push('Link', links.join(', '));
  if (interpretations && interpretations.length > 0) {
    const readings = interpretations.map(({ word, readAs }) => `${encodeURIComponent(word)}=${encodeURIComponent(readAs)}`);
    headers.push('X-Search-Interpretation', readings.join(', '));
  }
  const withType = [...headers, 'Content-Type', ctx.target.match?.route.form?.contentType ?? JSON_TYPE];
  // At one address a tag names its bytes.
  return {
    etag,
    bodyKey: ctx.target.path + etag,
    unchanged: new SerializedHeaders(headers),
    plain: new SerializedHeaders(withType),
  };
}

function deliver(
  ctx: RequestContext,
  answer: HeldAnswer,
  body: () => ResponseBuffer,
  answering: Answering,
): Promise<void> | undefined {
  const unchanged = unchangedHead(answer, ctx.head.ifNoneMatch);
  if (unchanged) {
    writeAnswer(ctx, 304, unchanged, null, answering);
    return undefined;
  }
  const buffer = body();
  const encoding = buffer.length > COMPRESS_FROM_BYTES ? chooseEncoding(ctx.head.acceptEncoding) : null;
  if (encoding === null) {
    writeAnswer(ctx, 200, answer.plain, buffer, answering);
    return undefined;
  }
  const encoded = encodedHead(answer, encoding);
  const bodyKey = encoding + answer.bodyKey;
  const known = answering.bodies.get(bodyKey);
  if (known) {
    writeAnswer(ctx, 200, encoded, known, answering);
    return undefined;
  }
  const leave = answering.inFlight.enter(ctx.connection.address, ctx.req.socket);
  if (!leave) {
    // More bytes, but an answer at once.
    writeAnswer(ctx, 200, answer.plain, buffer, answering);
    return undefined;
  }
  return compress(buffer.body, encoding)
    .then((bytes) => {
      const compressed = new ResponseBuffer(bytes);
      answering.bodies.put(bodyKey, compressed);
      writeAnswer(ctx, 200, encoded, compressed, answering);
    })
    .finally(leave);
}

function encodedHead(answer: HeldAnswer, encoding: Encoding): SerializedHeaders {
  answer.encoded ??= {};
  answer.encoded[encoding] ??= new SerializedHeaders([
    ...tagged(answer.plain, encodedTag(answer, encoding)),
    'Content-Encoding',
    encoding,
  ]);
  return answer.encoded[encoding];
}

/** A strong tag names bytes, so each encoding has a tag of its own (RFC 9110 §8.8.3.3). */
function encodedTag({ etag }: HeldAnswer, encoding: Encoding): string {
  return etag.startsWith('W/') ? etag : `${etag.slice(0, -1)}-${encoding}"`;
}

/** The head of a 304, with the tag that the caller named; null when the caller has something else. */
function unchangedHead(answer: HeldAnswer, ifNoneMatch: string | undefined): SerializedHeaders | null {
  if (ifNoneMatch === undefined) return null;
  if (matchesTag(ifNoneMatch, answer.etag)) return answer.unchanged;
  if (answer.etag.startsWith('W/')) return null;
  const named = ENCODINGS.map((encoding) => encodedTag(answer, encoding)).find((etag) => matchesTag(ifNoneMatch, etag));
  return named === undefined ? null : new SerializedHeaders(tagged(answer.unchanged, named));
}

function tagged({ list }: SerializedHeaders, etag: string): readonly string[] {
  return list.map((text, at) => (list[at - 1] === 'ETag' ? etag : text));
}

function writeOnce(key: string, write: () => Buffer, { bodies }: Answering): ResponseBuffer {
  const known = bodies.get(key);
  if (known) return known;
  const body = new ResponseBuffer(write());
  bodies.put(key, body);
  return body;
}

/** Merged away: 301 to the survivor under the same kind of address, the parameters kept. */
function answerMoved(ctx: RequestContext, sent: SentParameters, id: string, answering: Answering): void {
  const path = answering.publicUrl() + ctx.route.replace('{id}', id);
  const query = sent.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const location = query === '' ? path : `${path}?${query}`;
  const deprecated = answering.findDeprecations(ctx.target.match, sent);
  const head = new SerializedHeaders([
    ...['Content-Type', JSON_TYPE, 'Cache-Control', DATA_CACHE, 'Location', location],
    ...(deprecated ? [...deprecated.list, 'Link', deprecated.link] : []),
  ]);
  writeAnswer(ctx, 301, head, Buffer.from(JSON.stringify({ data: { id, location } })), answering);
}

/** The list's own path: the row's, with the id in the form that is answered. */
function pathOf(ctx: RequestContext): string {
  return ctx.route.includes('{id}') ? ctx.target.path.toLowerCase() : ctx.route;
}

export interface Responses {
  refuse(ctx: RequestContext, problem: Problem): void;
  /** For what nobody expected: logs it and says that it is our fault. */
  fail(ctx: RequestContext, error: unknown): void;
  /** Runs the rest of a request that had to wait; a caller who left meanwhile is not worked for. */
  resume<T>(ctx: RequestContext, waiting: Promise<T>, next: (value: T) => void): void;
  /** Answers `OPTIONS`. */
  preflight(ctx: RequestContext): void;
  /** Answers from what is held for the target, if that is still right, and says so. */
  repeat(ctx: RequestContext, snapshot: Snapshot, now: number): boolean;
  /** Writes what the endpoint gave. */
  conclude(ctx: RequestContext, ask: Ask, outcome: RouteOutcome): void;
}

export function createResponses(answering: Answering, targets: RequestTargets, log: Log): Responses {
  const refuse: Responses['refuse'] = (ctx, problem) => writeRefusal(ctx, problem, answering);

  function fail(ctx: RequestContext, error: unknown): void {
    log.error({ err: error, requestId: ctx.connection.requestId, route: ctx.route }, 'a request failed');
    if (ctx.res.headersSent) ctx.res.destroy();
    else refuse(ctx, BROKEN);
  }

  function resume<T>(ctx: RequestContext, waiting: Promise<T>, next: (value: T) => void): void {
    waiting
      .then((value) => {
        if (ctx.res.destroyed) abandon(ctx, answering);
        else next(value);
      })
      .catch((error: unknown) => fail(ctx, error));
  }

  return {
    refuse,
    fail,
    resume,
    preflight(ctx) {
      setAdmitted(ctx, false);
      writeAnswer(ctx, 204, PREFLIGHT_HEAD, null, answering);
    },
    repeat(ctx, snapshot, now) {
      const answer = targets.answerAt(ctx.target, snapshot, now);
      const waiting = answer ? answerHeld(ctx, answer, answering) : false;
      if (waiting) resume(ctx, waiting, () => {});
      return waiting !== false;
    },
    conclude(ctx, { sent, snapshot, now }, outcome) {
      if (outcome.kind === 'problem') return void refuse(ctx, outcome.problem);
      if (outcome.kind === 'moved') return void answerMoved(ctx, sent, outcome.id, answering);
      const hold = (answer: HeldAnswer, until: number) => {
        // Strict reading refuses what lenient reading passes over.
        if (!ctx.strict) targets.hold(ctx.target, snapshot, answer, now, until);
      };
      const waiting = answerData(ctx, sent, outcome, answering, hold);
      if (waiting) resume(ctx, waiting, () => {});
    },
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';
const DATA_CACHE = 'private, max-age=30';
const PREFLIGHT_HEAD = new SerializedHeaders([
  'Allow',
  PLAIN_METHODS,
  'Access-Control-Allow-Methods',
  PLAIN_METHODS,
  'Access-Control-Allow-Headers',
  'X-API-Key, Accept, If-None-Match, Prefer, X-Marquee-Simulate',
  // Seconds; the longest that Firefox keeps.
  'Access-Control-Max-Age',
  '86400',
]);
