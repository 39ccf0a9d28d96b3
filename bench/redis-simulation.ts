/**
 * Processes that count requests of the same subscriptions in one Redis, on a clock in Redis that all of them push on. Each notes what it
 * was told, and when; then the notes of all are checked: no minute and no day holds one admission too many, and nobody was refused too
 * early.
 *
 *     node bench/redis-simulation.ts --processes 8 --decisions 50000000
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { type LimitDecision, openRedisLimits, TIER_NAMES, type TierName } from '../src/accounts/index.ts';
import { createLog } from '../src/log.ts';
import { placeOf, startRedis } from '../test/support/rigs/redis.ts';
import { until } from '../test/support/runs/patience.ts';
import { checkNotes, encodeDecision, type NotedDecisions } from './decision-notes.ts';
import { createRandom } from './limiter-simulation.ts';

export interface RedisSimulation extends NotedDecisions {
  /** How many of them Redis made; the others were refusals from memory. */
  asked: number;
  /** Decisions made without Redis: none may be. */
  alone: number;
}

interface Task {
  url: string;
  subscriptions: readonly string[];
  firstDay: number;
  decisions: number;
  seed: number;
}

interface Report {
  notes: Float64Array;
  asked: number;
  alone: number;
}

/** The same subscriptions for all processes of a round, and others in the next. */
export async function simulateRedis({ processes, decisions, seed, onRound }: SimulationOptions): Promise<RedisSimulation> {
  const result: RedisSimulation = { decisions: 0, admitted: 0, over: 0, under: 0, dishonest: 0, asked: 0, alone: 0 };
  const redis = await startRedis();
  await redis.ask(`SET ${CLOCK} ${BEGIN_US}`);
  const children = Array.from({ length: processes }, () =>
    fork(import.meta.filename, [ROLE], { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  );
  try {
    for (let round = 0; result.decisions < decisions; round += 1) {
      const each = Math.ceil(Math.min(ROUND, decisions - result.decisions) / processes);
      const subscriptions = TIER_NAMES.map(() => randomUUID());
      const firstDay = Math.floor(Number((await redis.ask(`INCRBY ${CLOCK} 0`)).slice(1)) / DAY_US);
      const reports = await Promise.all(
        children.map((child, index) =>
          runTask(child, { url: redis.url, subscriptions, firstDay, decisions: each, seed: seed + round * processes + index }),
        ),
      );
      checkNotes(
        reports.map(({ notes }) => notes),
        SECOND_US,
        result,
      );
      for (const { asked, alone } of reports) {
        result.asked += asked;
        result.alone += alone;
      }
      await redis.ask('SCRIPT FLUSH');
      onRound?.(result);
    }
    return result;
  } finally {
    for (const child of children) child.kill();
    await redis.close();
  }
}

export interface SimulationOptions {
  processes: number;
  decisions: number;
  seed: number;
  onRound?: (result: RedisSimulation) => void;
}

async function runTask(child: ChildProcess, task: Task): Promise<Report> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('a process of the simulation ended');
  });
  child.send(task);
  const [report] = (await Promise.race([once(child, 'message'), ended])) as [Report];
  return report;
}

/** One process: some of its requests wait for Redis at the same time, as those of a service do. */
async function play({ url, subscriptions, firstDay, decisions, seed }: Task): Promise<Report> {
  const random = createRandom(seed);
  const { decide, pushOn, alone, close } = await openProcess(url);
  const notes = new Float64Array(decisions * 2);
  let [step, pace, asked] = [0, 1, 0];
  const lane = async (): Promise<void> => {
    while (step < decisions) {
      const place = step++;
      if (random() < 0.001) pace = random() * 40;
      // Bursts at the ends of minutes, long silences, and days.
      if (random() < 0.0002) await pushOn(Math.floor(random() * 2 * MINUTE_US));
      else if (random() < 0.2) await pushOn(Math.floor(random() * pace * US_PER_MS));
      const which = Math.floor(random() * TIER_NAMES.length);
      const { decision, at, isAsked } = await decide(subscriptions[which]!, TIER_NAMES[which]!);
      asked += Number(isAsked);
      notes[place * 2] = isAsked ? at : -at;
      notes[place * 2 + 1] = encodeDecision(which, decision, firstDay);
      if (!decision.ok && decision.reason === 'day' && isAsked && random() < 0.002)
        await pushOn(decision.retryAfterSeconds * SECOND_US - SECOND_US / 2);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const report = { notes, asked, alone: alone() };
  close();
  return report;
}

/** The counters of a service, on the clock in Redis instead of the machine's. */
async function openProcess(url: string) {
  const limits = await openRedisLimits({
    place: placeOf(url),
    log: createLog('error', { write: (line) => void process.stderr.write(line) }),
    editScript: simulateTime,
    deadlineMs: NEVER_MS,
  });
  // On a busy machine it may have begun without Redis.
  await until(() => {
    if (!limits.link.isShared()) throw new Error('limits are not shared');
  });
  const clock = new Redis(url);
  const asking = new AsyncLocalStorage<{ at: number; readAt: number }>();
  let known = Number(await clock.get(CLOCK));
  // What this process knows of the time is what Redis said last: refusals are remembered by it.
  performance.now = () => {
    const asked = asking.getStore();
    if (asked) asked.readAt = known;
    return known / US_PER_MS;
  };
  const { noteTime } = limits.link;
  limits.link.noteTime = (redisUs, sentAt) => {
    known = Math.max(known, redisUs);
    const asked = asking.getStore();
    if (asked) asked.at = redisUs;
    noteTime(redisUs, sentAt);
  };
  const counters = limits.openCounters({ readUse: async () => 0, processes: () => ({ count: 1, place: 0 }), wall: Date.now });
  return {
    async decide(subscription: string, tier: TierName): Promise<{ decision: LimitDecision; at: number; isAsked: boolean }> {
      const asked = { at: 0, readAt: 0 };
      const decision = await asking.run(asked, () => counters.decide(subscription, tier));
      return { decision, at: asked.at || asked.readAt, isAsked: asked.at > 0 };
    },
    /** Others of this process go on meanwhile. */
    async pushOn(us: number): Promise<void> {
      const now = await clock.incrby(CLOCK, us);
      known = Math.max(known, now);
    },
    alone: counters.aloneDecisions,
    close() {
      limits.close();
      clock.disconnect();
    },
  };
}

/** Redis's clock and the expiry of rings, both in simulated time. Throws if a script is not what it was. */
function simulateTime(lua: string): string {
  const until = `redis.call('SET', ring.key .. ':until', string.format('%.0f', clock_us + TTL_MS * 1000))`;
  const edits: [from: string, to: string, isInRing: boolean][] = [
    [`redis.call('TIME')`, `{ 0, redis.call('GET', '${CLOCK}') }`, false],
    [`redis.call('GET', key) or ''`, `ring_at(key) or ''`, true],
    [`redis.call('SET', ring.key, ring.text, 'PX', TTL_MS)`, `redis.call('SET', ring.key, ring.text) ${until}`, true],
    [`redis.call('PEXPIRE', ring.key, TTL_MS)`, until, true],
    [
      'local function entry_at',
      `local function ring_at(key)
        local ends = redis.call('GET', key .. ':until')
        if ends and tonumber(ends) > clock_us then return redis.call('GET', key) end
        redis.call('DEL', key)
        return false
      end
      local function entry_at`,
      true,
    ],
  ];
  const isRing = lua.includes('local function read_ring');
  return edits.reduce((text, [from, to, isInRing]) => {
    if (isInRing && !isRing) return text;
    const parts = text.split(from);
    if (parts.length < 2 && (isInRing || text.includes('clock'))) throw new Error(`a script lacks ${from}`);
    return parts.join(to);
  }, lua);
}

/** Whole days since 1970. */
const BEGIN_US = Date.UTC(2026, 10, 21, 23) * 1_000;
const DAY_US = 86_400_000_000;
const MINUTE_US = 60_000_000;
const SECOND_US = 1_000_000;
const US_PER_MS = 1_000;
const CLOCK = 'simulated:clock';
const ROUND = 400_000;
const LANES = 32;
/** In simulated time, further than it goes. */
const NEVER_MS = 2 ** 31 - 1;
/** Says that this module was started as one of the processes. */
const ROLE = 'simulated process';

if (process.argv[2] === ROLE) {
  process.on('message', (task: Task) => {
    const { now } = performance;
    void play(task).then((report) => {
      performance.now = now;
      process.send?.(report);
    });
  });
  process.on('disconnect', () => process.exit());
} else if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { processes: { type: 'string' }, decisions: { type: 'string' } } });
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1_000);
  const options = { processes: Number(values.processes ?? 8), decisions: Number(values.decisions ?? 1_000_000), seed: 1 };
  const onRound = (result: RedisSimulation) => console.error(`${seconds()} s: ${JSON.stringify(result)}`);
  console.log({ ...options, ...(await simulateRedis({ ...options, onRound })), seconds: seconds() });
}
