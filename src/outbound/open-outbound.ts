/** `openOutbound`: requests to other machines, each within its limits, until it is closed. */

import { lookup as lookupName } from 'node:dns/promises';
import { connect as connectSocket } from 'node:net';
import { createAllowedHosts } from './allowed-hosts.ts';
import { checkAddress, type Target } from './check-address.ts';
import type { AddressLookup, Connect } from './dial.ts';
import { Failure, toFailure } from './failure.ts';
import { createFollowRedirects } from './follow-redirects.ts';
import { createHostSemaphore } from './host-semaphore.ts';
import { joinSignals } from './joined-signal.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { FetchOutcome, Outbound, OutboundRequest } from './model.ts';
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
  const robots = createRobotsKeeper({
    name: /^[\w-]*/.exec(userAgent)?.[0] ?? '',
    limits,
    now,
    fetch: (url) => run({ url, accept: 'text/plain' }, { ...limits, bodyBytes: limits.robotsBytes }, true),
  });

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

  async function askRobots(target: Target, signal: AbortSignal): Promise<void> {
    const judgement = await robots.judge(target);
    signal.throwIfAborted();
    if (judgement === 'forbidden') throw new Failure('robots', `the robots.txt of ${target.host} forbids this page`);
    if (judgement === 'unknown')
      throw new Failure('robots', `the robots.txt of ${target.host} cannot be read now, so its pages are skipped`);
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

const hostOf = (url: string): string => URL.parse(url)?.hostname || 'the address';
