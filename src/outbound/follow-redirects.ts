/** One request from its first address to its last answer: each hop has its turn at its host, and one deadline is for all of them. */

import { isUtf8 } from 'node:buffer';
import type { AllowedHosts } from './check-address.ts';
import { checkAddress, isPublicAddress, type Target } from './check-address.ts';
import { exchange, type RawAnswer } from './exchange.ts';
import { Failure, toFailure } from './failure.ts';
import { joinSignals } from './joined-signal.ts';
import type { Limits } from './limits.ts';
import type { FetchOutcome, OutboundRequest } from './model.ts';
import type { HostSemaphore, OutboundOptions } from './open-outbound.ts';

export interface FollowRedirectsOptions extends Required<Pick<OutboundOptions, 'userAgent' | 'now' | 'lookup' | 'connect'>> {
  /** Characters of an address. */
  maxUrlChars: number;
  allowed: AllowedHosts;
  semaphore: HostSemaphore;
  /** How many milliseconds robots.txt asks for between two requests. Throws a `Failure` where it forbids a page. */
  askRobots(target: Target, signal: AbortSignal, request: OutboundRequest): Promise<number>;
}

/** `cut`: a body that is too long is cut, not refused. Throws a `Failure`, or the reason of `stopped`. */
export type FollowRedirects = (
  request: OutboundRequest,
  limits: Limits,
  cut: boolean,
  stopped: AbortSignal,
) => Promise<FetchOutcome>;

interface Hop {
  target: Target;
  headers: Record<string, string>;
  /** What the operator opened is opened to addresses that a person wrote down, not to where a stranger's site points. */
  mayUseList: boolean;
  /** How many led here. */
  redirects: number;
}

export function createFollowRedirects(options: FollowRedirectsOptions): FollowRedirects {
  const { userAgent, now, lookup, connect, maxUrlChars, allowed, semaphore, askRobots } = options;

  return async (request, limits, cut, stopped) => {
    const { mayUseList = true } = request;
    let hop: Hop = {
      target: targetOf(request.url, mayUseList),
      headers: headersOf(request, userAgent, limits),
      mayUseList,
      redirects: 0,
    };
    stopped.throwIfAborted();
    await beginHop(hop, request, stopped);
    // Waiting for others is not the host's fault: the deadline begins with the first turn.
    let endTurn = await semaphore.take(hop.target.host, stopped);
    const deadline = startDeadline(hop.target.host, limits.totalMs);
    const { signal, release } = joinSignals(stopped, deadline.signal);
    try {
      for (;;) {
        const answer = await ask(hop, request, limits, cut, signal);
        endTurn();
        const location = redirectOf(answer);
        if (location === null) return noteList(outcomeOf(answer, hop.target, request, limits, now()), hop, answer);
        hop = nextHop(hop, answer, location, request, limits);
        deadline.pause();
        await beginHop(hop, request, stopped);
        deadline.resume();
        endTurn = await semaphore.take(hop.target.host, signal);
      }
    } finally {
      deadline.stop();
      release();
      endTurn();
    }
  };

  async function beginHop({ target, mayUseList }: Hop, request: OutboundRequest, stopped: AbortSignal): Promise<void> {
    const crawlDelayMs = request.isPage ? await askRobots(target, stopped, { ...request, mayUseList }) : 0;
    await request.beforeHop?.(target.host, crawlDelayMs);
  }

  function ask(
    { target, headers, mayUseList }: Hop,
    { method = 'GET', body, isApi = false, anyBody = false }: OutboundRequest,
    limits: Limits,
    cut: boolean,
    signal: AbortSignal,
  ): Promise<RawAnswer> {
    const { host, port } = target;
    const mayReach = (address: string) => isPublicAddress(address) || (mayUseList && allowed.permits(host, port, address));
    const hop = { target, method, headers, body, limits, isApi, cut, anyBody, signal };
    return exchange({ ...hop, lookup, connect, mayReach }).catch((error) => {
      throw signal.aborted ? error : toFailure(error, host);
    });
  }

  function nextHop(hop: Hop, answer: RawAnswer, location: string, request: OutboundRequest, limits: Limits): Hop {
    const { target } = hop;
    if ((request.method ?? 'GET') !== 'GET') throw redirected(answer, target, 'what is posted to it');
    if (hop.redirects >= limits.redirects) throw redirected(answer, target, `more than ${limits.redirects} times`);
    const mayUseList = hop.mayUseList && !isPublicAddress(answer.address);
    const next = targetOf(URL.parse(location, target.url)?.href ?? location, mayUseList);
    const isDowngrade = target.url.protocol === 'https:' && next.url.protocol === 'http:';
    if (isDowngrade) throw redirected(answer, target, 'from https to http');
    const headers = isSameHost(target, next) ? hop.headers : headersOf({ ...request, headers: {} }, userAgent, limits);
    return { target: next, headers, mayUseList, redirects: hop.redirects + 1 };
  }

  function noteList(outcome: FetchOutcome, { target: { host, port }, mayUseList }: Hop, { address }: RawAnswer): FetchOutcome {
    const isListed = mayUseList && allowed.permits(host, port, address);
    return outcome.ok === true && isListed ? { ...outcome, isListed } : outcome;
  }

  function targetOf(url: string, mayUseList: boolean): Target {
    const checked = checkAddress(url, mayUseList ? allowed : null, maxUrlChars);
    if (!checked.ok) throw new Failure('refused_address', checked.reason);
    return checked.target;
  }
}

interface Deadline {
  signal: AbortSignal;
  /** What is waited for now is not the host's fault. */
  pause(): void;
  resume(): void;
  stop(): void;
}

function startDeadline(host: string, totalMs: number): Deadline {
  const deadline = new AbortController();
  const late = () => deadline.abort(new Failure('timeout', `${host} did not finish within ${totalMs / 1000} s`));
  let left = totalMs;
  let since = performance.now();
  let timer = setTimeout(late, left);
  return {
    signal: deadline.signal,
    pause() {
      clearTimeout(timer);
      left -= performance.now() - since;
    },
    resume() {
      since = performance.now();
      timer = setTimeout(late, Math.max(0, left));
    },
    stop: () => clearTimeout(timer),
  };
}

/** Throws a `Failure` for a status that is none of success. `now`: milliseconds. */
function outcomeOf(
  { status, headers, body, bodyFault }: RawAnswer,
  { url, host }: Target,
  request: OutboundRequest,
  limits: Limits,
  now: number,
): FetchOutcome {
  const isConditional = Boolean(request.etag || request.lastModified);
  if (status === 304 && isConditional) return { ok: 'unchanged' };
  const retryAfter = () => readRetryAfter(headers['retry-after'], now, limits.retryAfterMs);
  if (!request.isApi && (status < 200 || status > 299)) {
    throw new Failure('status', `${host} answered with status ${status}`, { status, retryAfterMs: retryAfter() });
  }
  return {
    ok: true,
    status,
    url: url.href,
    body,
    contentType: headers['content-type'] ?? null,
    etag: validator(headers.etag, limits),
    lastModified: validator(headers['last-modified'], limits),
    ...(request.isApi && { headers: plainHeaders(headers), retryAfterMs: retryAfter() }),
    ...(bodyFault !== null && { bodyFault }),
  };
}

/** One text per name, as most headers come. */
function plainHeaders(headers: RawAnswer['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Null: not a redirect. RFC 9110 §15.4; a `Location` in raw UTF-8 is common and meant. */
function redirectOf({ status, headers: { location } }: RawAnswer): string | null {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return null;
  const bytes = Buffer.from(location, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : location;
}

const redirected = ({ status }: RawAnswer, { host }: Target, how: string): Failure =>
  new Failure('redirects', `${host} redirects ${how}`, { status });

/** From http to https on the usual ports is the same host still. */
function isSameHost(from: Target, to: Target): boolean {
  return from.host === to.host && (from.port === to.port || (from.port === 80 && to.port === 443));
}

/** Milliseconds from `now`, at most `most`; null where nothing understandable is asked. */
function readRetryAfter(value: string | undefined, now: number, most: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, most);
  // Of the three forms of a date the other two are obsolete. `Date.parse` alone would read "-5" as a month.
  if (!IMF_FIXDATE.test(text)) return null;
  const wait = Date.parse(text) - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), most);
}

/** The headers of a request, and what a caller may remember of an answer to ask again with. */
function headersOf(request: OutboundRequest, userAgent: string, limits: Limits): Record<string, string> {
  const { accept = '*/*', headers = {} } = request;
  const own = Object.entries(headers).filter(([name]) => !FRAMING.includes(name.toLowerCase()));
  const etag = validator(request.etag ?? undefined, limits);
  const lastModified = validator(request.lastModified ?? undefined, limits);
  return {
    ...Object.fromEntries(own),
    'user-agent': userAgent,
    accept,
    'accept-encoding': 'gzip',
    connection: 'close',
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

/** One that is not worth keeping, or could not be sent back, is none. */
function validator(value: string | undefined, limits: Limits): string | null {
  return value !== undefined && /^[\x20-\x7e]+$/.test(value) && value.length <= limits.validatorChars ? value : null;
}

const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
/** Those that say where a request goes and how long it is are not the caller's. */
const FRAMING = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'];
