/** RequestCounts failed keys for each network: guessing is slowed down, and a valid key from the same network never is. */

import type { Clock } from '../../clock.ts';
import { hostNetwork, siteNetwork } from '../../values/ip-network.ts';
import { createMinuteWindows } from './minute-windows.ts';

export interface UnknownKeyLimiter {
  /** Records a failed key. Whole seconds (≥ 1) to wait if the network has used its minute up, else 0. A refused failure is not recorded. */
  failed(address: string): number;
  /** Forgets networks without a failure in the last minute. */
  releaseIdle(): void;
}

/** `monotonic` in milliseconds. */
export function createUnknownKeyLimiter(monotonic: Clock): UnknownKeyLimiter {
  const hosts = createMinuteWindows(HOST);
  const sites = createMinuteWindows(SITE);
  /** A flood comes from one address: its networks are worked out once. */
  let last = { address: '', host: hostNetwork(''), site: siteNetwork('') };

  return {
    failed(address) {
      const now = Math.round(monotonic() * US_PER_MS);
      if (last.address !== address) last = { address, host: hostNetwork(address), site: siteNetwork(address) };
      const host = hosts.of(last.host, now);
      const site = sites.of(last.site, now);
      const wait = Math.max(host.wait, site.wait);
      if (wait > 0) return Math.ceil(wait / US_PER_SECOND);
      host.add();
      site.add();
      return 0;
    },

    releaseIdle() {
      const now = Math.round(monotonic() * US_PER_MS);
      hosts.releaseIdle(now);
      sites.releaseIdle(now);
    },
  };
}

/** An IPv4 address or an IPv6 /64. With full rings about 40 MB. */
export const HOST = { perMinute: 600, maxWatched: 10_000 } as const;
/** An IPv4 /24 or an IPv6 /48, which holds 65 536 hosts. With full rings about 65 MB. */
export const SITE = { perMinute: 6_000, maxWatched: 2_000 } as const;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
