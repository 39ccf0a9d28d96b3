/** Calls of Redis within a deadline, its time, and whether limits are shared at this moment. */

import {
  type FaultReason,
  type RedisClient,
  RedisFault,
  type ScriptArgument,
  type ScriptName,
  toRedisFault,
} from './redis-client.ts';

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

interface SharingFigures {
  isShared: boolean;
  /** Failed calls by reason. */
  failures: ReadonlyMap<FaultReason, number>;
}

interface RedisLinkOptions {
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

/**
 * Whether limits are shared. A call that Redis does not answer in time, or refuses, ends the sharing; from then on each process is
 * alone, until Redis has taken a write in time again and everybody has had time to bring their counts.
 *
 *   shared ──a call fails──► alone ──a probe succeeds──► returning ──300 ms──► shared
 *                              ▲                             │
 *                              └────────a call fails─────────┘
 */
function createSharing({ probe, reconnect, onAlone, onShared }: SharingOptions) {
  const returnWork: (() => Promise<void>)[] = [];
  let state: SharingState = 'alone';
  let generation = 0;
  let aloneAt = performance.now();
  const stateNow = (): SharingState => state;
  const beginning = createBeginning(() => onAlone(new RedisFault('unreachable')));
  const probing = createProbing({
    probe,
    reconnect,
    onAnswer: () => (beginning.isOver() ? void comeBack() : share()),
    onMiss: beginning.miss,
  });

  function fail(fault: RedisFault): void {
    if (state === 'alone') return;
    const wasShared = state === 'shared';
    state = 'alone';
    probing.goOn();
    if (!wasShared) return;
    aloneAt = performance.now();
    onAlone(fault);
  }

  /** Counts are brought while all processes are still alone: the first who decides there again finds those of the others. */
  async function comeBack(): Promise<void> {
    state = 'returning';
    try {
      await Promise.all(returnWork.map((work) => work()));
    } catch {
      fail(new RedisFault('other'));
    }
    if (stateNow() === 'returning') probing.later(() => probe().then(shareAgain, () => undefined), RETURN_MS);
  }

  function shareAgain(): void {
    if (state !== 'returning') return;
    share();
    onShared({ ms: performance.now() - aloneAt });
    for (const work of returnWork) work().catch(() => fail(new RedisFault('other')));
  }

  function share(): void {
    state = 'shared';
    // 1 says that this process never was alone.
    generation = beginning.isOver() ? Math.max(1, generation) + 1 : 1;
    beginning.end();
  }

  return {
    state: stateNow,
    generation: () => generation,
    /** Monotonic ms. */
    aloneSince: () => aloneAt,
    fail,
    onReturn: (work: () => Promise<void>) => void returnWork.push(work),
    begin() {
      void probing.look();
      return beginning.ended;
    },
    close() {
      probing.close();
      state = 'alone';
    },
  };
}

type SharingState = 'alone' | 'returning' | 'shared';

interface SharingOptions extends Pick<RedisLinkOptions, 'onAlone' | 'onShared'> {
  /** Rejects unless Redis takes a write in time. */
  probe(): Promise<void>;
  /** For a connection that is open at both ends, and nothing passes. */
  reconnect(): void;
}

/** The start, which waits for Redis, but not for long. */
function createBeginning(onGivenUp: () => void) {
  const began = Promise.withResolvers<void>();
  const begunAt = performance.now();
  let isOver = false;
  const end = (): void => {
    isOver = true;
    began.resolve();
  };
  return {
    ended: began.promise,
    isOver: () => isOver,
    end,
    /** A probe has failed. */
    miss(): void {
      if (isOver || performance.now() - begunAt <= BEGIN_MS) return;
      end();
      onGivenUp();
    },
  };
}

/** Asks again and again whether Redis answers, one question at a time. */
function createProbing({ probe, reconnect, onAnswer, onMiss }: ProbingOptions) {
  let isClosed = false;
  let missed = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Does something else instead of asking. */
  function later(work: () => unknown, ms: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(work, ms).unref();
  }

  /** Asks now, and again later if there is no answer. */
  async function look(): Promise<void> {
    try {
      await probe();
    } catch {
      missed += 1;
      if (missed % MAX_MISSED === 0) reconnect();
      onMiss();
      goOn();
      return;
    }
    missed = 0;
    onAnswer();
  }

  /** Asks later. */
  const goOn = (): void => later(look, PROBE_EVERY_MS);

  return {
    look,
    goOn,
    later,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

interface ProbingOptions extends Pick<SharingOptions, 'probe' | 'reconnect'> {
  onAnswer(): void;
  onMiss(): void;
}

/**
 * Ends the waiting for Redis: for promises that may take too long. The time of a deadline passes in five parts, and between two of them what has arrived is read:
 * however long this process itself stands still, that is one part, so its own standstill is never taken for one of Redis.
 */
function createDeadlines() {
  const queues = new Map<number, Waiting[]>();

  /** One timer watches all that wait equally long. */
  function watch(queue: Waiting[], ms: number): void {
    setTimeout(() => {
      setImmediate(() => {
        passPart(queue);
        if (queue[0]) watch(queue, ms);
      });
    }, ms / PARTS).unref();
  }

  return <T>(work: Promise<T>, ms: number): Promise<T> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(ms) ?? [];
      queues.set(ms, queue);
      const waiting: Waiting = { partsLeft: PARTS, isOver: false, reject };
      queue.push(waiting);
      if (queue.length === 1) watch(queue, ms);
      work.then(
        (value) => {
          waiting.isOver = true;
          resolve(value);
        },
        (error: unknown) => {
          waiting.isOver = true;
          reject(error as Error);
        },
      );
    });
}

/**
 * A late answer is no loss of Redis: of a burst of requests, the last ones wait there for the others, and each that was decided without it
 * would be decided too strictly. So now and then late answers are waited for. A Redis that is late again soon is slow.
 *
 * Gives whether an answer that is late now is waited for, `patienceMs` more at most.
 */
function createPatience(patienceMs: number): () => boolean {
  let begunAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - begunAt > CALM_MS + patienceMs) begunAt = now;
    return now - begunAt <= patienceMs;
  };
}

interface Waiting {
  partsLeft: number;
  isOver: boolean;
  reject(error: RedisFault): void;
}

/** They end in the order in which they began, so those that are over stand in front. */
function passPart(queue: Waiting[]): void {
  for (const waiting of queue) waiting.partsLeft -= 1;
  while (queue[0] && (queue[0].isOver || queue[0].partsLeft <= 0)) {
    const waiting = queue.shift();
    if (!waiting || waiting.isOver) continue;
    waiting.isOver = true;
    waiting.reject(new RedisFault('deadline'));
  }
}

/** Beside it, a decision of its own is the better answer. */
const DEADLINE_MS = 50;
/** For what nobody waits for. */
const LONG_DEADLINE_MS = 1_000;
/** So many more, where there is patience. */
const PATIENT_DEADLINES = 3;
const PROBE_KEY = 'marquee:{probe}';
const US_PER_MS = 1_000;
/** Longer than another process needs to notice that Redis is back. */
const RETURN_MS = 300;
/** How long a start waits for Redis. */
const BEGIN_MS = 1_000;
const PROBE_EVERY_MS = 100;
/** Until another connection is made. */
const MAX_MISSED = 8;
/** Of the time of a deadline. */
const PARTS = 5;
/** So long after it, Redis must answer in time. */
const CALM_MS = 5_000;
