/** RSS 2.0: events, with Atom's link to the document itself, GeoRSS points and the event module (start, end, place); and news of our own. */

import { DAY_CHARS, lastDayOf } from '../../values/duration.ts';
import { type Form, REFRESH_MINUTES, type ServedEvent } from './model.ts';
import { describeEvent, formatGeorss } from './news-text.ts';
import { cleanUrl, describeList, escapeXml, xmlElement } from './text.ts';

export const rss: Form<ServedEvent> = {
  extension: 'rss',
  mediaType: 'application/rss+xml',
  contentType: 'application/rss+xml; charset=utf-8',
  separator: '',

  open: (list) =>
    `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss" xmlns:ev="http://purl.org/rss/1.0/modules/event/">
<channel>
${xmlElement('title', list.title)}${xmlElement('link', cleanUrl(list.homeUrl))}${xmlElement('description', describeList(list))}\
${xmlElement('language', list.language)}${xmlElement('lastBuildDate', formatMoment(list.updatedAt))}<ttl>${REFRESH_MINUTES}</ttl>
<generator>Marquee</generator>
<atom:link rel="self" type="application/rss+xml" href="${escapeXml(cleanUrl(list.selfUrl))}"/>
${Object.entries(list.pages ?? {})
  .map(([rel, url]) => `<atom:link rel="${rel === 'prev' ? 'previous' : rel}" href="${escapeXml(cleanUrl(url))}"/>\n`)
  .join('')}`,

  record(record, list) {
    const { event, updatedAt } = record;
    const { venue } = event;
    const { start, end } = timesOf(record);
    // Readers take the description for HTML.
    const description = describeEvent(record, list)
      .map((line) => `<p>${escapeXml(line).replaceAll('\n', '<br>')}</p>`)
      .join('');
    return `<item>
${xmlElement('title', event.title)}${xmlElement('link', cleanUrl(event.url))}<guid isPermaLink="false">urn:uuid:${event.id}</guid>
<pubDate>${formatMoment(updatedAt)}</pubDate>
${xmlElement('category', event.category)}${xmlElement('description', description)}${xmlElement('ev:startdate', start)}\
${xmlElement('ev:enddate', end)}${xmlElement('ev:location', venue.name)}${formatGeorss(record)}</item>
`;
  },

  close: () => '</channel>\n</rss>\n',
};

/** Days alone where the hour is unknown, as the module allows (W3C-DTF). */
function timesOf({ event: { startDatetime: start, endDatetime: end }, startPrecision }: ServedEvent) {
  if (startPrecision === 'time') return { start, end };
  return { start: start.slice(0, DAY_CHARS), end: end === null ? null : lastDayOf(end) };
}

/** RFC 822 with four digits of the year, as RSS asks. */
const formatMoment = (milliseconds: number): string => new Date(milliseconds).toUTCString();

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

/** News of our own, such as incidents. */
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

export const RSS_TYPE = 'application/rss+xml';
