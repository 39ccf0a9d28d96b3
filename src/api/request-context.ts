/** One request on its way to its one answer: what is known of it so far, and how the answer is written, with the rate-limit headers (contract §8). */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Allowance, Caller, InFlight, RecordOutcome, TierName } from '../accounts/index.ts';
import {
  COMPRESS_FROM_BYTES,
  chooseEncoding,
  compressNow,
  PROBLEM_TYPE,
  PROBLEMS,
  type Problem,
  problemHeaders,
  type RequestHead,
  ResponseBuffer,
  readHead,
  SerializedHeaders,
  sendQuickly,
  sendUnchangedQuickly,
  splitLines,
  writeProblem,
} from '../http/index.ts';
import { formatUtc } from '../values/utc.ts';
import type { FindDeprecations } from './deprecations.ts';
import { type Observe, UNKNOWN_API_ROUTE } from './observer.ts';
import type { BodyCache, RequestTarget } from './response-cache.ts';

/** Lines with their ends. `now`: the limits' clock. */
function formatAllowance({ tier, day, minute }: Allowance, now: number): string {
  const untilReset = Math.max(1, Math.ceil((day.resetsAt - now) / 1000));
  let lines = printed.get(tier);
  if (lines?.resetsAt !== day.resetsAt || lines.perDay !== day.limit || lines.perMinute !== minute.limit) {
    lines = formatLimits(day.limit, minute.limit, day.resetsAt);
    printed.set(tier, lines);
  }
  // draft-ietf-httpapi-ratelimit-headers: what is left of each policy, and for how many seconds.
  const rest = `"minute";r=${minute.remaining};t=${minute.freesInSeconds}, "day";r=${day.remaining};t=${untilReset}`;
  return `${lines.text}X-RateLimit-Remaining: ${day.remaining}\r\nRateLimit: ${rest}\r\n`;
}

/** The same as a flat list. */
export const listAllowanceHeaders = (allowance: Allowance, now: number): string[] => splitLines(formatAllowance(allowance, now));

interface LimitLines {
  perDay: number;
  perMinute: number;
  resetsAt: number;
  text: string;
}

function formatLimits(perDay: number, perMinute: number, resetsAt: number): LimitLines {
  const list = ['X-RateLimit-Limit', String(perDay), 'X-RateLimit-Per-Minute', String(perMinute)];
  list.push('X-RateLimit-Reset', formatUtc(resetsAt));
  // Quota and window of each policy.
  list.push('RateLimit-Policy', `"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`);
  return { perDay, perMinute, resetsAt, text: new SerializedHeaders(list).text };
}

/** What the server knows of a request before the API sees it. */
export interface ConnectionInfo {
  requestId: string;
  /** The caller's address; a proxy's word only where it is trusted. */
  address: string;
  /** `performance.now()` at arrival. */
  startedAt: number;
  /** The connection has carried enough and ends with this answer. */
  last: boolean;
  /** Looked at when the answer is written: a service that is ending closes every connection it answers on. */
  service: { readonly draining: boolean };
  /** What Node found wrong with it, if anything. */
  refused: Problem | null;
  /** Told of each connection whether a key has admitted its last request. */
  setAdmitted(socket: Socket, isAdmitted: boolean): void;
}

export interface RequestContext {
  req: IncomingMessage;
  res: ServerResponse;
  connection: ConnectionInfo;
  head: RequestHead;
  target: RequestTarget;
  /** The row's template, for logs and figures. */
  route: string;
  /** Set once the gate has admitted or refused a genuine key. */
  caller: Caller | undefined;
  allowance: Allowance | undefined;
  /** Set once the gate has admitted the request. */
  recordOutcome: RecordOutcome | undefined;
  strict: boolean;
  /** `Accept` decides in which form the list is answered. */
  isNegotiated: boolean;
  answered: boolean;
  /** A fault that the caller asked for: no figure of the service. */
  isSimulated: boolean;
}

export function createRequestContext(
  req: IncomingMessage,
  res: ServerResponse,
  connection: ConnectionInfo,
  target: RequestTarget,
): RequestContext {
  return {
    req,
    res,
    connection,
    head: readHead(req.rawHeaders),
    target,
    route: UNKNOWN_API_ROUTE,
    caller: undefined,
    allowance: undefined,
    recordOutcome: undefined,
    strict: false,
    isNegotiated: false,
    answered: false,
    isSimulated: false,
  };
}

/** Tells the connection whether a key admitted the request. */
export function setAdmitted({ connection, req }: RequestContext, isAdmitted: boolean): void {
  connection.setAdmitted(req.socket, isAdmitted);
}

export interface Answering {
  publicUrl: () => string;
  limitsClock: () => number;
  /** How long nothing new can have been read, ms; 0 while the store answers. */
  dataAgeMs: () => number;
  observe: Observe;
  findDeprecations: FindDeprecations;
  bodies: BodyCache;
  /** Places of requests that wait for the store or a compression. */
  inFlight: InFlight;
}

/**
 * Writes the answer, an ordinary one in one piece, any other as Node writes it: a flat list of headers and a body, so nothing is copied
 * or sorted on the way. A body is announced but not sent to `HEAD` (RFC 9110 §9.3.2).
 */
export function writeAnswer(
  ctx: RequestContext,
  status: number,
  head: SerializedHeaders,
  body: ResponseBuffer | Buffer | null,
  { limitsClock, dataAgeMs, observe }: Answering,
): void {
  if (ctx.answered) return;
  const { req, res, connection } = ctx;
  const own = ownLines(ctx, body, limitsClock) + formatAge(status, dataAgeMs());
  const fixed = ctx.isNegotiated ? FIXED_NEGOTIATED : FIXED;
  // An unread body would be taken for the next request: the connection cannot go on (RFC 9112 §9.3).
  const ends = connection.last || connection.service.draining || ctx.head.bodyLength > 0;
  ctx.answered = true;
  const lines = () => head.text + fixed.text + own;
  if (ends || !sendOrdinary(res, { status, lines, body })) {
    res.writeHead(status, [...head.list, ...fixed.list, ...splitLines(own), ...(ends ? CLOSING : [])]);
    if (body === null || req.method === 'HEAD') res.end();
    else res.end(body instanceof ResponseBuffer ? body.body : body);
  }
  note(ctx, status, observe);
}

function sendOrdinary(
  res: ServerResponse,
  { status, lines, body }: { status: number; lines: () => string; body: ResponseBuffer | Buffer | null },
): boolean {
  if (status === 304) return sendUnchangedQuickly(res, lines());
  return status === 200 && body instanceof ResponseBuffer && sendQuickly(res, lines(), body);
}

/** The header lines that only this answer has. */
function ownLines(ctx: RequestContext, body: ResponseBuffer | Buffer | null, limitsClock: () => number): string {
  return (
    (ctx.allowance ? formatAllowance(ctx.allowance, limitsClock()) : '') +
    `X-Request-Id: ${ctx.connection.requestId}\r\n` +
    (ctx.strict ? 'Preference-Applied: handling=strict\r\n' : '') +
    (body ? `Content-Length: ${body.length}\r\n` : '')
  );
}

/** Directory data is up to date, so its age (RFC 9111 §5.1) is only told while the store is out of reach. */
function formatAge(status: number, ageMs: number): string {
  return ageMs < 1_000 || (status !== 200 && status !== 304) ? '' : `Age: ${Math.floor(ageMs / 1_000)}\r\n`;
}

/** The caller left before there was an answer: nothing is written, but the request is on record. */
export function abandon(ctx: RequestContext, { observe }: Answering): void {
  if (ctx.answered) return;
  ctx.answered = true;
  note(ctx, ABANDONED, observe);
}

function note(ctx: RequestContext, status: number, observe: Observe): void {
  const { requestId, startedAt } = ctx.connection;
  ctx.recordOutcome?.(ctx.route, status);
  const { route, isSimulated } = ctx;
  const { keyId, tier } = ctx.caller ?? NOBODY;
  const { method = '', rawHeaders } = ctx.req;
  observe({ requestId, method, route, status, startedAt, keyId, tier, rawHeaders, isSimulated });
}

export function writeRefusal(ctx: RequestContext, problem: Problem, answering: Answering): void {
  const { status } = PROBLEMS[problem.code];
  const body = writeProblem(problem, answering.publicUrl(), ctx.connection.requestId);
  const encoding = body.length > COMPRESS_FROM_BYTES ? chooseEncoding(ctx.head.acceptEncoding) : null;
  // Of the endpoint alone: which parameters would have been used is not known.
  const deprecated = answering.findDeprecations(ctx.target.match, []);
  const deprecation = deprecated ? [...deprecated.list, 'Link', deprecated.link] : [];
  const own = Object.entries(problemHeaders(problem)).flat();
  const head = ['Content-Type', PROBLEM_TYPE, 'Cache-Control', 'no-store', ...own, ...deprecation];
  if (encoding === null) writeAnswer(ctx, status, new SerializedHeaders(head), body, answering);
  else
    writeAnswer(
      ctx,
      status,
      new SerializedHeaders([...head, 'Content-Encoding', encoding]),
      compressNow(body, encoding),
      answering,
    );
}

/** What stays the same for all of a tier the whole day long. */
const printed = new Map<TierName, LimitLines>();

export const ALLOWANCE_HEADERS = {
  'X-RateLimit-Limit': 'Requests a day of the tier.',
  'X-RateLimit-Remaining': 'Requests left today.',
  'X-RateLimit-Per-Minute': 'Requests in any 60 seconds of the tier.',
  'X-RateLimit-Reset': 'When the day ends, UTC.',
  'RateLimit-Policy': 'Both limits, as structured fields.',
  RateLimit: 'The remaining requests of both limits, and the seconds until more are available.',
} as const;
const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Per-Minute',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'ETag',
  'Link',
  'Location',
  'Deprecation',
  'Sunset',
  'X-Request-Id',
  'X-Search-Interpretation',
  'Preference-Applied',
  'Age',
].join(', ');
/** On every answer. */
const fixedLines = (vary: string) => [
  'Vary',
  vary,
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  EXPOSED_HEADERS,
  'X-Content-Type-Options',
  'nosniff',
];
const FIXED = new SerializedHeaders(fixedLines('Accept-Encoding, X-API-Key'));
const FIXED_NEGOTIATED = new SerializedHeaders(fixedLines('Accept, Accept-Encoding, X-API-Key'));
const CLOSING: readonly string[] = ['Connection', 'close'];
/** Never sent; what proxies write into their logs for it. */
const ABANDONED = 499;

const NOBODY = { keyId: undefined, tier: undefined };
