/** The robots.txt of many sites, each asked for once a day. */

import type { Target } from './check-address.ts';
import type { Limits } from './limits.ts';
import type { FetchOutcome } from './model.ts';
import { parseRobots, type Robots } from './robots.ts';

export interface RobotsKeeper {
  /** `unknown`: the file could not be read, so for a while nothing may be. */
  judge(target: Target): Promise<'allowed' | 'forbidden' | 'unknown'>;
}

export interface RobotsOptions {
  name: string;
  limits: Limits;
  now: () => number;
  /** By the same safe way as everything else; the beginning of a file that is too large. */
  fetch: (url: string) => Promise<FetchOutcome>;
}

export function createRobotsKeeper({ name, limits, now, fetch }: RobotsOptions): RobotsKeeper {
  const sites = new Map<string, { until: number; robots: Promise<Robots | null> }>();

  function robotsOf(origin: string): Promise<Robots | null> {
    const kept = sites.get(origin);
    if (kept && now() < kept.until) return kept.robots;
    const site = { until: now() + limits.robotsKeepMs, robots: judged() };
    async function judged(): Promise<Robots | null> {
      const robots = await ask(`${origin}/robots.txt`);
      if (!robots) site.until = now() + limits.robotsRetryMs;
      return robots;
    }
    sites.delete(origin);
    sites.set(origin, site);
    const [oldest] = sites.keys();
    if (sites.size > limits.robotsHosts && oldest !== undefined) sites.delete(oldest);
    return site.robots;
  }

  /** Null: nobody knows. */
  async function ask(url: string): Promise<Robots | null> {
    const outcome = await fetch(url);
    if (outcome.ok === true) return parseRobots(new TextDecoder().decode(outcome.body), name);
    if (outcome.ok === 'unchanged') return null;
    // RFC 9309 §2.3.1.3: there is no such file, so all is allowed; more redirects than anybody follows count as that too.
    // §2.3.1.4: a site in trouble is left alone. 429 is trouble, though a 4xx.
    const status = outcome.status ?? 0;
    const isMissing = outcome.code === 'redirects' || (status >= 400 && status < 500 && status !== 429);
    return isMissing ? () => true : null;
  }

  return {
    async judge({ url }) {
      const robots = await robotsOf(url.origin);
      if (!robots) return 'unknown';
      return robots(url.pathname + url.search) ? 'allowed' : 'forbidden';
    },
  };
}
