/** How often one network may ask in any 60 seconds. Per process. */

import { createMinuteWindows } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import { hostNetwork } from '../values/ip-network.ts';

export interface NetworkLimit {
  /** 0: one more fits; else whole seconds to wait. */
  waitOf(address: string): number;
  add(address: string): void;
}

/** `monotonic`: milliseconds. */
export function createNetworkLimit(monotonic: Clock, perMinute: number): NetworkLimit {
  const windows = createMinuteWindows({ perMinute, maxWatched: MAX_NETWORKS });
  const windowOf = (address: string) => windows.of(hostNetwork(address), Math.round(monotonic() * US_PER_MS));
  return {
    waitOf: (address) => Math.ceil(windowOf(address).wait / US_PER_SECOND),
    add: (address) => windowOf(address).add(),
  };
}

const MAX_NETWORKS = 10_000;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
