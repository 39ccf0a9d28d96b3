/** `createAsker`: the requests for one address, within their number and time, each address once. */

import type { FetchOutcome, OutboundCode } from '../outbound/index.ts';
import type { SourceResponse } from '../providers/index.ts';
import type { FindingContext } from './model.ts';

export type Answered = { ok: true; response: SourceResponse; isCut: boolean } | FailedAsk;

export interface FailedAsk {
  ok: false;
  /** Without a user name and a password. */
  url: string;
  /** `spent`: it was not asked, or not to its end: the requests or the time are used up. */
  code: OutboundCode | 'spent';
  status: number | null;
  /** How long a busy host asks to be left alone; null where it does not say. */
  retryAfterMs: number | null;
  /** One sentence. */
  detail: string;
}

export interface Asker {
  /** Asks once more if the host says how long to wait. Never rejects for what the other side does. */
  ask(url: string, accept: string): Promise<Answered>;
  /** How many may still be sent; 0 after the time is over. What was asked before is answered all the same. */
  left(): number;
  /** With robots.txt and redirects. */
  sent(): number;
  /** The requests that were refused, in their order. */
  refusals(): readonly FailedAsk[];
}

/** `starts`: what a person wrote down. What its pages name may use the operator's list only if that list names the site itself. */
export function createAsker(
  starts: readonly string[],
  { outbound, pace, onRequest, maxRequests = MAX_REQUESTS }: FindingContext,
): Asker {
  const typed = new Set(starts.map(withoutFragment));
  const answers = new Map<string, Promise<Answered>>();
  const refusals: FailedAsk[] = [];
  const end = pace.elapsed() + MAX_MS;
  let sent = 0;
  let isSiteListed = false;

  const left = (): number => (pace.elapsed() > end ? 0 : maxRequests - sent);

  async function send(url: string, accept: string, isSecond: boolean): Promise<Answered> {
    if (left() <= 0) return spent(url);
    const over = new AbortController();
    const hosts: string[] = [];
    onRequest?.(withoutPassword(url));
    const outcome = await outbound.fetch({
      url,
      accept,
      isPage: true,
      anyBody: true,
      signal: over.signal,
      mayUseList: isSiteListed || typed.has(url),
      async beforeHop(host, crawlDelayMs) {
        for (const before of hosts.splice(0)) pace.answered(before);
        pace.slowDown(host, crawlDelayMs);
        if (sent >= maxRequests || !(await pace.take(host, end))) return over.abort();
        hosts.push(host);
        sent++;
      },
    });
    const { hostname } = new URL(outcome.ok === true ? outcome.url : url);
    const retryAfterMs = retryAfterOf(outcome);
    for (const asked of [hostname, ...hosts]) pace.answered(asked, retryAfterMs ?? 0);
    if (outcome.ok === true) {
      isSiteListed ||= outcome.isListed === true;
      const { body, contentType } = outcome;
      const response = { url: outcome.url, body: body.subarray(0, MAX_BODY_BYTES), contentType };
      return { ok: true, response, isCut: isCutOff(outcome) };
    }
    if (over.signal.aborted) return spent(url);
    const refusal = { ...refusalOf(url, outcome), retryAfterMs };
    return mayAskAgain(refusal) && !isSecond ? sendAgain(refusal, accept, hostname) : refusal;
  }

  /** A robots.txt that could not be read is kept as long as its site says, so the wait comes before the question whether there is one. */
  async function sendAgain({ url, code }: FailedAsk, accept: string, host: string): Promise<Answered> {
    if (code === 'robots' && !(await pace.take(host, end))) return spent(url);
    return send(url, accept, true);
  }

  return {
    async ask(url, accept) {
      const key = withoutFragment(url);
      const known = answers.get(key);
      if (known) return known;
      const answer = send(key, accept, false);
      answers.set(key, answer);
      const answered = await answer;
      if (!answered.ok) refusals.push(answered);
      else answers.set(withoutFragment(answered.response.url), answer);
      return answered;
    },
    left,
    sent: () => sent,
    refusals: () => refusals,
  };
}

export function withoutFragment(url: string): string {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

const mayAskAgain = ({ retryAfterMs }: FailedAsk): boolean => retryAfterMs !== null && retryAfterMs <= MAX_RETRY_AFTER_MS;

const isCutOff = ({ body, bodyFault }: Extract<FetchOutcome, { ok: true }>): boolean =>
  bodyFault !== undefined || body.length > MAX_BODY_BYTES;

/** Null where the host is not busy, or does not say how long. */
function retryAfterOf(outcome: FetchOutcome): number | null {
  return outcome.ok === false && (outcome.status === 429 || outcome.status === 503) ? outcome.retryAfterMs : null;
}

function refusalOf(url: string, outcome: Exclude<FetchOutcome, { ok: true }>): FailedAsk {
  if (outcome.ok === 'unchanged') throw new Error('An answer without conditions is never unchanged.');
  const { code, status = null, detail } = outcome;
  return { ok: false, url: withoutPassword(url), code, status, retryAfterMs: null, detail };
}

const spent = (url: string): FailedAsk => ({
  ok: false,
  url: withoutPassword(url),
  code: 'spent',
  status: null,
  retryAfterMs: null,
  detail: SPENT,
});

const SPENT = 'the requests or the time for one address are used up';
/** The beginning of a longer body is read. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024;
const MAX_REQUESTS = 40;
const MAX_MS = 120_000;
const MAX_RETRY_AFTER_MS = 30_000;
