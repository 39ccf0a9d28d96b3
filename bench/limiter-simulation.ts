/** Hostile schedules played against the limiter and, decision by decision, against a slow and obvious twin. */

import { type Counters, createLimiter, type LimitDecision, TIER_NAMES, TIERS, type TierName } from '../src/accounts/index.ts';

export interface SimulationResult {
  decisions: number;
  admitted: number;
  /** Admitted by the limiter where the twin refuses. */
  over: number;
  /** Refused by the limiter where the twin admits. */
  under: number;
  /** Refusals whose `Retry-After` is not the first whole second at which the twin would admit, or names the wrong limit. */
  dishonest: number;
  schedules: { name: string; decisions: number; admitted: number }[];
}

/** Opens what is played against, on clocks that move between decisions. */
export type OpenLimiter = (clocks: { monotonic(): number; wall(): number }) => Counters;

/** Plays `decisions` decisions, spread over all schedules. The same seed plays the same decisions. */
export function simulateLimiter({
  decisions,
  seed,
  open = createLimiter,
}: {
  decisions: number;
  seed: number;
  open?: OpenLimiter;
}): SimulationResult {
  const result: SimulationResult = { decisions: 0, admitted: 0, over: 0, under: 0, dishonest: 0, schedules: [] };
  const names = Object.keys(SCHEDULES) as (keyof typeof SCHEDULES)[];
  names.forEach((name, index) => {
    const share = Math.floor((decisions * (index + 1)) / names.length) - Math.floor((decisions * index) / names.length);
    const tally = play(SCHEDULES[name], { steps: share, random: createRandom(seed + index), open });
    result.decisions += share;
    result.admitted += tally.admitted;
    result.over += tally.over;
    result.under += tally.under;
    result.dishonest += tally.dishonest;
    result.schedules.push({ name, decisions: share, admitted: tally.admitted });
  });
  return result;
}

interface World {
  /** Monotonic time in whole µs, the resolution of the limiter: sums of fractions would differ from it by rounding alone. */
  monotonicUs: number;
  /** Wall ms since 1970. */
  wall: number;
  tier: TierName;
  /** Decisions made so far. */
  step: number;
  random: () => number;
  /** What the last decision was; null before the first. */
  last: LimitDecision | null;
  /** Chance that an admission is given back. */
  refundChance: number;
}

/** Moves the world to the moment of its next decision. */
type Schedule = (world: World) => void;

function play(schedule: Schedule, { steps, random, open }: { steps: number; random: () => number; open: OpenLimiter }) {
  const wall = Date.UTC(2026, 10, 21, 23, 50) + Math.floor(random() * 600_000);
  const world: World = { monotonicUs: 0, wall, tier: 'starter', step: 0, random, last: null, refundChance: 0 };
  const limiter = open({ monotonic: () => world.monotonicUs / US_PER_MS, wall: () => world.wall });
  const twin = createTwin();
  const tally = { admitted: 0, over: 0, under: 0, dishonest: 0 };
  for (; world.step < steps; world.step += 1) {
    beginDay(world);
    schedule(world);
    const decision = limiter.decide(SUBSCRIPTION, world.tier) as LimitDecision;
    const wait = twin.decide(world);
    world.last = decision;
    if (decision.ok) {
      tally.admitted += 1;
      if (wait.seconds > 0) tally.over += 1;
      if (random() < world.refundChance) {
        limiter.refund(SUBSCRIPTION, decision.admission);
        twin.refund();
      }
      continue;
    }
    if (wait.seconds === 0) tally.under += 1;
    else if (decision.retryAfterSeconds !== wait.seconds || decision.reason !== wait.reason) tally.dishonest += 1;
  }
  return tally;
}

/** A day that is spent would hide the minute for the rest of the run: sooner or later the next begins, on another tier. */
function beginDay(world: World): void {
  if (world.last?.ok !== false || world.last.reason !== 'day' || world.random() > 0.02) return;
  pass(world, world.last.retryAfterSeconds * 1000 - Math.floor(world.random() * 1_500));
  world.tier = TIER_NAMES[Math.floor(world.random() * TIER_NAMES.length)] as TierName;
}

/** All admissions in a plain array, filtered and counted anew for each decision. */
function createTwin() {
  let admissions: { at: number; day: number }[] = [];
  let today = 0;
  let usedToday = 0;

  return {
    /** Counts the request and answers 0 seconds, or counts nothing and answers how long to wait. */
    decide({ monotonicUs, wall, tier }: World): { seconds: number; reason: 'minute' | 'day' } {
      const { perMinute, perDay } = TIERS[tier];
      if (Math.floor(wall / DAY_MS) > today) {
        today = Math.floor(wall / DAY_MS);
        usedToday = 0;
      }
      admissions = admissions.filter(({ at }) => at > monotonicUs - MINUTE_US);
      const blocking = admissions.at(-perMinute);
      const minute = blocking ? Math.ceil((blocking.at + MINUTE_US - monotonicUs) / 1_000_000) : 0;
      const midnight = (today + 1) * DAY_MS;
      const day = usedToday < perDay ? 0 : Math.min(Math.ceil((midnight - wall) / 1000), DAY_MS / 1000);
      if (minute > 0 || day > 0) return { seconds: Math.max(minute, day), reason: day >= minute ? 'day' : 'minute' };
      admissions.push({ at: monotonicUs, day: today });
      usedToday += 1;
      return { seconds: 0, reason: 'minute' };
    },
    refund(): void {
      admissions.pop();
      usedToday -= 1;
    },
  };
}

function pass(world: World, ms: number): void {
  world.monotonicUs += Math.round(ms * US_PER_MS);
  world.wall += ms;
}

const limitOf = (world: World): number => TIERS[world.tier].perMinute;

const SCHEDULES = {
  /** Everything at the end of one minute and at the start of the next. */
  edgeBurst(world) {
    const burst = limitOf(world) * 2;
    const place = world.step % (burst * 2);
    if (place === 0) pass(world, (2 * MINUTE_US - (world.monotonicUs % MINUTE_US)) / US_PER_MS - 1);
    else if (place === burst) pass(world, 2);
  },
  /** A burst late in the window, then drops exactly as places free. */
  lateBurstThenDrip(world) {
    const limit = limitOf(world);
    const place = world.step % (limit * 4);
    if (place === 0) pass(world, 59_999);
    else if (place > limit) pass(world, MINUTE_MS / limit);
  },
  /** Never waits. */
  hammer(world) {
    pass(world, world.random() < 0.99 ? 0.25 : 3_000);
  },
  /** Exactly L in 60 seconds, evenly: never to be refused before the day is spent. */
  pace(world) {
    pass(world, MINUTE_MS / limitOf(world));
  },
  /** Waits exactly as told. */
  obedient(world) {
    pass(world, world.last && !world.last.ok ? world.last.retryAfterSeconds * 1000 : world.random() * 20);
  },
  /** Comes one millisecond before the time told, then at it. */
  impatient(world) {
    if (world.last?.ok === false && world.step % 2 === 0) pass(world, world.last.retryAfterSeconds * 1000 - 1);
    else pass(world, 1);
  },
  random(world) {
    pass(world, -Math.log(1 - world.random()) * (MINUTE_MS / limitOf(world)) * (world.step % 5_000 < 2_500 ? 0.3 : 1.5));
  },
  /** Up and down between the tiers in mid-minute. */
  tierFlips(world) {
    if (world.random() < 0.005) world.tier = TIER_NAMES[Math.floor(world.random() * TIER_NAMES.length)] as TierName;
    pass(world, world.random() * 120);
  },
  /** The wall clock is set back and forth, over midnight too; the monotonic one is not. */
  clockSteps(world) {
    pass(world, world.random() * 900);
    if (world.random() < 0.01) world.wall += (world.random() - 0.5) * 8_000;
  },
  /** Around midnight by fractions of a millisecond, day after day. */
  midnight(world) {
    world.tier = 'enterprise';
    const untilMidnight = DAY_MS - (world.wall % DAY_MS);
    if (world.step % 3_000 === 0 && untilMidnight > 3_000) pass(world, untilMidnight - 1_500 * world.random());
    else pass(world, world.random() * 2);
  },
  /** Some requests fail by our fault and are given back. */
  refunds(world) {
    world.refundChance = 0.3;
    pass(world, world.random() * 800);
  },
  /** Long silences: rings wrap and times pass every modulus. */
  silences(world) {
    pass(world, world.random() < 0.02 ? world.random() * 3 * 3_600_000 : world.random() * 700);
  },
} satisfies Record<string, Schedule>;

/** Mulberry32: the same numbers for the same seed on every machine. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SUBSCRIPTION = '00000000-0000-4000-8000-000000000001';
const US_PER_MS = 1_000;
const MINUTE_MS = 60_000;
const MINUTE_US = 60_000_000;
const DAY_MS = 86_400_000;
