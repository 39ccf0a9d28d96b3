/** Opens the limits that all processes share through Redis, and says for `doctor` what the server is like. */

import { createHash } from 'node:crypto';
import type { Log } from '../../log.ts';
import type { RedisPlace } from '../../redis-place.ts';
import { hostNetwork, siteNetwork } from '../../values/ip-network.ts';
import { connectRedis, type FaultReason } from './redis-client.ts';
import { createRedisCounters, type RedisCounters, type RedisCountersOptions } from './redis-counters.ts';
import { createRedisLink, type RedisLink } from './redis-link.ts';
import { FAILED_KEYS, type UnknownKeyLimiter } from './unknown-key-limiter.ts';

export interface RedisLimits {
  openCounters(needs: Omit<RedisCountersOptions, 'link'>): RedisCounters;
  shareUnknownKeys(own: UnknownKeyLimiter): UnknownKeyLimiter;
  /** For other limits. */
  link: RedisLink;
  figures(): RedisLimitsFigures;
  close(): void;
}

export interface RedisLimitsFigures {
  isShared: boolean;
  /** Failed calls since the start, by reason. */
  failures: ReadonlyMap<FaultReason, number>;
  /** Decisions made without Redis since the start. */
  aloneDecisions: number;
}

interface RedisLimitsOptions {
  place: RedisPlace;
  log: Log;
  /** For tests: scripts with another clock, and a machine that is busy with other things. */
  editScript?: ((lua: string) => string) | undefined;
  deadlineMs?: number | undefined;
}

/** Resolves when Redis answers, or after a second without it: then this process begins with its share of the limits. */
export async function openRedisLimits({ place, log, editScript, deadlineMs }: RedisLimitsOptions): Promise<RedisLimits> {
  const client = await connectRedis(place, editScript);
  let counters: RedisCounters | null = null;
  const link = createRedisLink({
    client,
    deadlineMs,
    onAlone: ({ reason }) => log.warn({ reason }, 'Redis does not answer; this process limits requests to its share'),
    onShared: ({ ms }) => log.info({ seconds: Math.round(ms / MS_PER_SECOND) }, 'Redis answers again; limits are shared again'),
  });
  await link.begin();
  return {
    link,
    openCounters(needs) {
      counters = createRedisCounters({ ...needs, link });
      return counters;
    },
    shareUnknownKeys: (own) => createRedisUnknownKeys(link, own),
    figures: () => ({ ...link.figures(), aloneDecisions: counters?.aloneDecisions() ?? 0 }),
    close() {
      counters?.close();
      link.close();
    },
  };
}

/** Failed keys counted for all processes together, in Redis; out of reach of it, in this process (`own`). */
function createRedisUnknownKeys(link: RedisLink, own: UnknownKeyLimiter): UnknownKeyLimiter {
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

/** What `doctor` says of the server that limits are shared through. */
interface RedisFacts {
  /** `Redis 7.0.15`, `Valkey 8.1.1`. */
  name: string;
  /** Of a decision there and back. */
  ms: number;
  /** What it does when its memory is full; anything but `noeviction` forgets requests. */
  evictionPolicy: string;
  /** One sentence for each thing to put right. */
  faults: string[];
}

/** Null: it does not answer, or takes no writes. */
export async function inspectRedis(place: RedisPlace): Promise<RedisFacts | null> {
  const client = await connectRedis(place);
  const link = createRedisLink({ client, onAlone: () => undefined, onShared: () => undefined });
  try {
    await link.begin();
    if (!link.isShared()) return null;
    const begun = performance.now();
    await link.call('probe', ['marquee:{probe}'], []);
    const ms = performance.now() - begun;
    const info = await client.info();
    const field = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim();
    const valkey = field('valkey_version');
    const version = valkey ?? field('redis_version') ?? '0';
    const evictionPolicy = field('maxmemory_policy') ?? 'unknown';
    const faults: string[] = [];
    const oldest = valkey ? OLDEST_VALKEY : OLDEST_REDIS;
    if (Number.parseInt(version, 10) < oldest) faults.push(`it is older than version ${oldest}`);
    if (evictionPolicy !== 'noeviction')
      faults.push('set maxmemory-policy to noeviction, or it forgets requests when its memory is full');
    return { name: `${valkey ? 'Valkey' : 'Redis'} ${version}`, ms, evictionPolicy, faults };
  } catch {
    return null;
  } finally {
    link.close();
  }
}

const REMEMBERED_MS = 1_000;
const MAX_FULL = 10_000;
const US_PER_MS = 1_000;
const MS_PER_SECOND = 1_000;
const US_PER_SECOND = 1_000_000;
const OLDEST_REDIS = 7;
const OLDEST_VALKEY = 8;
