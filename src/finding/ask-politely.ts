/** `createAsker`: the requests for one address, within their number and time, each address once. */

import type { OutboundCode } from '../outbound/index.ts';
import type { SourceResponse } from '../providers/index.ts';
import type { FindingContext } from './model.ts';

export type Answered = { ok: true; response: SourceResponse; isCut: boolean } | AskRefusal;

export interface AskRefusal {
  ok: false;
  url: string;
  code: OutboundCode | 'spent';
  status: number | null;
  /** One sentence. */
  detail: string;
}

export interface Asker {
  /** `mayRepeat`: ask once more when the host says how long to wait. Never rejects for what the other side does. */
  ask(url: string, accept: string): Promise<Answered>;
  /** How many may still be sent. */
  left(): number;
  sent(): number;
  /** Those that were refused, in their order. */
  refusals(): readonly AskRefusal[];
}

export function createAsker({ outbound, pace, onRequest, maxRequests = MAX_REQUESTS }: FindingContext): Asker {
  const answers = new Map<string, Promise<Answered>>();
  const origins = new Set<string>();
  const refusals: AskRefusal[] = [];
  const end = pace.elapsed() + MAX_MS;
  let sent = 0;

  async function send(url: string, accept: string, isSecond: boolean): Promise<Answered> {
    const { host, origin } = new URL(url);
    const cost = origins.has(origin) ? 1 : ROBOTS_AND_PAGE;
    if (sent + cost > maxRequests) return spent(url, `the ${maxRequests} requests for one address are used up`);
    if (!(await pace.take(host, end))) return spent(url, `the ${MAX_MS / 1000} s for one address are over`);
    if (sent + cost > maxRequests) return spent(url, `the ${maxRequests} requests for one address are used up`);
    origins.add(origin);
    sent += cost;
    onRequest?.(url);
    const outcome = await outbound.fetch({ url, accept, isPage: true, anyBody: true });
    if (outcome.ok === 'unchanged') throw new Error('An answer without conditions is never unchanged.');
    if (outcome.ok) {
      noteRedirect(url, outcome.url);
      pace.answered(host);
      const { body, contentType } = outcome;
      return { ok: true, response: { url: outcome.url, body, contentType }, isCut: outcome.bodyFault !== undefined };
    }
    const { code, status = null, detail, retryAfterMs } = outcome;
    const isBusy = status === 429 || status === 503;
    pace.answered(host, isBusy ? (retryAfterMs ?? 0) : 0);
    if (isBusy && !isSecond && retryAfterMs !== null && retryAfterMs <= MAX_RETRY_AFTER_MS) return send(url, accept, true);
    return { ok: false, url, code, status, detail };
  }

  /** It was another request, perhaps to another host. */
  function noteRedirect(from: string, to: string): void {
    if (from === to) return;
    const { host, origin } = new URL(to);
    sent += origins.has(origin) ? 1 : ROBOTS_AND_PAGE;
    origins.add(origin);
    pace.answered(host);
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
    left: () => maxRequests - sent,
    sent: () => sent,
    refusals: () => refusals,
  };
}

export function withoutFragment(url: string): string {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}

const spent = (url: string, detail: string): AskRefusal => ({ ok: false, url, code: 'spent', status: null, detail });

const MAX_REQUESTS = 40;
/** A host that is asked for the first time is asked for its robots.txt too. */
const ROBOTS_AND_PAGE = 2;
const MAX_MS = 120_000;
const MAX_RETRY_AFTER_MS = 30_000;
