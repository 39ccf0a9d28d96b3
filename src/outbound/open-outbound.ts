/** `openOutbound`: redirects, turns, deadlines and outcomes around single exchanges. */

import { isUtf8 } from 'node:buffer';
import { lookup as lookupName } from 'node:dns/promises';
import { connect as connectSocket } from 'node:net';
import { createAllowedHosts } from './allowed-hosts.ts';
import { checkAddress, type Target } from './check-address.ts';
import type { AddressLookup, Connect } from './dial.ts';
import { exchange, type HopRequest, type RawAnswer } from './exchange.ts';
import { Failure, toFailure } from './failure.ts';
import { createHostSemaphore } from './host-semaphore.ts';
import { joinSignals } from './joined-signal.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { FetchOutcome, Outbound, OutboundRequest } from './model.ts';
import { isPublicAddress } from './public-address.ts';
import { readRetryAfter } from './retry-after.ts';
import { createRobotsKeeper } from './robots-keeper.ts';

export interface OutboundOptions {
  /** What may be reached though it is not public, or on other ports: `host`, `host:port`, an address with or without port, a network. */
  allowedHosts?: readonly string[];
  /** A product token, and perhaps an address behind it (RFC 9110 §10.1.5). The token is what robots.txt is read for. */
  userAgent?: string;
  now?: () => number;
  /** The addresses of a name, all of them. */
  lookup?: AddressLookup;
  connect?: Connect;
  limits?: Partial<Limits>;
}

/** Throws a `RangeError` for an entry of `allowedHosts` that is none. Settings for proxies and certificates in the environment do not count. */
export function openOutbound(options: OutboundOptions = {}): Outbound {
  const { userAgent = 'Marquee', now = Date.now, connect = connectSocket } = options;
  const lookup = options.lookup ?? ((host) => lookupName(host, { all: true }));
  const limits: Limits = { ...LIMITS, ...options.limits };
  const allowed = createAllowedHosts(options.allowedHosts ?? []);
  const semaphore = createHostSemaphore(limits.perHost);
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const robots = createRobotsKeeper({
    name: /^[\w-]*/.exec(userAgent)?.[0] ?? '',
    limits,
    now,
    fetch: (url) => run({ url, accept: 'text/plain' }, { ...limits, bodyBytes: limits.robotsBytes }, true),
  });

  async function run(request: OutboundRequest, bounds: Limits, cut: boolean): Promise<FetchOutcome> {
    const signals = request.signal ? [closing.signal, request.signal] : [closing.signal];
    const stopped = joinSignals(...signals);
    try {
      return await follow(request, bounds, cut, stopped.signal);
    } catch (error) {
      const isStopped = signals.some((signal) => signal.aborted && error === signal.reason);
      const failure = isStopped ? new Failure('stopped', 'the request was stopped') : toFailure(error, hostOf(request.url));
      const { code, status, retryAfterMs, message: detail } = failure;
      return { ok: false, code, ...(status === null ? {} : { status }), retryAfterMs, detail };
    } finally {
      stopped.release();
    }
  }

  async function follow(request: OutboundRequest, bounds: Limits, cut: boolean, stopped: AbortSignal): Promise<FetchOutcome> {
    const { isPage = false, isApi = false, method = 'GET' } = request;
    let target = targetOf(request.url, true);
    let headers = headersOf(request, userAgent, bounds);
    let mayUseList = true;
    stopped.throwIfAborted();
    if (isPage) await askRobots(target, stopped);
    // Waiting for others is not the host's fault: the deadline begins with the first turn.
    let endTurn = await semaphore.take(target.host, stopped);
    const deadline = new AbortController();
    const late = () => deadline.abort(new Failure('timeout', `${target.host} did not finish within ${bounds.totalMs / 1000} s`));
    const timer = setTimeout(late, bounds.totalMs);
    const { signal, release } = joinSignals(stopped, deadline.signal);
    try {
      for (let redirects = 0; ; redirects++) {
        const how = { method, headers, body: request.body, limits: bounds, isApi, cut, signal, lookup, connect };
        const hop: HopRequest = { target, ...how, mayReach: reachable(target, mayUseList) };
        const answer = await exchange(hop).catch((error) => {
          throw signal.aborted ? error : toFailure(error, hop.target.host);
        });
        endTurn();
        const location = redirectOf(answer);
        if (location === null) return outcomeOf(answer, target, request, bounds);
        if (method !== 'GET') throw redirected(answer, target, 'what is posted to it');
        if (redirects >= bounds.redirects) throw redirected(answer, target, `more than ${bounds.redirects} times`);
        // What the operator opened is opened to addresses that a person wrote down, not to where a stranger's site points.
        mayUseList &&= !isPublicAddress(answer.address);
        const next = targetOf(URL.parse(location, target.url)?.href ?? location, mayUseList);
        const isDowngrade = target.url.protocol === 'https:' && next.url.protocol === 'http:';
        if (isDowngrade) throw redirected(answer, target, 'from https to http');
        if (!isSameHost(target, next)) headers = headersOf({ ...request, headers: {} }, userAgent, bounds);
        target = next;
        if (isPage) await askRobots(target, signal);
        endTurn = await semaphore.take(target.host, signal);
      }
    } finally {
      clearTimeout(timer);
      release();
      endTurn();
    }
  }

  function reachable({ host, port }: Target, mayUseList: boolean): (address: string) => boolean {
    return (address) => isPublicAddress(address) || (mayUseList && allowed.permits(host, port, address));
  }

  function targetOf(url: string, mayUseList: boolean): Target {
    const checked = checkAddress(url, mayUseList ? allowed : null, limits.urlChars);
    if (!checked.ok) throw new Failure('refused_address', checked.reason);
    return checked.target;
  }

  async function askRobots(target: Target, signal: AbortSignal): Promise<void> {
    const judgement = await robots.judge(target);
    signal.throwIfAborted();
    if (judgement === 'forbidden') throw new Failure('robots', `the robots.txt of ${target.host} forbids this page`);
    if (judgement === 'unknown')
      throw new Failure('robots', `the robots.txt of ${target.host} cannot be read now, so its pages are skipped`);
  }

  function outcomeOf(
    { status, headers, body }: RawAnswer,
    { url, host }: Target,
    request: OutboundRequest,
    bounds: Limits,
  ): FetchOutcome {
    const isConditional = Boolean(request.etag || request.lastModified);
    if (status === 304 && isConditional) return { ok: 'unchanged' };
    if (!request.isApi && (status < 200 || status > 299)) {
      const retryAfterMs = readRetryAfter(headers['retry-after'], now(), bounds.retryAfterMs);
      throw new Failure('status', `${host} answered with status ${status}`, { status, retryAfterMs });
    }
    return {
      ok: true,
      status,
      url: url.href,
      body,
      contentType: headers['content-type'] ?? null,
      etag: validator(headers.etag, bounds),
      lastModified: validator(headers['last-modified'], bounds),
      ...(request.isApi && {
        headers: plainHeaders(headers),
        retryAfterMs: readRetryAfter(headers['retry-after'], now(), bounds.retryAfterMs),
      }),
    };
  }

  return {
    async fetch(request) {
      const work = run(request, limits, request.cutBody ?? false);
      underWay.add(work);
      return work.finally(() => underWay.delete(work));
    },
    checkAddress(url) {
      const checked = checkAddress(url, allowed, limits.urlChars);
      if (checked.ok) return { ok: true, url: checked.target.url.href };
      return { ok: false, code: 'refused_address', reason: checked.reason };
    },
    async close() {
      closing.abort();
      await Promise.allSettled(underWay);
    },
  };
}

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

const hostOf = (url: string): string => URL.parse(url)?.hostname || 'the address';

/** Those that say where a request goes and how long it is are not the caller's. */
const FRAMING = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'];
