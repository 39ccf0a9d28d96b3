/** Failed keys of each network, counted by all serving threads together. */

import type { Clock } from '../../../clock.ts';
import { hostNetwork, siteNetwork } from '../../../values/ip-network.ts';
import { HOST, SITE, type UnknownKeyLimiter } from '../unknown-key-limiter.ts';
import { createWindowMemory, openSharedWindows } from './shared-windows.ts';

/** Can be sent to another thread. */
export interface UnknownKeyMemory {
  hosts: SharedArrayBuffer;
  sites: SharedArrayBuffer;
}

export const createUnknownKeyMemory = (): UnknownKeyMemory => ({
  hosts: createWindowMemory(HOST),
  sites: createWindowMemory(SITE),
});

/** For one thread. `monotonic`: milliseconds of a clock that all threads share; `seed`: see `openSharedWindows`. */
export function openSharedUnknownKeys(memory: UnknownKeyMemory, seed: string, monotonic: Clock): UnknownKeyLimiter {
  const hosts = openSharedWindows(memory.hosts, HOST, seed);
  const sites = openSharedWindows(memory.sites, SITE, seed);

  /** Hosts before sites, in every thread: nobody waits for the other one in a circle. */
  function failed(address: string): number {
    const host = hosts.take(hostNetwork(address));
    try {
      const site = sites.take(siteNetwork(address));
      try {
        const reading = Math.round(monotonic() * US_PER_MS);
        const [ofHost, ofSite] = [host.advance(reading), site.advance(reading)];
        const wait = Math.max(host.waitFor(HOST.perMinute, ofHost), site.waitFor(SITE.perMinute, ofSite));
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
  return { failed, releaseIdle: () => {} };
}

const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
