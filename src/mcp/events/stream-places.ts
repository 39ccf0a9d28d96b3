/**
 * How many streams may be open. Callers without a key and keys have places of their own, so that nobody without a key takes one of a key.
 *
 *     without a key   all ─► site (/48, IPv4: /24) ─► network (/64, IPv4: the address)
 *     with a key      all ─► account
 */

import { hostNetwork, siteNetwork } from '../../values/ip-network.ts';
import type { McpCaller } from '../protocol/dispatcher.ts';
import { McpError } from '../protocol/errors.ts';

export interface StreamLimits {
  withoutKey: number;
  ofSite: number;
  ofNetwork: number;
  withKey: number;
  ofAccount: number;
}

/** Throws `McpError`. Gives what closes the place again. */
export type TakePlace = (caller: McpCaller) => () => void;

export function createStreamPlaces(limits: StreamLimits): TakePlace {
  const open = new Map<string, number>();

  function add(name: string, change: 1 | -1): void {
    const count = (open.get(name) ?? 0) + change;
    if (count > 0) open.set(name, count);
    else open.delete(name);
  }

  return (caller) => {
    const groups = groupsOf(caller, limits);
    const full = groups.find(({ name, max }) => (open.get(name) ?? 0) >= max);
    if (full) throw new McpError('event_exhausted', 'too many streams are open', { limit: 'streams', max: full.max });
    for (const { name } of groups) add(name, 1);
    return () => {
      for (const { name } of groups) add(name, -1);
    };
  };
}

/** All that a stream counts for, the smallest first. */
function groupsOf({ kind, accountId, address }: McpCaller, limits: StreamLimits): { name: string; max: number }[] {
  if (kind !== 'anonymous') {
    return [
      { name: `account ${accountId ?? kind}`, max: limits.ofAccount },
      { name: 'with a key', max: limits.withKey },
    ];
  }
  return [
    { name: `network ${hostNetwork(address)}`, max: limits.ofNetwork },
    { name: `site ${siteNetwork(address)}`, max: limits.ofSite },
    { name: 'without a key', max: limits.withoutKey },
  ];
}

/** Of one process. A site has a fifth of what all sites share: no customer of a provider alone crowds out others. */
export const STREAM_LIMITS: StreamLimits = {
  withoutKey: 250,
  ofSite: 50,
  ofNetwork: 20,
  withKey: 250,
  ofAccount: 20,
};
