/**
 * Pages that are equal for all signed-out readers, kept as finished bytes by the serving thread: it answers them without the thread of
 * the pages and without the database. They are made again beside the requests when what they show may have changed.
 */

import { hash } from 'node:crypto';
import { COMPRESS_FROM_BYTES, chooseEncoding, compress, ENCODINGS, type Encoding, matchesTag } from '../../../http/index.ts';
import type { Log } from '../../../log.ts';
import { readTheme, type Theme } from '../../model/theme.ts';
import { LANGUAGE_CODES, readLanguageCode } from '../languages.ts';
import { PAGES_VARY } from './answer-headers.ts';
import type { BrowserRequest, PageResponse, Pages } from './page-messages.ts';

export interface PageCacheOptions {
  /** Changes with the directory. */
  edition: () => number;
  /** Directory time, milliseconds: a page may say how long ago something was. */
  now: () => number;
  publicUrl: string;
  log: Log;
  /** How often is looked whether a page may show something else now. */
  lookEveryMs?: number;
  /** A page is not made again sooner, however often the directory changes. */
  leastAgeMs?: number;
}

export interface CachedPages extends Pages {
  /**
   * Resolves when the front page is there in every language, or cannot be made now: the log says why. Who hears that a service is ready
   * opens a page next, and the first one takes seconds on a busy machine.
   */
  ready: Promise<void>;
  close(): void;
}

interface CachedPage {
  etag: string;
  headers: [name: string, value: string][];
  plain: Uint8Array;
  encoded: ReadonlyMap<Encoding, Uint8Array>;
  /** What it shows: see `stateNow`. */
  state: string;
  madeAt: number;
}

/** The front page is made at once in every language, so that it never needs the database; others when they are first asked for. */
export function cachePages(pages: Pages, options: PageCacheOptions): CachedPages {
  const { edition, now, publicUrl, log, lookEveryMs = LOOK_EVERY_MS, leastAgeMs = MIN_AGE_MS } = options;
  const cached = new Map<string, CachedPage>();
  const askedAt = new Map<string, number>(FRONTS.map((key) => [key, Number.POSITIVE_INFINITY]));
  const making = new Set<string>();
  const { host } = new URL(publicUrl);
  const stateNow = () => `${edition()} ${Math.floor(now() / A_MINUTE_MS)}`;
  let isClosed = false;
  let isFailing = false;

  function noteFailure(key: string, err: unknown): void {
    const what = cached.has(key) ? 'cannot render a page again; serving the previous version' : 'cannot render a page';
    if (!isClosed && !isFailing) log.warn({ err, page: key }, what);
    isFailing = true;
  }

  async function make(key: string): Promise<void> {
    if (making.has(key) || isClosed) return;
    making.add(key);
    try {
      const state = stateNow();
      const answer = await pages.answer(requestFor(key, host));
      if (answer && 'body' in answer && answer.status === 200 && answer.body instanceof Uint8Array) {
        const madeAt = performance.now();
        cached.set(key, { ...(await finish(answer.headers, answer.body)), state, madeAt });
        isFailing = false;
      }
    } catch (err) {
      noteFailure(key, err);
    } finally {
      making.delete(key);
    }
  }

  async function renew(): Promise<void> {
    const at = performance.now();
    for (const [key, asked] of askedAt) {
      if (at - asked > KEPT_MS) {
        askedAt.delete(key);
        cached.delete(key);
        continue;
      }
      const page = cached.get(key);
      if (!page || (page.state !== stateNow() && at - page.madeAt >= leastAgeMs)) await make(key);
    }
  }

  let timer: NodeJS.Timeout | undefined;
  const renewLater = () => {
    if (!isClosed) timer = setTimeout(() => void renew().then(renewLater), lookEveryMs).unref();
  };
  const ready = renew();
  void ready.then(renewLater);

  return {
    ready,
    async answer(request) {
      const key = keyOf(request);
      if (key === null) return pages.answer(request);
      if (!FRONTS.includes(key)) askedAt.set(key, performance.now());
      const page = cached.get(key);
      return page ? respondCached(page, request) : pages.answer(request);
    },
    end: () => pages.end(),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Null where the answer is for this reader alone. */
function keyOf({ method, target, headers }: BrowserRequest): string | null {
  if ((method !== 'GET' && method !== 'HEAD') || !PATHS.has(target)) return null;
  const cookie = headers.cookie?.join('; ') ?? '';
  if (SESSION.test(cookie)) return null;
  const given = new Headers({ cookie, 'accept-language': headers['accept-language']?.join() ?? '' });
  return `${target} ${readTheme(given)} ${readLanguageCode({ url: target, headers: given })}`;
}

function requestFor(key: string, host: string): BrowserRequest {
  const [target = '/', theme = 'auto', language = ''] = key.split(' ') as [string, Theme, string];
  const cookie = `${theme === 'auto' ? '' : `theme=${theme}; `}language=${language}`;
  const headers = { host: [host], accept: ['text/html'], cookie: [cookie] };
  return { requestId: 'cached-page', method: 'GET', target, headers, body: null, address: '' };
}

/** These pages have no scripts, so no nonce is needed, and the same page has the same bytes. */
async function finish(headers: PageResponse['headers'], html: Uint8Array): Promise<Omit<CachedPage, 'state' | 'madeAt'>> {
  const plain = Buffer.from(
    Buffer.from(html)
      .toString()
      .replace(/ nonce="[^"]*"/g, ''),
  );
  const large = plain.length >= COMPRESS_FROM_BYTES;
  const encoded = await Promise.all(
    (large ? ENCODINGS : []).map(async (encoding) => [encoding, await compress(plain, encoding)] as const),
  );
  const etag = `W/"${hash('sha1', plain, 'base64url')}"`;
  const kept = headers
    .filter(([name]) => !REPLACED.has(name.toLowerCase()))
    .map(([name, value]): [string, string] => [name, value.replace(/ 'nonce-[^']*'/, '')]);
  const own: [string, string][] = [
    ['cache-control', 'private, no-cache'],
    ['vary', PAGES_VARY],
    ['etag', etag],
  ];
  return { etag, headers: [...kept, ...own], plain, encoded: new Map(encoded) };
}

function respondCached({ etag, headers, plain, encoded }: CachedPage, request: BrowserRequest): PageResponse {
  if (matchesTag(request.headers['if-none-match']?.join(), etag)) return { status: 304, headers, body: null };
  const encoding = chooseEncoding(request.headers['accept-encoding']?.join());
  const bytes = encoding === null ? undefined : encoded.get(encoding);
  if (encoding === null || !bytes) return { status: 200, headers, body: plain };
  return { status: 200, headers: [...headers, ['content-encoding', encoding]], body: bytes };
}

const PATHS: ReadonlySet<string> = new Set(['/', '/developers', '/pricing', '/docs', '/docs/errors']);
/** By language. */
const FRONTS: readonly string[] = LANGUAGE_CODES.map((code) => `/ auto ${code}`);
/** Of a cookie with or without the prefix of https (`sign-in/engine.ts`). */
const SESSION = /marquee_session=/;
const REPLACED: ReadonlySet<string> = new Set(['cache-control', 'vary', 'content-encoding', 'content-length']);
const A_MINUTE_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
const MIN_AGE_MS = 5_000;
/** A page that nobody asks for is let go. */
const KEPT_MS = 600_000;
