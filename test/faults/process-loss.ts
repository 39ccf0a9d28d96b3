/** Of two API processes on one directory one is killed under load: the other serves on. */

import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../support/processes/child-process.ts';
import { BOTH, EMBEDDED, type Experiment, openVerdict } from './experiment.ts';
import { formatStatuses, goodputOf, startGoodClient } from './good-client.ts';

export const processLoss: Experiment = {
  name: 'loss of a process',
  engines: BOTH,
  shortEngines: EMBEDDED,
  async run(context) {
    const verdict = openVerdict();
    const role = { words: ['serve', '--role', 'api'] };
    const [first, second] = [await context.start(role), await context.start(role)];
    const [one, other] = await context.makeKeys(2);
    const clients = await Promise.all([
      startGoodClient({ url: first.url, key: one?.key ?? '', rate: RATE }),
      startGoodClient({ url: second.url, key: other?.key ?? '', rate: RATE }),
    ]);
    await pause(1_000);
    // With the embedded engine it owns the database, which the other one takes over.
    await first.kill();
    await pause(context.short ? 2_000 : 15_000);
    const [ended, survivor] = await Promise.all(clients.map((client) => client.stop()));
    if (!ended || !survivor) throw new Error('no report');
    const { goodput, p99 } = goodputOf(survivor);
    verdict.require(goodput === 1, `the other process answered ${formatStatuses(survivor.statuses)}`);
    const brokenAnswers = Object.keys(ended.statuses).filter((status) => !['0', '200'].includes(status));
    verdict.require(brokenAnswers.length === 0, `the killed process answered ${brokenAnswers.join()}`);
    const begun = performance.now();
    const [fresh] = await context.makeKeys(1, 'growth');
    const isKnown = async () =>
      (await fetch(`${second.url}/api/v1/events?limit=1`, { headers: { 'x-api-key': fresh?.key ?? '' } })).status === 200;
    await eventually(isKnown).catch((error: Error) => verdict.require(false, `a new key is unknown: ${error.message}`));
    const seconds = (performance.now() - begun) / 1_000;
    return {
      figures: `the other process: ${formatStatuses(survivor.statuses)}, p99 ${p99.toFixed(1)} ms; a new key works there after ${seconds.toFixed(1)} s`,
      failures: verdict.failures,
    };
  },
};

const RATE = 15;
