/** One GET: with the key, tried again where that helps, and answered from memory where nothing changed. */

import { ConnectionError, type ProblemError, problemError } from './errors.ts';
import type { Problem } from './generated.ts';
import type { MarqueeOptions, RequestOptions } from './options.ts';

/** The body as text. `path` below `/api/v1`. */
export type Transport = (path: string, params: Params, options?: RequestOptions) => Promise<string>;
export type Params = Readonly<Record<string, unknown>>;

export function createTransport(options: MarqueeOptions): Transport {
  const { apiKey, baseUrl, retries = 3, maxRetryWait = 60_000, timeout = 30_000, cacheSize = 100, headers = {} } = options;
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  const cache = createCache(cacheSize);
  const base = `${baseUrl.replace(/\/+$/, '')}/api/v1`;

  async function attempt(url: string, request: RequestOptions): Promise<string | Failure> {
    const known = cache.get(url);
    const sent: Record<string, string> = { 'X-API-Key': apiKey, ...headers, ...request.headers };
    if (known) sent['If-None-Match'] = known.etag;
    const late = AbortSignal.timeout(request.timeout ?? timeout);
    const signal = request.signal ? AbortSignal.any([request.signal, late]) : late;
    try {
      const answer = await send(url, { headers: sent, signal });
      const text = await answer.text();
      if (answer.status === 304 && known) return known.text;
      if (!answer.ok) return failureOf(answer, text);
      const etag = answer.headers.get('etag');
      if (etag) cache.put(url, { etag, text });
      return text;
    } catch (cause) {
      if (request.signal?.aborted) throw request.signal.reason;
      return { error: new ConnectionError(`cannot reach ${base}`, { cause }), mayRetry: true, after: null };
    }
  }

  return async (path, params, request = {}) => {
    const url = base + path + queryOf(params);
    for (let failures = 0; ; failures += 1) {
      const outcome = await attempt(url, request);
      if (typeof outcome === 'string') return outcome;
      const wait = waitOf(outcome, failures);
      if (!outcome.mayRetry || failures >= retries || wait > maxRetryWait) throw outcome.error;
      await sleep(wait + spreadOf(outcome), request.signal);
    }
  };
}

interface Failure {
  error: ProblemError | ConnectionError;
  mayRetry: boolean;
  /** Seconds, as the service asked. */
  after: number | null;
}

function failureOf(answer: Response, text: string): Failure {
  const { status, headers } = answer;
  const problem = parseProblem(text);
  const given = headers.get('retry-after');
  const after = given !== null && /^\d+$/.test(given) ? Number(given) : (problem?.retryAfterSeconds ?? null);
  const error = problemError(status, problem, { requestId: headers.get('x-request-id'), retryAfter: after });
  return { error, mayRetry: status === 429 || status >= 500, after };
}

function parseProblem(text: string): Problem | null {
  try {
    const parsed = JSON.parse(text);
    return typeof parsed?.code === 'string' ? parsed : null;
  } catch {
    return null;
  }
}

/** Milliseconds: what the service asked for, else longer with every failure. Chance keeps clients apart. */
function waitOf({ after }: Failure, failures: number): number {
  return after === null ? Math.random() * Math.min(8_000, 500 * 2 ** failures) : after * 1_000;
}

/** All clients are told the same moment. */
const spreadOf = ({ after }: Failure): number => (after === null ? 0 : Math.random() * 250);

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave);
      resolve();
    }, milliseconds);
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
  });
}

/** Lists as one value with commas, instants in UTC; what is undefined is left out. */
function queryOf(params: Params): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue;
    query.set(
      name,
      Array.isArray(value) ? value.map(String).join(',') : value instanceof Date ? value.toISOString() : String(value),
    );
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

interface Held {
  etag: string;
  text: string;
}

/** The responses used last, at most `size` of them. */
function createCache(size: number) {
  const held = new Map<string, Held>();
  return {
    get(url: string): Held | undefined {
      const found = held.get(url);
      if (found) {
        held.delete(url);
        held.set(url, found);
      }
      return found;
    },
    put(url: string, answer: Held): void {
      if (size === 0 || answer.text.length > MAX_HELD_CHARS) return;
      held.delete(url);
      held.set(url, answer);
      const oldest = held.size > size ? held.keys().next().value : undefined;
      if (oldest !== undefined) held.delete(oldest);
    },
  };
}

const MAX_HELD_CHARS = 1_000_000;
