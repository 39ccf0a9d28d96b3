/** The wall clock of a running service jumps, to and fro: nobody gets more than the limits or is shut out, and nothing breaks. */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context, Service } from './context.ts';
import { BOTH, EMBEDDED, type Experiment, openVerdict } from './experiment.ts';
import { formatStatuses, startGoodClient } from './good-client.ts';

export const clockJumps: Experiment = {
  name: 'clock jumps',
  engines: BOTH,
  shortEngines: EMBEDDED,
  async run(context) {
    const verdict = openVerdict();
    const clock = openFalseClock(context);
    if (!clock) return { figures: 'libfaketime is missing', failures: ['libfaketime is missing: apt-get install libfaketime'] };
    const service = await context.start({ env: clock.env });
    const [steady] = await context.makeKeys(1);
    const [eager] = await context.makeKeys(1, 'starter');
    const client = await startGoodClient({ url: service.url, key: steady?.key ?? '', rate: RATE });
    const begun = performance.now();
    let admitted = 0;
    const jumps = context.short ? SHORT_JUMPS : LONG_JUMPS;
    for (const jump of jumps) {
      clock.set(jump);
      await pause(PAUSE_MS);
      // The whole minute at once, and a few more.
      const answers = await Promise.all(Array.from({ length: STARTER_MINUTE + 5 }, () => ask(service, eager?.key ?? '')));
      admitted += answers.filter(({ status }) => status === 200).length;
      for (const { status, retryAfter } of answers) {
        if (status === 200) continue;
        verdict.require(status === 429, `${status} after a jump of ${jump}`);
        verdict.require(
          retryAfter >= 1 && retryAfter <= MAX_RETRY_SECONDS,
          `Retry-After of ${retryAfter} s after a jump of ${jump}`,
        );
      }
      const page = await fetch(`${service.url}/pricing`, { headers: { accept: 'text/html' } });
      verdict.require(page.status === 200, `a page was answered ${page.status} after a jump of ${jump}`);
    }
    const minutes = Math.ceil((performance.now() - begun) / 60_000);
    const report = await client.stop();
    verdict.require(admitted <= minutes * STARTER_MINUTE, `a Starter key was admitted ${admitted} times in ${minutes} min`);
    verdict.require(
      report.asked === (report.statuses[200] ?? 0),
      `a client within its limits was answered ${formatStatuses(report.statuses)}`,
    );
    return {
      figures: `${jumps.join(', ')}: a client within its limits got ${formatStatuses(report.statuses)}; a Starter key was admitted ${admitted} times in ${minutes} min`,
      failures: verdict.failures,
    };
  },
};

async function ask({ url }: Service, key: string): Promise<{ status: number; retryAfter: number }> {
  const answer = await fetch(`${url}/api/v1/events?limit=1`, { headers: { 'x-api-key': key } });
  await answer.arrayBuffer();
  return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')) };
}

/** Debian's libfaketime before the C library of the service: it moves the clock on the wall, and leaves the one that only counts. */
function openFalseClock({ folder }: Context): { env: Record<string, string>; set(offset: string): void } | null {
  const library = LIBRARIES.find((path) => existsSync(path));
  if (!library) return null;
  const file = join(folder, '..', `clock-${process.pid}-${Date.now()}`);
  const set = (offset: string) => writeFileSync(file, `${offset}\n`);
  set('+0');
  const env = { LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
  return { env, set };
}

const LIBRARIES = ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`);
/** As libfaketime reads them. */
const SHORT_JUMPS = ['+10m', '-10m', '+26h', '-26h', '+0'];
const LONG_JUMPS = [...SHORT_JUMPS, '+1y', '-1d', '-1y', '+59s', '-59s', '+0'];
const RATE = 10;
const PAUSE_MS = 700;
const STARTER_MINUTE = 60;
const MAX_RETRY_SECONDS = 60;
