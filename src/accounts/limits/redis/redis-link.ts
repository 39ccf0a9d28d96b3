/** Calls of Redis within a deadline, its time, and whether limits are shared at this moment. */

import { createDeadlines, createPatience } from './deadlines.ts';
import type { RedisClient, ScriptArgument, ScriptName } from './redis-client.ts';
import { type FaultReason, RedisFault, toRedisFault } from './redis-fault.ts';
import { createSharing } from './sharing.ts';

export interface RedisLink extends Pick<RedisClient, 'isCluster' | 'inOneWrite'> {
  isShared(): boolean;
  /** Grows with each return to Redis: what was known of it before must be compared with it again. 0: never shared. */
  generation(): number;
  /** Redis's own time in microseconds since 1970, as far as it is known. */
  now(): number;
  /** When the sharing ended, in Redis's time. */
  aloneSince(): number;
  /** Rejects with a `RedisFault` within 50 ms, now and then within 200 ms (`createPatience`), or within a second if nobody waits for it. */
  call(script: ScriptName, keys: readonly string[], values: readonly ScriptArgument[], options?: CallOptions): Promise<number[]>;
  /** Notes what Redis's clock showed in answer to something sent at `sentAt` (monotonic ms). */
  noteTime(redisUs: number, sentAt: number): void;
  /** Runs while Redis is back and nobody decides there yet; then once more when they do. */
  onReturn(work: () => Promise<void>): void;
  /** Resolves when limits are shared, or have had the time for it. */
  begin(): Promise<void>;
  figures(): SharingFigures;
  close(): void;
}

export interface CallOptions {
  /** Takes an answer that comes after the deadline. */
  late?: (reply: number[]) => void;
  isUrgent?: boolean;
}

export interface SharingFigures {
  isShared: boolean;
  /** Failed calls by reason. */
  failures: ReadonlyMap<FaultReason, number>;
}

export interface RedisLinkOptions {
  client: RedisClient;
  onAlone(fault: RedisFault): void;
  onShared(alone: { ms: number }): void;
  deadlineMs?: number | undefined;
}

export function createRedisLink({ client, onAlone, onShared, deadlineMs = DEADLINE_MS }: RedisLinkOptions): RedisLink {
  const failures = new Map<FaultReason, number>();
  const inTime = createDeadlines();
  const hasPatience = createPatience(PATIENT_DEADLINES * deadlineMs);
  // Until Redis was asked its time, the machine's is the best there is.
  let offsetUs = Math.round((Date.now() - performance.now()) * US_PER_MS);

  const sharing = createSharing({
    async probe() {
      if (!client.isReady()) throw new RedisFault('unreachable');
      const sentAt = performance.now();
      const [redisUs = 0] = await call('probe', [PROBE_KEY], []);
      noteTime(redisUs, sentAt);
    },
    reconnect() {
      if (client.isReady()) client.reconnect();
    },
    onAlone,
    onShared,
  });

  // Even if nobody asked meanwhile: another server may answer now, or the same one empty.
  client.onEnd(() => {
    if (sharing.state() !== 'alone') note(new RedisFault('unreachable'));
  });

  function note(fault: RedisFault): void {
    failures.set(fault.reason, (failures.get(fault.reason) ?? 0) + 1);
    sharing.fail(fault);
  }

  function call(
    script: ScriptName,
    keys: readonly string[],
    values: readonly ScriptArgument[],
    { late, isUrgent = true }: CallOptions = {},
  ): Promise<number[]> {
    const ms = isUrgent ? deadlineMs : Math.max(deadlineMs, LONG_DEADLINE_MS);
    const answer = client.run(script, keys, values);
    const waitOn = (fault: RedisFault): boolean =>
      fault.reason === 'deadline' && isUrgent && sharing.state() === 'shared' && hasPatience();
    return inTime(answer, ms)
      .catch((error) => {
        const fault = toRedisFault(error);
        if (waitOn(fault)) return inTime(answer, PATIENT_DEADLINES * deadlineMs);
        throw fault;
      })
      .catch((error) => {
        const fault = toRedisFault(error);
        if (late && fault.reason === 'deadline') answer.then(late, () => undefined);
        note(fault);
        throw fault;
      });
  }

  function noteTime(redisUs: number, sentAt: number): void {
    offsetUs = redisUs - Math.round(sentAt * US_PER_MS);
  }

  return {
    isCluster: client.isCluster,
    inOneWrite: client.inOneWrite,
    isShared: () => sharing.state() === 'shared',
    generation: sharing.generation,
    now: () => Math.round(performance.now() * US_PER_MS) + offsetUs,
    aloneSince: () => Math.round(sharing.aloneSince() * US_PER_MS) + offsetUs,
    call,
    noteTime,
    onReturn: sharing.onReturn,
    begin: sharing.begin,
    figures: () => ({ isShared: sharing.state() === 'shared', failures }),
    close() {
      sharing.close();
      client.close();
    },
  };
}

/** Beside it, a decision of its own is the better answer. */
const DEADLINE_MS = 50;
/** For what nobody waits for. */
const LONG_DEADLINE_MS = 1_000;
/** So many more, where there is patience. */
const PATIENT_DEADLINES = 3;
const PROBE_KEY = 'marquee:{probe}';
const US_PER_MS = 1_000;
