/** Atom (RFC 4287) with the links of a paged feed (RFC 5005) and GeoRSS points. */

import type { Form, ServedEvent } from './model.ts';
import { describeEvent } from './news-text.ts';
import { cleanText, cleanUrl, describeList, escapeXml, formatInstant, xmlElement } from './text.ts';

export const atom: Form<ServedEvent> = {
  extension: 'atom',
  mediaType: 'application/atom+xml',
  contentType: 'application/atom+xml; charset=utf-8',
  separator: '',

  open(list) {
    const pages = Object.entries(list.pages ?? {}).map(([rel, url]) => link(rel === 'prev' ? 'previous' : rel, url));
    return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss" xml:lang="${escapeXml(list.language)}">
${xmlElement('id', cleanUrl(list.selfUrl))}${xmlElement('title', list.title)}${xmlElement('subtitle', describeList(list))}\
<updated>${formatInstant(list.updatedAt)}</updated>
<generator>Marquee</generator>
<author><name>Marquee</name></author>
${link('self', list.selfUrl)}${link('alternate', list.homeUrl)}${pages.join('')}`;
  },

  record(record, list) {
    const { event, updatedAt } = record;
    const { venue } = event;
    return `<entry>
<id>urn:uuid:${event.id}</id>
${xmlElement('title', event.title)}<updated>${formatInstant(updatedAt)}</updated>
${link('alternate', event.url)}<category term="${escapeXml(event.category)}"/>
${xmlElement('content', describeEvent(record, list).map(cleanText).join('\n\n'), ' type="text"')}\
<georss:point>${venue.latitude} ${venue.longitude}</georss:point>
</entry>
`;
  },

  close: () => '</feed>\n',
};

const link = (rel: string, url: string): string => `<link rel="${rel}" href="${escapeXml(cleanUrl(url))}"/>\n`;
