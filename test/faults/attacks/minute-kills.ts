/** kill -9 within the minute of a key that spends it: the next process goes on with what was admitted, but for the last second. */

import { setTimeout as pause } from 'node:timers/promises';
import { TIERS, type TierName } from '../../../src/accounts/index.ts';
import type { Context, Service } from '../context.ts';
import { BOTH, type Experiment, openVerdict } from '../experiment.ts';
import { checkMinute, type TimedDecision } from '../shared-limits/check-minute.ts';

export const minuteKills: Experiment = {
  name: 'kills within a minute',
  engines: BOTH,
  shortEngines: BOTH,
  async run(context) {
    const verdict = openVerdict();
    const rounds = context.short ? SHORT : LONG;
    const told: string[] = [];
    let service = await context.start(API_ALONE);
    for (const { tier, kills } of rounds) {
      const begun = performance.now();
      const limit = TIERS[tier].perMinute;
      const [made] = await context.makeKeys(1, tier);
      const spent: Spent = { key: made?.key ?? '', decisions: [], mayBeLost: 0 };
      for (const afterMs of kills) service = await spendAndKill(context, service, spent, { share: limit / 5, afterMs });
      // Once for what may have been lost, and once to be refused.
      await spend(service, spent, limit + spent.mayBeLost + 10);
      const { over } = checkMinute(spent.decisions, limit + spent.mayBeLost);
      const { under } = checkMinute(spent.decisions, limit);
      const admitted = spent.decisions.filter(({ isAdmitted }) => isAdmitted).length;
      verdict.require(
        over === 0,
        `${tier}: ${over} requests were admitted beyond ${limit} and ${spent.mayBeLost} of last seconds`,
      );
      verdict.require(under === 0, `${tier}: ${under} requests were refused although the minute had room`);
      verdict.require(admitted < spent.decisions.length, `${tier}: nothing was refused, so nothing was shown`);
      const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
      told.push(
        `${admitted} admitted at a limit of ${limit} a minute, in ${seconds} s with ${kills.length} kills (${spent.mayBeLost} in the second before one)`,
      );
    }
    return { figures: told.join('; '), failures: verdict.failures };
  },
};

interface Spent {
  key: string;
  decisions: TimedDecision[];
  /** What was admitted in the last second before a kill. */
  mayBeLost: number;
}

/** Spends a share of the minute, kills the service some time after the last answer, and starts the next one. */
async function spendAndKill(
  context: Context,
  service: Service,
  spent: Spent,
  { share, afterMs }: { share: number; afterMs: number },
): Promise<Service> {
  const first = spent.decisions.length;
  await spend(service, spent, share);
  await pause(afterMs);
  const killedAt = performance.now();
  await service.kill();
  spent.mayBeLost += spent.decisions
    .slice(first)
    .filter(({ isAdmitted, answeredAt }) => isAdmitted && answeredAt > killedAt - LAST_SECOND_MS).length;
  return context.start(API_ALONE);
}

async function spend({ url }: Service, { key, decisions }: Spent, requests: number): Promise<void> {
  for (let left = requests; left > 0; left -= AT_ONCE) {
    const answers = Array.from({ length: Math.min(left, AT_ONCE) }, async () => {
      const sentAt = performance.now();
      const answer = await fetch(`${url}/api/v1/events?limit=1`, { headers: { 'x-api-key': key } });
      await answer.arrayBuffer();
      if (answer.status !== 200 && answer.status !== 429) throw new Error(`a request was answered ${answer.status}`);
      decisions.push({ sentAt, answeredAt: performance.now(), isAdmitted: answer.status === 200 });
    });
    await Promise.all(answers);
  }
}

interface Round {
  tier: TierName;
  /** Milliseconds from the last answer to each kill: more than a second, so that nothing is lost, or less. */
  kills: readonly number[];
}

/** It starts sooner than with pages, and counts the same. */
const API_ALONE = { words: ['serve', '--role', 'api'] };
const AFTER_WRITING_MS = 1_200;
const SHORT: readonly Round[] = [{ tier: 'starter', kills: [AFTER_WRITING_MS, 0] }];
const LONG: readonly Round[] = (['starter', 'growth', 'enterprise'] as const).flatMap((tier) => [
  { tier, kills: [AFTER_WRITING_MS] },
  { tier, kills: [AFTER_WRITING_MS, AFTER_WRITING_MS, AFTER_WRITING_MS] },
  { tier, kills: [0, AFTER_WRITING_MS, 300] },
  { tier, kills: [700, 0, 500, 0] },
]);
/** As the documents promise: admissions are written at least once a second. */
const LAST_SECOND_MS = 1_000;
const AT_ONCE = 10;
