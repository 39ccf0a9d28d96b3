/** Counts failed keys for each network: guessing is slowed down, and a valid key from the same network never is. */

import type { Clock } from '../../clock.ts';
import { hostNetwork, siteNetwork } from '../../values/ip-network.ts';
import { createMinuteWindows } from './rolling-minute.ts';

export interface UnknownKeyLimiter {
  /** Records a failed key. Whole seconds (≥ 1) to wait if the network has used its minute up, else 0. A refused failure is not recorded. */
  failed(address: string): number | Promise<number>;
  /** The same of something that is no key at all: this process knows that by itself, and asks nobody. */
  malformed(address: string): number;
  /** Forgets networks without a failure in the last minute. */
  releaseIdle(): void;
}

/** In process: an answer comes at once. */
interface OwnUnknownKeyLimiter extends UnknownKeyLimiter {
  failed(address: string): number;
}

/** `monotonic` in milliseconds. */
export function createUnknownKeyLimiter(monotonic: Clock): OwnUnknownKeyLimiter {
  const hosts = createMinuteWindows(FAILED_KEYS.host);
  const sites = createMinuteWindows(FAILED_KEYS.site);
  /** A flood comes from one address: its networks are worked out once. */
  let last = { address: '', host: hostNetwork(''), site: siteNetwork('') };

  function failed(address: string): number {
    const now = Math.round(monotonic() * US_PER_MS);
    if (last.address !== address) last = { address, host: hostNetwork(address), site: siteNetwork(address) };
    const host = hosts.of(last.host, now);
    const site = sites.of(last.site, now);
    const wait = Math.max(host.wait, site.wait);
    if (wait > 0) return Math.ceil(wait / US_PER_SECOND);
    host.add();
    site.add();
    return 0;
  }

  return {
    failed,
    malformed: failed,

    releaseIdle() {
      const now = Math.round(monotonic() * US_PER_MS);
      hosts.releaseIdle(now);
      sites.releaseIdle(now);
    },
  };
}

export const FAILED_KEYS = {
  /** An IPv4 address or an IPv6 /64. With full rings about 40 MB. */
  host: { perMinute: 600, maxWatched: 10_000 },
  /** An IPv4 /24 or an IPv6 /48, which holds 65 536 hosts. With full rings about 65 MB. */
  site: { perMinute: 6_000, maxWatched: 2_000 },
} as const;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
