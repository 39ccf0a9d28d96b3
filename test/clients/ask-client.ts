/** The same acts with either client: in this process, or in an interpreter of Python. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { createMarquee, MarqueeError, ProblemError, RateLimitError, verifyWebhook } from '../../clients/typescript/src/index.ts';

export interface Act {
  do: 'call' | 'all' | 'follow' | 'verify';
  /** As the TypeScript client names it. */
  method?: string;
  ids?: string[];
  params?: Record<string, unknown>;
  after?: string;
  secret?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface ClientOptions {
  retries?: number;
  /** Milliseconds. */
  maxRetryWait?: number;
}

export interface ClientPlace {
  key: string;
  url: string;
  options?: ClientOptions;
}

// biome-ignore lint/suspicious/noExplicitAny: an outcome has the shape of whatever was asked.
export type Outcome = { ok: any } | { error: string; code?: string; requestId?: boolean; retryAfter?: number | null };
export type AskClient = (place: ClientPlace, acts: readonly Act[]) => Promise<Outcome[]>;

export const askTypescript: AskClient = async ({ key, url, options }, acts) => {
  const marquee = createMarquee({ apiKey: key, baseUrl: url, ...options });
  // biome-ignore lint/suspicious/noExplicitAny: methods are chosen by name.
  const methods = marquee as any;
  const run = async (act: Act): Promise<unknown> => {
    const given = [...(act.ids ?? []), act.params];
    if (act.do === 'call') return methods[act.method ?? ''](...given);
    if (act.do === 'verify') {
      return verifyWebhook({ secret: act.secret ?? '', headers: act.headers ?? {}, body: act.body ?? '' });
    }
    const found: unknown[] = [];
    if (act.do === 'all') for await (const each of methods[act.method ?? ''](...given)) found.push(each.id);
    else {
      const follow = { ...act.params, ...(act.after && { after: act.after }), once: true };
      for await (const { reset, changes, cursor } of marquee.followChanges(follow)) {
        found.push({ reset, changes: changes.length, cursor });
      }
    }
    return found;
  };
  const outcomes: Outcome[] = [];
  for (const act of acts) outcomes.push(await run(act).then((ok) => ({ ok }), describe));
  return outcomes;
};

function describe(error: unknown): Outcome {
  if (!(error instanceof MarqueeError)) throw error;
  if (!(error instanceof ProblemError)) return { error: error.name };
  const retryAfter = error instanceof RateLimitError ? error.retryAfter : null;
  return { error: error.name, code: error.code, requestId: error.requestId !== null, retryAfter };
}

export const askPython: AskClient = (place, acts) =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, PYTHONPATH: PYTHON_SOURCES, PYTHONDONTWRITEBYTECODE: '1' };
    const options = { env, maxBuffer: 2 ** 26 };
    const child = execFile('python3', [join(import.meta.dirname, 'ask_client.py')], options, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr));
      else
        resolve(
          stdout
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line)),
        );
    });
    const { retries, maxRetryWait } = place.options ?? {};
    const given = { retries, ...(maxRetryWait !== undefined && { max_retry_wait: maxRetryWait / 1000 }) };
    const lines = [
      { ...place, options: given },
      ...acts.map((act) => (act.method ? { ...act, method: snake(act.method) } : act)),
    ];
    child.stdin?.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const PYTHON_SOURCES = join(import.meta.dirname, '../../clients/python/src');
