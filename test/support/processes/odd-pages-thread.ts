/** Pages that do what good pages do not. A thread of its own: see `openPagesThread`. */

import { setTimeout as delay } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import type { BrowserRequest, PageResponse, PagesHost } from '../../../src/web/index.ts';
import { runPagesThread, type ThreadEnds } from '../../../src/web/server/serving/pages-thread.ts';

export interface OddFacts {
  /** What it waits for, without giving up its thread. */
  bell: Int32Array<SharedArrayBuffer>;
}

const { facts, ends } = workerData as { facts: OddFacts; ends: ThreadEnds };
const said = (text: string): PageResponse => ({ status: 200, headers: [], body: Buffer.from(text) });

const oddities: Record<string, (host: PagesHost, question: BrowserRequest) => Promise<PageResponse | null>> = {
  '/unknown': async () => null,
  '/echo': async (_host, { method, headers, body }) =>
    said(`${method} ${headers['x-odd']} ${Buffer.from(body ?? []).toString()}`),
  '/busy': async () => said(Atomics.wait(facts.bell, 0, 0)),
  '/throw': async () => {
    throw new Error('an odd page');
  },
  '/die': async () => process.exit(1),
  '/never': () => delay(60_000, null, { ref: false }),
  '/watch': async ({ gate }) => {
    const told: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const unwatch = gate.watch('a subscription', (allowance) => told.push(allowance) === 2 && resolve());
    await promise;
    unwatch();
    return said(JSON.stringify(told));
  },
};

await runPagesThread(ends, async (host) => ({
  pages: {
    answer: async (question) => (await oddities[question.target]?.(host, question)) ?? null,
    end: () => undefined,
  },
  close: async () => undefined,
}));
