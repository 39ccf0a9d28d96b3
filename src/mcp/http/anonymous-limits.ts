/** How often callers without a key may ask, in any 60 seconds: each network, and all of them together. Limits are per process. */

import { createMinuteWindows } from '../../accounts/index.ts';
import { hostNetwork } from '../../values/ip-network.ts';

export interface AnonymousLimits {
  /** Requests that cost something, such as calls of tools, of one network; a costly one counts several times. */
  callsPerNetwork: number;
  /** The same of all networks. */
  callsInAll: number;
  /** All requests of one network, lists and notifications too. With a key as well. */
  requestsPerNetwork: number;
}

export interface AnonymousLimiter {
  /** 0: counted; else whole seconds (≥ 1) to wait. A refused request is not counted. */
  takeCall(address: string, cost: number): number;
  takeRequest(address: string): number;
}

/** `monotonic`: milliseconds. */
export function createAnonymousLimiter(
  limits: AnonymousLimits,
  monotonic: () => number = () => performance.now(),
): AnonymousLimiter {
  const calls = createMinuteWindows({ perMinute: limits.callsPerNetwork, maxWatched: MAX_NETWORKS });
  const all = createMinuteWindows({ perMinute: limits.callsInAll, maxWatched: 1 });
  const requests = createMinuteWindows({ perMinute: limits.requestsPerNetwork, maxWatched: MAX_NETWORKS });
  let releasedAt = monotonic();
  /** Callers ask several times in a row: their network is worked out once. */
  let last = { address: '', network: hostNetwork('') };
  const networkOf = (address: string): string => {
    if (last.address !== address) last = { address, network: hostNetwork(address) };
    return last.network;
  };

  function readClock(): number {
    const ms = monotonic();
    if (ms - releasedAt > MINUTE_MS) {
      releasedAt = ms;
      for (const windows of [calls, all, requests]) windows.releaseIdle(Math.round(ms * US_PER_MS));
    }
    return Math.round(ms * US_PER_MS);
  }

  return {
    takeCall(address, cost) {
      const at = readClock();
      const own = calls.of(networkOf(address), at);
      const together = all.of(EVERYBODY, at);
      const wait = Math.max(own.wait, together.wait);
      if (wait > 0) return Math.ceil(wait / US_PER_SECOND);
      for (let n = 0; n < cost; n += 1) {
        own.add();
        together.add();
      }
      return 0;
    },
    takeRequest(address) {
      const window = requests.of(networkOf(address), readClock());
      if (window.wait === 0) window.add();
      return Math.ceil(window.wait / US_PER_SECOND);
    },
  };
}

export const ANONYMOUS_LIMITS: AnonymousLimits = { callsPerNetwork: 60, callsInAll: 1_200, requestsPerNetwork: 600 };
const EVERYBODY = '';
const MAX_NETWORKS = 10_000;
const MINUTE_MS = 60_000;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
