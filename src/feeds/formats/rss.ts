/** RSS 2.0 with Atom's link to itself, GeoRSS points and the event module (start, end, place). */

import { DAY_CHARS, lastDayOf } from '../../values/duration.ts';
import { type Form, REFRESH_MINUTES, type ServedEvent } from './model.ts';
import { describeEvent } from './news-text.ts';
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
${xmlElement('ev:enddate', end)}${xmlElement('ev:location', venue.name)}<georss:point>${venue.latitude} ${venue.longitude}</georss:point>
</item>
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
