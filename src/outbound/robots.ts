/** RFC 9309: what the owner of a site lets programs read. Written for hostile files too: linear in the file, whatever its rules. */

import type { Target } from './check-address.ts';
import type { Limits } from './limits.ts';
import type { FetchOutcome, OutboundRequest } from './model.ts';

/** What the program of this name may read, and how often. */
export interface Robots {
  /** `path`: with its query. */
  allows(path: string): boolean;
  /** Between two requests, as `Crawl-delay` asks (no part of the standard, but common); 0 where it does not. */
  crawlDelayMs: number;
}

interface Rule {
  /** Between its asterisks. */
  parts: readonly string[];
  isAnchored: boolean;
  length: number;
  allows: boolean;
}

/** `name` is the product token, matched without regard to case; the groups of `*` count only where none has the name (§2.2.1). */
export function parseRobots(text: string, name: string): Robots {
  const groups = createGroups(name.toLowerCase());
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [statement = ''] = line.split('#', 1);
    const colon = statement.indexOf(':');
    const field = statement.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = statement.slice(colon + 1).trim();
    if (field === 'user-agent') groups.addAgent(value.toLowerCase());
    else if (field === 'allow' || field === 'disallow') groups.addRule(value, field === 'allow');
    else if (field === 'crawl-delay') groups.addDelay(Number(/^\d{1,6}(?:\.\d{1,3})?$/.exec(value)?.[0] ?? 0) * 1_000);
  }
  const { rules, crawlDelayMs } = groups.read();
  return { allows: (path) => allows(rules, normalize(path)), crawlDelayMs };
}

/** The longest rule that matches decides; of equally long ones one that allows. */
function allows(rules: readonly Rule[], path: string): boolean {
  let best: Rule | null = null;
  for (const rule of rules) {
    if (best && (rule.length < best.length || (rule.length === best.length && !rule.allows))) continue;
    if (matches(rule, path)) best = rule;
  }
  return best?.allows ?? true;
}

/** Groups of rules as they are read: a group is for the agents named in the lines before its first rule. */
function createGroups(name: string) {
  const own: Rule[] = [];
  const all: Rule[] = [];
  const delays = { own: 0, all: 0 };
  let hasOwn = false;
  let isForOwn = false;
  let isForAll = false;
  let inHeader = false;

  return {
    addAgent(agent: string): void {
      if (!inHeader) isForOwn = isForAll = false;
      inHeader = true;
      if (agent === '*') isForAll = true;
      // Some write a version behind the name.
      else if (agent.replace(/[^a-z_-].*$/, '') === name) isForOwn = hasOwn = true;
    },
    addRule(value: string, allows: boolean): void {
      inHeader = false;
      if (value === '' || !(isForOwn || isForAll)) return;
      const rule = compile(value, allows);
      if (isForOwn) own.push(rule);
      if (isForAll) all.push(rule);
    },
    addDelay(ms: number): void {
      inHeader = false;
      if (isForOwn) delays.own = Math.max(delays.own, ms);
      if (isForAll) delays.all = Math.max(delays.all, ms);
    },
    read: (): { rules: readonly Rule[]; crawlDelayMs: number } =>
      hasOwn ? { rules: own, crawlDelayMs: delays.own } : { rules: all, crawlDelayMs: delays.all },
  };
}

function compile(value: string, allows: boolean): Rule {
  const isAnchored = value.endsWith('$');
  const pattern = normalize(isAnchored ? value.slice(0, -1) : value);
  return { parts: pattern.split(/\*+/), isAnchored, length: value.length, allows };
}

/** Each part is looked for behind the one before: the first place is as good as any other, so there is nothing to try again. */
function matches({ parts, isAnchored }: Rule, path: string): boolean {
  const [first = '', ...others] = parts;
  if (!path.startsWith(first)) return false;
  const last = others.pop();
  if (last === undefined) return !isAnchored || path.length === first.length;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return isAnchored ? path.length - last.length >= at && path.endsWith(last) : path.indexOf(last, at) !== -1;
}

/** §2.2.2: compared as octets, in percent-encoding where they are not plain. */
function normalize(path: string): string {
  return path
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text))
    .replace(/%[0-9a-f]{2}/gi, (encoded) => {
      const char = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
      return /[\w.~-]/.test(char) ? char : encoded.toUpperCase();
    });
}

type UnreadRobots = Extract<FetchOutcome, { ok: false }>;

interface RobotsKeeper {
  /** An outcome: the file could not be read, so for a while nothing may be. */
  judge(target: Target, request: OutboundRequest): Promise<Robots | 'forbidden' | UnreadRobots>;
}

/** `fetch`: by the same safe way as everything else; the beginning of a file that is too large. `request`: what waits for it. */
export function createRobotsKeeper(
  name: string,
  limits: Limits,
  now: () => number,
  fetch: (url: string, request: OutboundRequest) => Promise<FetchOutcome>,
): RobotsKeeper {
  const sites = new Map<string, { until: number; robots: Promise<Robots | UnreadRobots> }>();

  function keptOf(origin: string): Promise<Robots | UnreadRobots> | null {
    const kept = sites.get(origin);
    return kept && now() < kept.until ? kept.robots : null;
  }

  function read(origin: string, request: OutboundRequest): Promise<Robots | UnreadRobots> {
    const site = { until: now() + limits.robotsKeepMs, robots: judged() };
    async function judged(): Promise<Robots | UnreadRobots> {
      const robots = await ask(`${origin}/robots.txt`, request);
      if ('allows' in robots) return robots;
      if (saysNothing(robots)) sites.delete(origin);
      site.until = now() + Math.min(limits.robotsRetryMs, robots.retryAfterMs ?? Infinity);
      return robots;
    }
    sites.delete(origin);
    sites.set(origin, site);
    const [oldest] = sites.keys();
    if (sites.size > limits.robotsHosts && oldest !== undefined) sites.delete(oldest);
    return site.robots;
  }

  async function ask(url: string, request: OutboundRequest): Promise<Robots | UnreadRobots> {
    const outcome = await fetch(url, request);
    if (outcome.ok === true) return parseRobots(new TextDecoder().decode(outcome.body), name);
    if (outcome.ok === 'unchanged') throw new Error('An answer without conditions is never unchanged.');
    // RFC 9309 §2.3.1.3: there is no such file, so all is allowed; more redirects than anybody follows count as that too.
    // §2.3.1.4: a site in trouble is left alone. 429 is trouble, though a 4xx.
    const status = outcome.status ?? 0;
    const isMissing = outcome.code === 'redirects' || (status >= 400 && status < 500 && status !== 429);
    return isMissing ? { allows: () => true, crawlDelayMs: 0 } : outcome;
  }

  return {
    async judge({ url }, request) {
      for (;;) {
        const kept = keptOf(url.origin);
        const robots = await (kept ?? read(url.origin, request));
        if ('allows' in robots) return robots.allows(url.pathname + url.search) ? robots : 'forbidden';
        if (!kept || !saysNothing(robots)) return robots;
      }
    },
  };
}

/** Whoever asked was stopped, or may not use the operator's list: the next one asks for itself. */
const saysNothing = ({ code }: UnreadRobots): boolean => code === 'stopped' || code === 'refused_address';
