/** One of several processes that count in the same Redis. Asks for as many decisions as it is told, at one moment, and prints the times of admission. */

import { setTimeout as delay } from 'node:timers/promises';
import type { LimitDecision, TierName } from '../../../src/accounts/index.ts';
import { createTestLedger, openLimits } from '../rigs/redis.ts';

export interface CountingTask {
  url: string;
  subscription: string;
  tier: TierName;
  decisions: number;
  /** `Date.now()`: all processes begin together. */
  beginAt: number;
  processes: number;
}

const task = JSON.parse(process.argv[2] ?? '') as CountingTask;
const limits = await openLimits(task.url);
const counters = limits.openCounters({
  readUse: createTestLedger().readUse,
  processes: () => ({ count: task.processes, place: 0 }),
  wall: Date.now,
});
process.stdout.write('ready\n');
await delay(Math.max(0, task.beginAt - Date.now()));
const decisions = await Promise.all(
  Array.from({ length: task.decisions }, async (): Promise<LimitDecision> => counters.decide(task.subscription, task.tier)),
);
const admitted = decisions.flatMap((decision) => (decision.ok ? [decision.admission.at] : []));
process.stdout.write(`${JSON.stringify({ admitted, alone: counters.aloneDecisions() })}\n`);
limits.close();
