/** The script, the events of an embed, its page and its oEmbed answer. Without a key, limited per network. */

import { hash } from 'node:crypto';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import { type Problem, type Refuse, type SentBytes, sendBytes } from '../http/index.ts';
import type { Log } from '../log.ts';
import type { SearchReader } from '../search/index.ts';
import type { Database } from '../store/index.ts';
import { readElementScript } from './element-script.ts';
import { CORS, createEmbedAccess } from './embed-access.ts';
import { writeEmbedPage, writeGonePage } from './embed-page.ts';
import { createEmbedSource } from './embed-source.ts';
import type { Embed } from './embeds.ts';
import { describeEmbed, describeRecord, readOembedTarget } from './oembed.ts';
import { SCRIPT_PATH } from './snippets.ts';

export interface EmbedRoutesOptions {
  db: Kysely<Database>;
  search: SearchReader;
  /** Directory time, milliseconds. */
  now: Clock;
  /** Without a trailing slash. */
  publicUrl: () => string;
  log: Log;
  /** As `Server.refuse`. */
  refuse: Refuse;
  /** Milliseconds that never step back. */
  monotonic?: Clock;
}

export function createEmbedRoutes(options: EmbedRoutesOptions): FastifyPluginCallback {
  const { search, now, publicUrl, refuse, monotonic = () => performance.now() } = options;
  const source = createEmbedSource(options, monotonic);
  const { findEmbed, isOverLimit } = createEmbedAccess({ source, refuse, monotonic });
  const script = loadScript();

  async function answerEvents(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (isOverLimit(request, reply)) return reply;
    const embed = await findEmbed(request, reply, (request.params as { id: string }).id);
    if (embed === null) refuse(request, reply, NO_EMBED, CORS);
    if (!embed) return reply;
    const allowed = originHeaders(embed, request.headers.origin, publicUrl());
    if (!allowed) {
      refuse(request, reply, FOREIGN_SITE);
      return reply;
    }
    const { body, tag } = await source.documentOf(embed);
    const headers = { ...allowed, 'Cache-Control': 'public, max-age=60, stale-if-error=86400', 'Content-Type': JSON_TYPE };
    return await sendBytes(request, reply, { bytes: Buffer.from(body), tag, headers });
  }

  async function answerPage(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (isOverLimit(request, reply)) return reply;
    const { id } = request.params as { id: string };
    const embed = await findEmbed(request, reply, id);
    if (embed === undefined) return reply;
    const [, lang = null] = /[?&]lang=(en|de|fr|es)(?:&|$)/.exec(request.url) ?? [];
    const { html, policy } = embed ? writeEmbedPage(embed, publicUrl(), lang) : writeGonePage(publicUrl());
    if (!embed) reply.status(404);
    const bytes = Buffer.from(html);
    const cache = embed ? 'public, max-age=300' : 'no-store';
    const headers = {
      ...{ 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy, 'Cache-Control': cache },
      ...{ 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' },
    };
    return await sendBytes(request, reply, { bytes, tag: hash('sha256', html, 'base64url'), headers });
  }

  /** Undefined: refused already. Null: nothing that can be shown. */
  async function describeTarget(request: FastifyRequest, reply: FastifyReply): Promise<object | null | undefined> {
    const { url = '', maxwidth, maxheight } = request.query as Record<string, string | undefined>;
    const target = readOembedTarget(String(url), publicUrl());
    const snapshot = search.current();
    if (!target) return null;
    if (target.kind !== 'embed') return describeRecord(target.kind, target.slug, snapshot, now(), publicUrl());
    const embed = await findEmbed(request, reply, target.id);
    const size = { maxWidth: readSize(maxwidth), maxHeight: readSize(maxheight) };
    return embed && describeEmbed(embed, snapshot.city.name, publicUrl(), size);
  }

  async function answerOembed(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (isOverLimit(request, reply)) return reply;
    const { format = 'json' } = request.query as { format?: string };
    if (format !== 'json') return reply.status(501).headers(CORS).send();
    const found = await describeTarget(request, reply);
    if (found === null) refuse(request, reply, NO_OEMBED, CORS);
    if (!found) return reply;
    return reply
      .headers({ ...CORS, 'Cache-Control': 'public, max-age=3600', 'Content-Type': JSON_TYPE })
      .send(JSON.stringify(found));
  }

  return (app, _options, done) => {
    app.get(SCRIPT_PATH, async (request, reply) => {
      return await sendBytes(request, reply, { ...(await script), headers: SCRIPT_HEADERS });
    });
    app.get('/embed/v1/:id.json', answerEvents);
    app.get('/embed/:id', answerPage);
    app.get('/oembed', answerOembed);
    done();
  };
}

/** Null: another site than those that may show it. */
function originHeaders({ origins }: Embed, origin: string | undefined, publicUrl: string): Record<string, string> | null {
  if (origins.length === 0) return CORS;
  if (origin === undefined) return { ...CORS, 'Access-Control-Allow-Origin': publicUrl, Vary: 'Origin' };
  if (!origins.includes(origin) && origin !== new URL(publicUrl).origin) return null;
  return { ...CORS, 'Access-Control-Allow-Origin': origin, Vary: 'Origin' };
}

async function loadScript(): Promise<Omit<SentBytes, 'headers'>> {
  const bytes = Buffer.from(await readElementScript());
  return { bytes, tag: hash('sha256', bytes, 'base64url'), compressed: new Map() };
}

const readSize = (text: string | undefined): number | null => (/^\d{1,5}$/.test(text ?? '') ? Math.max(1, Number(text)) : null);

const SCRIPT_HEADERS = {
  ...CORS,
  'Content-Type': 'text/javascript; charset=utf-8',
  // The number in its path changes with what pages rely on; corrections arrive within a week.
  'Cache-Control': 'public, max-age=604800, stale-while-revalidate=604800',
};
const JSON_TYPE = 'application/json; charset=utf-8';
const NO_EMBED: Problem = { code: 'not_found', detail: 'this embed does not exist' };
const NO_OEMBED: Problem = { code: 'not_found', detail: 'url must be the address of an embed, an event or a venue of this site' };
const FOREIGN_SITE: Problem = { code: 'not_found', detail: 'this embed is not for the site that asks' };
