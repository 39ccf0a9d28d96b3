/** The script, the events of an embed, its page and its oEmbed answer. Without a key, limited per network. */

import { hash } from 'node:crypto';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { type Problem, type Refuse, type SentBytes, sendBytes } from '../http/index.ts';
import type { Snapshot } from '../search/index.ts';
import { createEmbedSource, createNetworkLimit, type EmbedSource, type EmbedSourceOptions } from './embed-source.ts';
import { type Embed, isSite } from './embeds.ts';
import { escapeHtml, HEIGHT, iframeOf, readElementScript, SCRIPT_PATH } from './snippets.ts';

interface EmbedRoutesOptions extends EmbedSourceOptions {
  /** As `Server.refuse`. */
  refuse: Refuse;
  /** Milliseconds that never step back. */
  monotonic?: Clock;
}

export function createEmbedRoutes(options: EmbedRoutesOptions): FastifyPluginCallback {
  const { search, now, publicUrl, refuse, monotonic = () => performance.now() } = options;
  const source = createEmbedSource(options, monotonic);
  const { findEmbed, isOverLimit } = createEmbedAccess(source, refuse, monotonic);
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

/** Who may ask for embeds, and how often: every network has a limit, and a lower one for embeds that do not exist. */
function createEmbedAccess(source: EmbedSource, refuse: Refuse, monotonic: Clock) {
  const requests = createNetworkLimit(monotonic, PER_MINUTE);

  return {
    /** Undefined: refused already. Null: there is none. */
    async findEmbed(request: FastifyRequest, reply: FastifyReply, id: string): Promise<Embed | null | undefined> {
      const { embed, wait } = await source.find(id, request.ip);
      if (wait === 0) return embed;
      refuse(request, reply, tooOften(wait, 'this network asked for too many embeds that do not exist'), CORS);
      return undefined;
    },

    /** True: refused already. */
    isOverLimit(request: FastifyRequest, reply: FastifyReply): boolean {
      const wait = requests.waitOf(request.ip);
      if (wait === 0) requests.add(request.ip);
      else refuse(request, reply, tooOften(wait, `this network allows ${PER_MINUTE} requests a minute`), CORS);
      return wait > 0;
    },
  };
}

function tooOften(wait: number, why: string): Problem {
  return { code: 'rate_limit_minute', detail: `${why}; wait ${wait} s`, members: { retryAfterSeconds: wait } };
}

/* The page for an iframe: the element alone, as high as its frame. */

interface EmbedPage {
  html: string;
  policy: string;
}

/** `lang`: what the frame's address asks for, or nothing. */
function writeEmbedPage({ id, name, origins }: Embed, publicUrl: string, lang: string | null): EmbedPage {
  const title = escapeHtml(name);
  const oembed = `${publicUrl}/oembed?url=${encodeURIComponent(`${publicUrl}/embed/${id}`)}&amp;format=json`;
  const language = lang === null ? '' : ` lang="${lang}"`;
  const html = `<!doctype html>
<html lang="${lang ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="alternate" type="application/json+oembed" href="${oembed}" title="${title}">
<style>${STYLE}</style>
<script src="${SCRIPT_PATH}" async></script>
</head>
<body>
<main><marquee-events embed="${id}"${language}><a href="${publicUrl}/events" target="_blank" rel="noopener">${title}</a></marquee-events></main>
</body>
</html>
`;
  const ancestors = origins.length === 0 ? '*' : ["'self'", ...origins.filter(isSite)].join(' ');
  return { html, policy: [...POLICY, `frame-ancestors ${ancestors}`].join('; ') };
}

/** Of one that is gone: said where its events stood. */
function writeGonePage(publicUrl: string): EmbedPage {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>This list is no longer here</title><style>${STYLE}</style></head>
<body><main><p>This list of events is no longer here. <a href="${publicUrl}/" target="_blank" rel="noopener">See what’s on</a></p></main></body>
</html>
`;
  return { html, policy: [...POLICY, 'frame-ancestors *'].join('; ') };
}

/* oEmbed 1.0 (https://oembed.com): what sites show for an address of ours. */

type OembedTarget = { kind: 'embed'; id: string } | { kind: 'event' | 'venue'; slug: string };

/** Null: no address that can be shown. `publicUrl` without a trailing slash. */
function readOembedTarget(url: string, publicUrl: string): OembedTarget | null {
  const asked = URL.parse(url);
  if (!asked || asked.origin !== new URL(publicUrl).origin) return null;
  const [, kind, name] = /^\/(embed|events|venues)\/([\w-]+)\/?$/.exec(asked.pathname) ?? [];
  if (name === undefined) return null;
  return kind === 'embed' ? { kind, id: name } : { kind: kind === 'events' ? 'event' : 'venue', slug: name };
}

function describeEmbed(
  embed: Embed,
  city: string,
  publicUrl: string,
  size: { maxWidth: number | null; maxHeight: number | null },
) {
  const width = Math.min(WIDTH, size.maxWidth ?? WIDTH);
  const height = Math.min(HEIGHT, size.maxHeight ?? HEIGHT);
  const html = iframeOf(embed, publicUrl, { width, height });
  return { ...facts(embed.name, city, publicUrl), type: 'rich', html, width, height };
}

/** A link with a title; null for a record that is not published. */
function describeRecord(kind: 'event' | 'venue', slug: string, snapshot: Snapshot, now: number, publicUrl: string) {
  const item = kind === 'event' ? snapshot.eventBySlug(slug) : snapshot.venueBySlug(slug);
  if (item === null) return null;
  const bytes =
    kind === 'event' ? snapshot.writeEvents([item], 'list', '', '') : snapshot.writeVenues([item], 'list', now, '', '');
  const { title, name, url } = JSON.parse(bytes.toString()) as { title?: string; name?: string; url: string };
  return { ...facts(title ?? name ?? '', snapshot.city.name, publicUrl), type: 'link', url };
}

const facts = (title: string, city: string, publicUrl: string) => ({
  version: '1.0',
  title,
  provider_name: `Events in ${city}`,
  provider_url: publicUrl,
  cache_age: 3600,
});

const WIDTH = 600;
/** Any site may read the answer. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Robots-Tag': 'noindex',
} as const;
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
/** Of one network. */
const PER_MINUTE = 120;
const STYLE =
  'html,body,main{height:100%;margin:0}body{font:15px/1.45 system-ui,sans-serif;color-scheme:light dark}marquee-events{--marquee-height:100%;display:block}p{margin:0;padding:32px;text-align:center}';
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
];
