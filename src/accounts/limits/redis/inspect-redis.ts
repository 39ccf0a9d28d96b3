/** What `doctor` says of the server that limits are shared through. */

import type { RedisPlace } from '../../../redis-place.ts';
import { connectRedis } from './redis-client.ts';
import { createRedisLink } from './redis-link.ts';

export interface RedisFacts {
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

const OLDEST_REDIS = 7;
const OLDEST_VALKEY = 8;
