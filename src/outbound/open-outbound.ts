/** `openOutbound`: requests to other machines, each within its limits, until it is closed. */

import { lookup as lookupName } from 'node:dns/promises';
import { connect as connectSocket } from 'node:net';
import { checkAddress, createAllowedHosts, type Target } from './check-address.ts';
import type { AddressLookup, Connect } from './dial.ts';
import { Failure, toFailure } from './failure.ts';
import { createFollowRedirects } from './follow-redirects.ts';
import { joinSignals } from './joined-signal.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { FetchOutcome, Outbound, OutboundCode, OutboundRequest } from './model.ts';
import { createRobotsKeeper } from './robots.ts';

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
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const robots = createRobotsKeeper(
    /^[\w-]*/.exec(userAgent)?.[0] ?? '',
    limits,
    now,
    (url, { beforeHop, signal, mayUseList = true }) => {
      // Others may wait for the same file, so only whoever counts hops can stop it.
      const bounds = beforeHop && { beforeHop, ...(signal && { signal }) };
      return run({ url, accept: 'text/plain', mayUseList, ...bounds }, { ...limits, bodyBytes: limits.robotsBytes }, true);
    },
  );

  const follow = createFollowRedirects({
    userAgent,
    now,
    lookup,
    connect,
    maxUrlChars: limits.urlChars,
    allowed,
    semaphore: createHostSemaphore(limits.perHost),
    askRobots,
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

  async function askRobots(target: Target, signal: AbortSignal, request: OutboundRequest): Promise<number> {
    const judgement = await robots.judge(target, request);
    signal.throwIfAborted();
    if (judgement === 'forbidden') throw new Failure('robots', `the robots.txt of ${target.host} forbids this page`);
    if ('allows' in judgement) return judgement.crawlDelayMs;
    // The page would fail in the same way, and its own reason helps more.
    if (NO_CONNECTION.includes(judgement.code)) throw new Failure(judgement.code, judgement.detail);
    throw new Failure('robots', `the robots.txt of ${target.host} cannot be read now, so its pages are skipped`, judgement);
  }

  return {
    async fetch(request) {
      const work = run(request, limits, false);
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

const NO_CONNECTION: readonly OutboundCode[] = ['unresolvable', 'unreachable', 'tls'];
const hostOf = (url: string): string => URL.parse(url)?.hostname || 'the address';

/* So many at once for each host; the others wait in the order in which they came. */

export interface HostSemaphore {
  /** Resolves with the function that ends the turn. Rejects with the signal's reason when that comes first. */
  take(host: string, signal: AbortSignal): Promise<() => void>;
}

function createHostSemaphore(most: number): HostSemaphore {
  const hosts = new Map<string, { active: number; waiting: Set<() => void> }>();

  function end(host: string): void {
    const queue = hosts.get(host);
    if (!queue) return;
    const [next] = queue.waiting;
    if (next) queue.waiting.delete(next);
    else if (--queue.active === 0) hosts.delete(host);
    next?.();
  }

  return {
    async take(host, signal) {
      signal.throwIfAborted();
      const queue = hosts.get(host) ?? { active: 0, waiting: new Set() };
      hosts.set(host, queue);
      if (queue.active < most) queue.active++;
      else await turnOf(queue.waiting, signal);
      let isOver = false;
      return () => {
        if (!isOver) end(host);
        isOver = true;
      };
    },
  };
}

function turnOf(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      waiting.delete(begin);
      reject(signal.reason);
    };
    waiting.add(begin);
    signal.addEventListener('abort', leave, { once: true });
  });
}
