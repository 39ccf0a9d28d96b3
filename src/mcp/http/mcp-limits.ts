/**
 * How often may be asked beside the limits of plans, in any 60 seconds: callers without a key by network, by site and all together, callers
 * with a key for what costs nothing. Limits are per process.
 */

import { createMinuteWindows } from '../../accounts/index.ts';
import { hostNetwork, siteNetwork } from '../../values/ip-network.ts';

export interface McpLimits {
  /** Requests that cost something, such as calls of tools, of one network; a costly one counts several times. */
  callsPerNetwork: number;
  /** The same of all networks of one site. */
  callsPerSite: number;
  /** The same of all networks. */
  callsInAll: number;
  /** All requests of one network that came without a known key, lists and notifications too. */
  requestsPerNetwork: number;
  /** Lists and notifications of one subscription; its calls are metered by its plan. */
  freePerSubscription: number;
}

export interface McpLimiter {
  /** 0: counted; else whole seconds (≥ 1) to wait. A refused request is not counted. */
  takeCall(address: string, cost: number): number;
  takeRequest(address: string): number;
  takeFree(subscriptionId: string): number;
}

/** `monotonic`: milliseconds. */
export function createMcpLimiter(limits: McpLimits, monotonic: () => number = () => performance.now()): McpLimiter {
  const calls = createMinuteWindows({ perMinute: limits.callsPerNetwork, maxWatched: MAX_NETWORKS });
  const sites = createMinuteWindows({ perMinute: limits.callsPerSite, maxWatched: MAX_NETWORKS });
  const all = createMinuteWindows({ perMinute: limits.callsInAll, maxWatched: 1 });
  const requests = createMinuteWindows({ perMinute: limits.requestsPerNetwork, maxWatched: MAX_NETWORKS });
  const free = createMinuteWindows({ perMinute: limits.freePerSubscription, maxWatched: MAX_SUBSCRIPTIONS });
  let releasedAt = monotonic();
  /** Callers ask several times in a row: their network is worked out once. */
  let last = { address: '', network: hostNetwork(''), site: siteNetwork('') };
  const placeOf = (address: string): typeof last => {
    if (last.address !== address) last = { address, network: hostNetwork(address), site: siteNetwork(address) };
    return last;
  };

  function readClock(): number {
    const ms = monotonic();
    if (ms - releasedAt > MINUTE_MS) {
      releasedAt = ms;
      for (const windows of [calls, sites, all, requests, free]) windows.releaseIdle(Math.round(ms * US_PER_MS));
    }
    return Math.round(ms * US_PER_MS);
  }

  return {
    takeCall(address, cost) {
      const at = readClock();
      const { network, site } = placeOf(address);
      const windows = [calls.of(network, at, cost), sites.of(site, at, cost), all.of(EVERYBODY, at, cost)];
      const wait = Math.max(...windows.map((window) => window.wait));
      if (wait > 0) return Math.ceil(wait / US_PER_SECOND);
      for (const window of windows) window.add();
      return 0;
    },
    takeRequest: (address) => take(requests, placeOf(address).network),
    takeFree: (subscriptionId) => take(free, subscriptionId),
  };

  function take(windows: typeof requests, whose: string): number {
    const window = windows.of(whose, readClock());
    if (window.wait === 0) window.add();
    return Math.ceil(window.wait / US_PER_SECOND);
  }
}

export const MCP_LIMITS: McpLimits = {
  callsPerNetwork: 60,
  // A fifth of what all sites share: no customer of a provider alone crowds out others.
  callsPerSite: 240,
  callsInAll: 1_200,
  requestsPerNetwork: 600,
  freePerSubscription: 600,
};
const EVERYBODY = '';
const MAX_NETWORKS = 10_000;
const MAX_SUBSCRIPTIONS = 10_000;
const MINUTE_MS = 60_000;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
