/** The site for crawlers: every page of the city that anybody may read, and nothing else. Events and venues are those that the API lists. */

import { CATEGORIES, VENUE_TYPES } from '../../records/index.ts';
import type { Snapshot } from '../../search/index.ts';

export interface SitemapPage {
  url: string;
  /** Milliseconds. */
  changedAt?: number;
}

export interface Sitemaps {
  /** Names of the files, such as `events-1`. */
  names: string[];
  /** Null for a name that is not among them. */
  read(name: string): SitemapPage[] | null;
}

/** Nothing is written before it is read. `publicUrl` without a trailing slash; `now`: directory time, milliseconds. */
export function listSitemaps(snapshot: Snapshot, publicUrl: string, now: number): Sitemaps {
  const eventFiles = filesOf(snapshot.events({ from: now, to: Number.POSITIVE_INFINITY, limit: 1, offset: 0 }).total);
  const venueFiles = filesOf(snapshot.venues({ limit: 1, offset: 0 }, now).total);
  const names = ['pages', ...numbered('events', eventFiles), ...numbered('venues', venueFiles)];
  return {
    names,
    read(name) {
      if (!names.includes(name)) return null;
      const [kind, number = '1'] = name.split('-');
      const page = { limit: MAX_PAGES, offset: (Number(number) - 1) * MAX_PAGES };
      if (kind === 'events') return readEvents(snapshot, publicUrl, page, now);
      return kind === 'venues' ? readVenues(snapshot, publicUrl, page, now) : readPages(snapshot, publicUrl, now);
    },
  };
}

interface PageOfRecords {
  limit: number;
  offset: number;
}

function readEvents(snapshot: Snapshot, publicUrl: string, page: PageOfRecords, now: number): SitemapPage[] {
  const { items } = snapshot.events({ from: now, to: Number.POSITIVE_INFINITY, ...page });
  return items.map((item) => ({
    url: `${publicUrl}/events/${snapshot.slug('event', item)}`,
    changedAt: snapshot.lifecycle(item).updatedAt,
  }));
}

function readVenues(snapshot: Snapshot, publicUrl: string, page: PageOfRecords, now: number): SitemapPage[] {
  const { items } = snapshot.venues(page, now);
  return items.map((item) => ({ url: `${publicUrl}/venues/${snapshot.slug('venue', item)}` }));
}

function readPages(snapshot: Snapshot, publicUrl: string, now: number): SitemapPage[] {
  const neighborhoods = snapshot.neighborhoods(now).items.map(({ slug }) => `/neighborhoods/${slug}`);
  const categories = CATEGORIES.map((category) => `/events/${category}`);
  const types = VENUE_TYPES.map((type) => `/venues/${type}`);
  return [...FIXED_PAGES, ...categories, ...types, ...neighborhoods].map((path) => ({ url: publicUrl + path }));
}

const filesOf = (total: number): number => Math.ceil(total / MAX_PAGES);
const numbered = (kind: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${kind}-${at + 1}`);

export const writeSitemapIndex = (names: readonly string[], publicUrl: string): string =>
  `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${names.map((name) => `<sitemap><loc>${escapeXml(`${publicUrl}/sitemaps/${name}.xml`)}</loc></sitemap>`).join('\n')}\n</sitemapindex>\n`;

export function writeSitemap(pages: readonly SitemapPage[]): string {
  const lines = pages.map(({ url, changedAt }) => {
    const changed = changedAt === undefined ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`;
    return `<url><loc>${escapeXml(url)}</loc>${changed}</url>`;
  });
  return `${HEAD}<urlset xmlns="${NAMESPACE}">\n${lines.join('\n')}\n</urlset>\n`;
}

const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
/** The standard allows 50,000; a file of this size is written within a tenth of a second. */
const MAX_PAGES = 10_000;
const FIXED_PAGES = [
  '/',
  '/events',
  '/events/today',
  '/events/tonight',
  '/events/tomorrow',
  '/events/this-weekend',
  '/venues',
  '/neighborhoods',
  '/developers',
  '/pricing',
  '/playground',
  '/docs',
  '/docs/errors',
  '/docs/webhooks',
  '/docs/test-keys',
  '/docs/deprecation',
  '/changelog',
  '/status',
  '/data-quality',
];
