/** Clients that ask as often as limits allow and more, in a thread of its own; it notes when each decision can have been made. */

import { Agent, get } from 'node:http';
import { serveLoad, startLoad } from '../thread.ts';
import type { TimedDecision } from './check-minute.ts';

/** `pace`: a little below the limit. `flood`: nearly all at once, then half as much again as the limit. `bursts`: all at once, more than the limit, again and again. */
export type Manner = 'pace' | 'flood' | 'bursts';

export interface HostileKey {
  key: string;
  perMinute: number;
  manner: Manner;
}

export interface HostileLoadOptions {
  /** Of services that count together; requests take turns. */
  urls: readonly string[];
  keys: readonly HostileKey[];
}

export interface HostileReport {
  /** For each key, in order. */
  decisions: TimedDecision[][];
  /** Answers that are neither 200 nor 429, by status; 0 where there was none. */
  others: Record<number, number>;
}

export const startHostileLoad = (options: HostileLoadOptions) => startLoad<HostileReport>(import.meta.url, options);

/** How many requests a key has sent `elapsedMs` after its start. */
const SENT: Record<Manner, (perMinute: number, elapsedMs: number) => number> = {
  pace: (perMinute, elapsedMs) => (elapsedMs / MINUTE_MS) * perMinute * 0.9,
  flood: (perMinute, elapsedMs) => perMinute * (0.9 + (elapsedMs / MINUTE_MS) * 1.5),
  bursts: (perMinute, elapsedMs) => Math.floor(elapsedMs / BURST_EVERY_MS + 1) * perMinute * 0.6,
};

serveLoad<HostileLoadOptions, HostileReport>(import.meta.url, async ({ urls, keys }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const decisions: TimedDecision[][] = keys.map(() => []);
  const others: Record<number, number> = {};
  const pending = new Set<Promise<void>>();
  let turn = 0;

  const ask = (key: string) =>
    new Promise<number>((resolve) => {
      turn += 1;
      const url = `${urls[turn % urls.length]}/api/v1/events?limit=1`;
      // Every fourth has a connection of its own.
      const request = get(url, { agent: turn % 4 === 0 ? false : agent, headers: { 'x-api-key': key } }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0)).on('error', () => resolve(0));
      });
      request.on('error', () => resolve(0));
    });
  const one = async (key: string, noted: TimedDecision[]) => {
    const sentAt = performance.now();
    const status = await ask(key);
    if (status === 200 || status === 429) noted.push({ sentAt, answeredAt: performance.now(), isAdmitted: status === 200 });
    else others[status] = (others[status] ?? 0) + 1;
  };

  const begun = performance.now();
  const sent = keys.map(() => 0);
  const timer = setInterval(() => {
    for (const [index, { key, perMinute, manner }] of keys.entries()) {
      for (; (sent[index] ?? 0) < SENT[manner](perMinute, performance.now() - begun); sent[index] = (sent[index] ?? 0) + 1) {
        const asking = one(key, decisions[index] ?? []).finally(() => pending.delete(asking));
        pending.add(asking);
      }
    }
  }, TICK_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(pending);
    agent.destroy();
    return { decisions, others };
  };
});

const MINUTE_MS = 60_000;
const BURST_EVERY_MS = 17_000;
const TICK_MS = 5;
const MAX_SOCKETS = 64;
