/** How often one network may ask in any 60 seconds. Per process. */

import { createMinuteWindows } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import { hostNetwork } from '../values/ip-network.ts';

/** Gives 0: counted; else whole seconds to wait. `monotonic`: milliseconds. */
export function createNetworkLimit(monotonic: Clock): (address: string) => number {
  const windows = createMinuteWindows({ perMinute: PER_MINUTE, maxWatched: MAX_NETWORKS });
  return (address) => {
    const window = windows.of(hostNetwork(address), Math.round(monotonic() * US_PER_MS));
    if (window.wait === 0) window.add();
    return Math.ceil(window.wait / (1_000 * US_PER_MS));
  };
}

export const PER_MINUTE = 120;
const MAX_NETWORKS = 10_000;
const US_PER_MS = 1_000;
