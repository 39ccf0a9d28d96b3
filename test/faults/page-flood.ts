/** Sixty readers load the front page as fast as they get it, while somebody uses the API. */

import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from './context.ts';
import { BOTH, EMBEDDED, type Experiment, openVerdict } from './experiment.ts';
import { formatStatuses, goodputOf, startGoodClient } from './good-client.ts';
import { serveLoad, startLoad } from './thread.ts';

interface ReadersOptions {
  url: string;
  readers: number;
}

export const pageFlood: Experiment = {
  name: 'page flood',
  engines: BOTH,
  shortEngines: EMBEDDED,
  async run(context) {
    const verdict = openVerdict();
    const service = await context.start();
    const [key] = await context.makeKeys(1);
    // The first page starts the thread of the pages.
    await (await fetch(`${service.url}/`, { headers: { accept: 'text/html' } })).arrayBuffer();
    const measure = async (seconds: number) => {
      const client = await startGoodClient({ url: service.url, key: key?.key ?? '', rate: RATE });
      await pause(seconds * 1_000);
      return client.stop();
    };
    const alone = goodputOf(await measure(context.short ? 2 : 10));
    const readers = await startReaders(service);
    const report = await measure(context.short ? 5 : 30);
    const { statuses, seconds } = await readers.stop();
    const beside = goodputOf(report);
    const pages = statuses[200] ?? 0;
    verdict.require(beside.goodput >= MIN_GOODPUT, `the API answered ${formatStatuses(report.statuses)}`);
    verdict.require(pages > 0, 'no page was answered');
    verdict.require(
      Object.keys(statuses).every((status) => EXPECTED.has(status)),
      `pages were answered ${formatStatuses(statuses)}`,
    );
    if (!context.short) verdict.require(beside.p99 < MAX_P99_MS, `p99 of the API is ${beside.p99.toFixed(0)} ms, wanted 50 ms`);
    return {
      figures: `API p50/p99 ${ms(alone.p50)}/${ms(alone.p99)} alone, ${ms(beside.p50)}/${ms(beside.p99)} beside ${(pages / seconds).toFixed(0)} pages a second (${formatStatuses(statuses)})`,
      failures: verdict.failures,
    };
  },
};

const startReaders = ({ url }: Service) =>
  startLoad<{ statuses: Record<number, number>; seconds: number }>(import.meta.url, { url, readers: READERS });

serveLoad<ReadersOptions, { statuses: Record<number, number>; seconds: number }>(import.meta.url, async ({ url, readers }) => {
  const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.2' });
  const headers = { accept: 'text/html', 'accept-encoding': 'br' };
  const statuses: Record<number, number> = {};
  const begun = performance.now();
  let ended = false;
  const read = () =>
    new Promise<number>((resolve) => {
      const request = get(`${url}/`, { agent, headers }, (answer) => {
        answer.resume();
        answer.on('close', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 0));
      });
      request.on('error', () => resolve(0));
    });
  for (let reader = 0; reader < readers; reader += 1) {
    void (async () => {
      while (!ended) {
        const status = await read();
        if (!ended) statuses[status] = (statuses[status] ?? 0) + 1;
        if (status !== 200) await pause(50);
      }
    })();
  }
  return () => {
    ended = true;
    agent.destroy();
    return { statuses, seconds: (performance.now() - begun) / 1_000 };
  };
});

const ms = (value: number): string => `${value.toFixed(1)} ms`;

const READERS = 60;
const RATE = 15;
const MIN_GOODPUT = 0.99;
const MAX_P99_MS = 50;
/** Readers beyond the limit of their address, or of all, are told so. */
const EXPECTED = new Set(['200', '429', '503']);
