/** Failed keys of each network, counted by all serving threads together. */

import type { Clock } from '../../../clock.ts';
import { hostNetwork, siteNetwork } from '../../../values/ip-network.ts';
import { FAILED_KEYS, type OwnUnknownKeyLimiter } from '../unknown-key-limiter.ts';
import { createWindowMemory, openSharedWindows } from './shared-windows.ts';

/** Can be sent to another thread. */
export interface UnknownKeyMemory {
  hosts: SharedArrayBuffer;
  sites: SharedArrayBuffer;
}

export const createUnknownKeyMemory = (): UnknownKeyMemory => ({
  hosts: createWindowMemory(FAILED_KEYS.host),
  sites: createWindowMemory(FAILED_KEYS.site),
});

/** For one thread. `monotonic`: milliseconds of a clock that all threads share; `seed`: see `openSharedWindows`. */
export function openSharedUnknownKeys(memory: UnknownKeyMemory, seed: string, monotonic: Clock): OwnUnknownKeyLimiter {
  const hosts = openSharedWindows(memory.hosts, FAILED_KEYS.host, seed);
  const sites = openSharedWindows(memory.sites, FAILED_KEYS.site, seed);

  /** Hosts before sites, in every thread: nobody waits for the other one in a circle. */
  function failed(address: string): number {
    const host = hosts.take(hostNetwork(address));
    try {
      const site = sites.take(siteNetwork(address));
      try {
        const reading = Math.round(monotonic() * US_PER_MS);
        const [ofHost, ofSite] = [host.advance(reading), site.advance(reading)];
        const wait = Math.max(host.waitFor(FAILED_KEYS.host.perMinute, ofHost), site.waitFor(FAILED_KEYS.site.perMinute, ofSite));
        if (wait > 0) return Math.ceil(wait / US_PER_SECOND);
        host.add(ofHost);
        site.add(ofSite);
        return 0;
      } finally {
        sites.release();
      }
    } finally {
      hosts.release();
    }
  }

  // The window of a quiet network goes to the next one that needs it.
  return { failed, malformed: failed, releaseIdle: () => {} };
}

const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
