/**
 * Threads that count requests of the same subscriptions at once, on a clock that they share and all push on. Each notes what it was told,
 * and when; then the notes of all are checked: no minute and no day holds one admission too many, and nobody was refused too early.
 *
 *     node bench/thread-simulation.ts --threads 4 --decisions 50000000
 */

import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { createLimitMemory, type LimitDecision, type LimitMemory, openThreadLimits, TIER_NAMES } from '../src/accounts/index.ts';
import { checkNotes, encodeDecision, type NotedDecisions, type Notes } from './decision-notes.ts';
import { createRandom } from './limiter-simulation.ts';

interface Round {
  memory: LimitMemory;
  /** Milliseconds of virtual time so far. */
  ticks: SharedArrayBuffer;
  decisions: number;
  seed: number;
}

export async function simulateThreads({ threads, decisions, seed }: { threads: number; decisions: number; seed: number }) {
  const result: NotedDecisions = { decisions: 0, admitted: 0, over: 0, under: 0, dishonest: 0 };
  const workers = Array.from({ length: threads }, () => new Worker(new URL(import.meta.url), { workerData: ROLE }));
  try {
    for (let round = 0; result.decisions < decisions; round += 1) {
      const each = Math.ceil(Math.min(ROUND, decisions - result.decisions) / threads);
      const ticks = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
      const memory = createLimitMemory(
        () => BEGIN,
        () => 0,
      );
      const notes = await Promise.all(
        workers.map(async (worker, index) => {
          worker.postMessage({ memory, ticks, decisions: each, seed: seed + round * threads + index } satisfies Round);
          const [noted] = (await once(worker, 'message')) as [Notes];
          return noted;
        }),
      );
      checkNotes(notes, SECOND, result);
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return result;
}

function play({ memory, ticks: shared, decisions, seed }: Round): Notes {
  const random = createRandom(seed);
  const ticks = new Int32Array(shared);
  let now = 0;
  const monotonic = () => {
    now = Atomics.load(ticks, 0);
    return now;
  };
  const { counters } = openThreadLimits({ memory, wall: () => BEGIN + monotonic(), monotonic, keepsMinutes: false });
  const notes = new Int32Array(decisions * 2);
  let pace = 1;
  for (let step = 0; step < decisions; step += 1) {
    if (random() < 0.001) pace = random() * 40;
    // Bursts at the ends of minutes, long silences, and days.
    if (random() < 0.0002) Atomics.add(ticks, 0, Math.floor(random() * 2 * MINUTE));
    else if (random() < 0.2) Atomics.add(ticks, 0, Math.floor(random() * pace));
    const which = Math.floor(random() * TIER_NAMES.length);
    const decision = counters.decide(SUBSCRIPTIONS[which]!, TIER_NAMES[which]!) as LimitDecision;
    notes[step * 2] = decision.ok ? decision.admission.at / US_PER_TICK : now;
    notes[step * 2 + 1] = encodeDecision(which, decision, BEGIN / DAY);
    if (!decision.ok && decision.reason === 'day' && random() < 0.002)
      Atomics.add(ticks, 0, decision.retryAfterSeconds * 1_000 - 500);
  }
  return notes;
}

/** An hour before a midnight, which is a whole number of days. */
const DAY = 86_400_000;
const BEGIN = Date.UTC(2026, 10, 21);
const MINUTE = 60_000;
const US_PER_TICK = 1_000;
/** In ticks. */
const SECOND = 1_000;
const ROUND = 400_000;
/** Says that this module was started as a thread of its own. */
const ROLE = 'simulated thread';
const SUBSCRIPTIONS = TIER_NAMES.map((_, index) => `00000000-0000-4000-8000-00000000000${index}`);

if (workerData === ROLE) {
  parentPort?.on('message', (round: Round) => {
    const notes = play(round);
    parentPort?.postMessage(notes, [notes.buffer as ArrayBuffer]);
  });
} else if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { threads: { type: 'string' }, decisions: { type: 'string' } } });
  const begun = performance.now();
  const options = { threads: Number(values.threads ?? 4), decisions: Number(values.decisions ?? 1_000_000), seed: 1 };
  console.log({ ...options, ...(await simulateThreads(options)), seconds: Math.round((performance.now() - begun) / 1_000) });
}
