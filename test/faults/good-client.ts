/** A client that keeps to its limits, in a thread of its own: what it gets while others misbehave is the measure of an experiment. */

import { Agent, get } from 'node:http';
import { percentile } from '../../bench/load.ts';
import { type Load, serveLoad, startLoad } from './thread.ts';

export interface GoodClientOptions {
  url: string;
  /** Several are used in turn: each may ask only so often. */
  key: string | readonly string[];
  /** Requests a second. */
  rate: number;
  path?: string;
  /** The loopback address that it asks from. */
  from?: string;
}

export interface GoodClientReport {
  asked: number;
  /** Answers by status; 0 where there was none. */
  statuses: Record<number, number>;
  /** Milliseconds of every request, in order. */
  times: number[];
  /** `Date.now()` of every answer with status 200. */
  answeredAt: number[];
}

/** Open loop: a request leaves every 1000 / rate ms whether earlier ones were answered or not. */
export const startGoodClient = (options: GoodClientOptions): Promise<Load<GoodClientReport>> =>
  startLoad(import.meta.url, options);

/** The share of requests answered with 200, and the 99th percentile of all times in ms. */
export function goodputOf({ asked, statuses, times }: GoodClientReport): { goodput: number; p50: number; p99: number } {
  return { goodput: (statuses[200] ?? 0) / Math.max(1, asked), p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

export const formatStatuses = (statuses: Record<number, number>): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === '0' ? 'no answer' : status}`)
    .join(', ') || 'none';

serveLoad<GoodClientOptions, GoodClientReport>(
  import.meta.url,
  async ({ url, key, rate, path = '/api/v1/events?limit=1', from }) => {
    const agent = new Agent({ keepAlive: true, ...(from !== undefined && { localAddress: from }) });
    const report: GoodClientReport = { asked: 0, statuses: {}, times: [], answeredAt: [] };
    const pending = new Set<Promise<void>>();
    const keys = [key].flat();
    let turn = 0;
    const ask = () =>
      new Promise<number>((resolve) => {
        const headers = { 'x-api-key': keys[turn++ % keys.length] ?? '' };
        const request = get(`${url}${path}`, { agent, headers, timeout: PATIENCE_MS }, (answer) => {
          answer.resume();
          answer.on('end', () => resolve(answer.statusCode ?? 0));
          answer.on('error', () => resolve(0));
        });
        request.on('timeout', () => request.destroy());
        request.on('error', () => resolve(0));
      });
    const one = async () => {
      const begun = performance.now();
      const status = await ask();
      report.times.push(performance.now() - begun);
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      if (status === 200) report.answeredAt.push(Date.now());
    };
    await ask();
    const begun = performance.now();
    const timer = setInterval(() => {
      for (; report.asked < ((performance.now() - begun) / 1_000) * rate; report.asked += 1) {
        const asking = one().finally(() => pending.delete(asking));
        pending.add(asking);
      }
    }, TICK_MS);
    return async () => {
      clearInterval(timer);
      await Promise.all(pending);
      agent.destroy();
      return report;
    };
  },
);

const TICK_MS = 5;
const PATIENCE_MS = 10_000;
