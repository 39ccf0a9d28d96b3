/** RSS 2.0 of news of our own, such as incidents. */

import { cleanUrl, escapeXml, xmlElement } from './text.ts';

export interface NewsChannel {
  title: string;
  description: string;
  homeUrl: string;
  selfUrl: string;
  /** Milliseconds. */
  updatedAt: number;
  /** The latest first. */
  items: readonly NewsItem[];
}

export interface NewsItem {
  /** Never changes, and no other item has it. */
  id: string;
  title: string;
  url: string;
  /** Milliseconds. */
  at: number;
  /** Plain text; lines become lines. */
  text: string;
}

export function renderNewsRss({ title, description, homeUrl, selfUrl, updatedAt, items }: NewsChannel): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
${xmlElement('title', title)}${xmlElement('link', cleanUrl(homeUrl))}${xmlElement('description', description)}<language>en</language>
${xmlElement('lastBuildDate', formatMoment(updatedAt))}<generator>Marquee</generator>
<atom:link rel="self" type="${RSS_TYPE}" href="${escapeXml(cleanUrl(selfUrl))}"/>
${items.map(renderItem).join('')}</channel>
</rss>
`;
}

function renderItem({ id, title, url, at, text }: NewsItem): string {
  // Readers take the description for HTML.
  const html = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${escapeXml(line)}</p>`)
    .join('');
  return `<item>
${xmlElement('title', title)}${xmlElement('link', cleanUrl(url))}<guid isPermaLink="false">${escapeXml(id)}</guid>
<pubDate>${formatMoment(at)}</pubDate>
${xmlElement('description', html)}</item>
`;
}

/** RFC 822 with four digits of the year, as RSS asks. */
const formatMoment = (milliseconds: number): string => new Date(milliseconds).toUTCString();

export const RSS_TYPE = 'application/rss+xml';
