/** Which pages to ask for after one: those that a sitemap or the links of a page name, on the same host and within limits. */

import { decodeXML } from 'entities';
import { addressOf, isWeb } from '../../api-request.ts';
import type { OutgoingRequest } from '../../provider.ts';
import { refuseEntities } from '../../reading/refuse-entities.ts';

/** Where to begin, and which pages to follow: `https://host/calendar#follow=/event/,/show/`. */
export interface Location {
  /** Without the fragment, which is for us and not sent. */
  address: string;
  /** A page is followed when its path contains one of these; empty follows none, and of a sitemap all. */
  follow: readonly string[];
}

/** Throws a `ProviderError` for what is no address. */
export function readLocation(location: string): Location {
  const url = addressOf(location);
  const follow = (new URLSearchParams(url.hash.slice(1)).get('follow') ?? '').split(',').map((part) => part.trim());
  url.hash = '';
  return { address: url.href, follow: follow.filter((part) => part !== '') };
}

/** A page that may be asked for; robots.txt is asked before. */
export function pageRequest(url: string): OutgoingRequest {
  return { url, accept: 'text/html, application/xhtml+xml, application/xml;q=0.9, application/ld+json;q=0.8', isPage: true };
}

export function isSitemap(text: string): boolean {
  return SITEMAP.test(text.slice(0, SNIFFED_CHARS));
}

/**
 * Sitemaps protocol 0.9: what a sitemap or an index of sitemaps lists. Latest changes first, so that what a limit cuts off is old; of an
 * index, sitemaps with `event` in their name first. Throws a `ProviderError` for XML that nobody should parse.
 */
export function pagesOfSitemap(text: string, at: string, follow: readonly string[]): OutgoingRequest[] {
  refuseEntities(text);
  const isIndex = /<(?:\w+:)?sitemapindex[\s>]/.test(text.slice(0, SNIFFED_CHARS));
  const entries = readEntries(text).map(({ loc, changed }) => ({ loc, changed, isLikely: isIndex && /event/i.test(loc) }));
  entries.sort((a, b) => Number(b.isLikely) - Number(a.isLikely) || b.changed.localeCompare(a.changed, 'en'));
  const wanted = entries.map(({ loc }) => loc).filter((loc) => isIndex || follow.length === 0 || matches(loc, at, follow));
  return requests(wanted, at);
}

/**
 * The links of a page that are to be followed, and the next page of a list. A page whose own path is one of those to follow is an event's
 * page and leads nowhere, unless it is where the source begins: so no page is more than one link away from a list.
 */
export function pagesOfLinks(
  { links, next }: { links: readonly string[]; next: string | null },
  at: { url: string; base: string },
  { address, follow }: Location,
): OutgoingRequest[] {
  if (follow.length === 0 || (matches(at.url, at.url, follow) && !isSamePage(at.url, address))) return [];
  const wanted = links.filter((link) => matches(link, at.base, follow));
  return requests(next === null ? wanted : [...wanted, next], at.base, at.url);
}

/** In their order, each once, without fragments, those of another host left out. */
function requests(links: readonly string[], base: string, from = base): OutgoingRequest[] {
  const found = new Set<string>();
  for (const link of links) {
    if (found.size >= MAX_PAGES) break;
    const url = URL.canParse(link, base) ? new URL(link, base) : null;
    if (url === null || !isSameHost(url, new URL(from))) continue;
    url.hash = '';
    if (!isSamePage(url.href, from)) found.add(url.href);
  }
  return [...found].map(pageRequest);
}

function matches(link: string, base: string, follow: readonly string[]): boolean {
  if (!URL.canParse(link, base)) return false;
  const { pathname, search } = new URL(link, base);
  return follow.some((part) => (pathname + search).includes(part));
}

function isSameHost(a: URL, b: URL): boolean {
  if (!isWeb(a.href) || !isWeb(b.href)) return false;
  return bareHost(a) === bareHost(b) && a.username === '' && a.password === '';
}

/** Whether the two differ in no more than the scheme, `www.`, a slash at the end and the fragment. */
function isSamePage(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => {
    const url = new URL(text);
    return `${bareHost(url)}${url.pathname.replace(/\/$/, '')}${url.search}`;
  });
  return one === other;
}

const bareHost = (url: URL): string => url.host.replace(/^www\./, '');

/** An entry ends where the next begins: that needs no tree, which could be made too deep. */
function readEntries(xml: string): { loc: string; changed: string }[] {
  const [, ...entries] = xml.split(ENTRY, MAX_ENTRIES + 1);
  return entries.flatMap((entry) => {
    const [loc, changed] = [LOC, LASTMOD].map((element) => element.exec(entry)?.[1]?.trim() ?? '');
    return loc ? [{ loc: decodeXML(loc.replace(CDATA, '$1').trim()), changed: changed ?? '' }] : [];
  });
}

const ENTRY = /<(?:\w+:)?(?:url|sitemap)(?=[\s>])/;
const LOC = /<(?:\w+:)?loc>([\s\S]*?)<\/(?:\w+:)?loc>/;
const LASTMOD = /<(?:\w+:)?lastmod>([^<]*)</;
const CDATA = /^<!\[CDATA\[([\s\S]*)\]\]>$/;
const SITEMAP = /<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/;
const SNIFFED_CHARS = 2_000;
/** That one answer may lead to. The run that follows them has a limit of its own. */
const MAX_PAGES = 500;
/** Sitemaps protocol 0.9: a sitemap lists 50 000 addresses at most. */
const MAX_ENTRIES = 50_000;
