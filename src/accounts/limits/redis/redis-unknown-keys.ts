/** Failed keys counted for all processes together, in Redis; out of reach of it, in this process. */

import { createHash } from 'node:crypto';
import { hostNetwork, siteNetwork } from '../../../values/ip-network.ts';
import { FAILED_KEYS, type UnknownKeyLimiter } from '../unknown-key-limiter.ts';
import type { RedisLink } from './redis-link.ts';

/** `own`: of this process. */
export function createRedisUnknownKeys(link: RedisLink, own: UnknownKeyLimiter): UnknownKeyLimiter {
  /** Monotonic ms at which a full network has room again, as Redis said. */
  const full = new Map<string, { until: number; freesAt: number }>();
  const asking = new Map<string, Promise<unknown>>();

  function failed(address: string): number | Promise<number> {
    if (!link.isShared()) return own.failed(address);
    const host = hostNetwork(address);
    const refusal = full.get(host);
    const now = performance.now();
    if (refusal && now < refusal.until) return Math.max(1, Math.ceil((refusal.freesAt - now) / MS_PER_SECOND));
    const asked = asking.get(host);
    if (refusal && asked) return asked.then(() => failed(address));
    const answer = ask(address, host);
    if (refusal) {
      const settled = answer.finally(() => asking.delete(host));
      asking.set(host, settled);
    }
    return answer;
  }

  /** Never rejects. */
  async function ask(address: string, host: string): Promise<number> {
    const site = siteNetwork(address);
    const sentAt = performance.now();
    try {
      const keys = [keyOf(site, site), keyOf(site, host)];
      const [waitUs = 0] = await link.call('minutes', keys, [FAILED_KEYS.site.perMinute, FAILED_KEYS.host.perMinute]);
      full.delete(host);
      if (waitUs === 0) {
        // Known here if Redis fails.
        own.failed(address);
        return 0;
      }
      const waitMs = waitUs / US_PER_MS;
      full.set(host, { until: sentAt + Math.min(waitMs, REMEMBERED_MS), freesAt: sentAt + waitMs });
      if (full.size > MAX_FULL) full.delete(full.keys().next().value ?? '');
      return Math.ceil(waitUs / US_PER_SECOND);
    } catch {
      return own.failed(address);
    }
  }

  return { failed, malformed: own.malformed, releaseIdle: own.releaseIdle };
}

/** A network is nobody's business but ours, and both rings stand on one node. */
const keyOf = (site: string, network: string): string => `marquee:{${digest(site)}}:failed:${digest(network)}`;
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

const REMEMBERED_MS = 1_000;
const MAX_FULL = 10_000;
const US_PER_MS = 1_000;
const MS_PER_SECOND = 1_000;
const US_PER_SECOND = 1_000_000;
