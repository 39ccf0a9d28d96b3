/** `/feeds/<token>.<form>`: feeds by secret URL, without a key. The token stands in no log line and no figure: both name the template. */

import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import {
  createTokenLimiter,
  type Feed,
  type FeedForm,
  type FeedReader,
  FeedsUnavailableError,
  isFeedForm,
  type TokenLookup,
} from '../feeds/index.ts';
import {
  COMPRESS_FROM_BYTES,
  chooseEncoding,
  type Encoding,
  matchesTag,
  type Problem,
  type Refuse,
  type RequestHead,
  SerializedHeaders,
} from '../http/index.ts';
import { createFeedDocuments, type FeedDocuments, type FeedDocumentsOptions } from './feed-documents.ts';

export interface FeedUrlRoutesOptions extends FeedDocumentsOptions {
  feeds: Pick<FeedReader, 'open' | 'peek'>;
  /** As `Server.refuse`. */
  refuse: Refuse;
  /** Milliseconds that never step back. */
  monotonic?: () => number;
}

export interface FeedUrlRoutes {
  routes: FastifyPluginCallback;
  /**
   * The header lines of a 304, if all that it needs is known; null where the routes must answer. Counts the request where it gives lines.
   * `path` as sent.
   */
  answerUnchanged(path: string, head: Pick<RequestHead, 'ifNoneMatch' | 'acceptEncoding'>): string | null;
}

export function createFeedUrlRoutes(options: FeedUrlRoutesOptions): FeedUrlRoutes {
  const { feeds, publicUrl, monotonic = () => performance.now() } = options;
  const refuse: Refuse = (request, reply, problem) => options.refuse(request, reply, problem, PRIVATE_HEADERS);
  const documents = createFeedDocuments(options);
  const tokens = createTokenLimiter(monotonic);

  function refuseTooMany(request: FastifyRequest, reply: FastifyReply, seconds: number, what: string): void {
    const detail = `${what}; wait ${seconds} s`;
    refuse(request, reply, { code: 'rate_limit_minute', detail, members: { retryAfterSeconds: seconds } });
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { token, form } = splitFile((request.params as { file: string }).file);
    const lookup = isFeedForm(form) ? await feeds.open(token, form) : UNKNOWN;
    if (lookup.found === 'unknown' || !isFeedForm(form)) {
      const wait = tokens.failed(request.ip);
      if (wait > 0) refuseTooMany(request, reply, wait, 'too many requests with unknown tokens came from this address');
      else refuse(request, reply, NO_FEED);
      return reply;
    }
    const wait = tokens.take(token);
    if (wait > 0) {
      refuseTooMany(request, reply, wait, `this URL allows ${tokens.perMinute} requests a minute`);
      return reply;
    }
    if (lookup.found !== 'open') {
      refuse(request, reply, refusalOf(lookup, publicUrl));
      return reply;
    }
    return sendDocument(request, reply, documents, lookup.feed, form);
  }

  return {
    routes(room, _options, done) {
      room.get(FEED_ROUTE, async (request, reply) => {
        try {
          return await answer(request, reply);
        } catch (error) {
          if (!(error instanceof FeedsUnavailableError)) throw error;
          refuse(request, reply, UNAVAILABLE);
          return reply;
        }
      });
      done();
    },
    answerUnchanged(path, { ifNoneMatch, acceptEncoding }) {
      if (ifNoneMatch === undefined || !path.startsWith(FEED_PREFIX)) return null;
      const { token, form } = splitFile(path.slice(FEED_PREFIX.length));
      if (!isFeedForm(form)) return null;
      const lookup = feeds.peek(token, form);
      if (lookup?.found !== 'open') return null;
      const document = documents.peek(lookup.feed, form, path);
      if (!document) return null;
      const etag = formatTag(document.tag, encodingFor(document.size, acceptEncoding));
      if (!matchesTag(ifNoneMatch, `W/${etag}`) || tokens.take(token) > 0) return null;
      return `${PUBLIC_LINES.text}ETag: ${etag}\r\n`;
    },
  };
}

function refusalOf(lookup: Exclude<TokenLookup, { found: 'open' | 'unknown' }>, publicUrl: () => string): Problem {
  if (lookup.found === 'gone') return GONE;
  const upgradeUrl = `${publicUrl()}/dashboard/plans`;
  if (lookup.tier === null) {
    return { code: 'subscription_inactive', detail: 'the plan of this feed is not active', members: { upgradeUrl } };
  }
  const members = { currentTier: lookup.tier, requiredTier: 'enterprise', upgradeUrl };
  return { code: 'tier_required', detail: 'feeds need the enterprise tier', members };
}

/** A tag is strong, so each encoding has one of its own (RFC 9110 §8.8.1). */
async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  documents: FeedDocuments,
  feed: Feed,
  form: FeedForm,
): Promise<unknown> {
  const { file } = request.params as { file: string };
  const path = `${FEED_PREFIX}${file}`;
  const { size, contentType, tag } = await documents.get(feed, form, path);
  const accepted = request.headers['accept-encoding'];
  const encoding = encodingFor(size, Array.isArray(accepted) ? accepted.join() : accepted);
  const etag = formatTag(tag, encoding);
  reply.headers({ ...PUBLIC_HEADERS, ETag: etag });
  if (matchesTag(request.headers['if-none-match'], `W/${etag}`)) return reply.status(304).send();
  const written = await documents.read(feed, form, path, encoding);
  reply.headers({ ETag: formatTag(written.tag, encoding), 'Content-Type': contentType });
  if (encoding !== null) reply.header('Content-Encoding', encoding);
  return reply.send(written.bytes);
}

const encodingFor = (size: number, accepted: string | undefined): Encoding | null =>
  size > COMPRESS_FROM_BYTES ? chooseEncoding(accepted) : null;

/** `<token>.<form>` */
function splitFile(file: string): { token: string; form: string } {
  const dot = file.indexOf('.');
  return { token: file.slice(0, Math.max(0, dot)), form: file.slice(dot + 1) };
}

const formatTag = (tag: string, encoding: Encoding | null): string => `"${tag}${encoding === null ? '' : `-${encoding}`}"`;

const UNKNOWN = { found: 'unknown' } as const;
const PRIVATE_HEADERS = { 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' } as const;
/**
 * Programs that follow a feed ask every 15 minutes at most. A shared cache asks every minute, so that it learns of a revocation; it may
 * go on for a day while the service does not answer.
 */
const PUBLIC_HEADERS = {
  ...PRIVATE_HEADERS,
  'Cache-Control': 'public, max-age=900, s-maxage=60, stale-if-error=86400',
  Vary: 'Accept-Encoding',
  'Access-Control-Allow-Origin': '*',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
const PUBLIC_LINES = new SerializedHeaders(Object.entries(PUBLIC_HEADERS).flat());
const FEED_PREFIX = '/feeds/';
/** As the log and the figures name it. */
export const FEED_ROUTE = '/feeds/:file';
const NO_FEED: Problem = { code: 'unknown_route', detail: 'this feed does not exist' };
const GONE: Problem = { code: 'gone', detail: 'this URL was revoked; ask its owner for a new URL' };
const UNAVAILABLE: Problem = {
  code: 'dependency_unavailable',
  detail: 'feeds cannot be read right now',
  members: { retryAfterSeconds: 1 },
};
