/** JSON Feed 1.1 (jsonfeed.org), with the facts of an event in an extension object. */

import { type Form, REFRESH_MINUTES, type ServedEvent } from './model.ts';
import { describeEvent } from './news-text.ts';
import { describeList, formatInstant } from './text.ts';

export const jsonFeed: Form<ServedEvent> = {
  extension: 'feed.json',
  mediaType: 'application/feed+json',
  contentType: 'application/feed+json; charset=utf-8',
  separator: ',\n',

  open(list) {
    const head = JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: list.title,
      home_page_url: list.homeUrl,
      feed_url: list.selfUrl,
      ...(list.pages?.next !== undefined && { next_url: list.pages.next }),
      description: describeList(list),
      language: list.language,
      authors: [{ name: 'Marquee' }],
      _marquee: { refreshMinutes: REFRESH_MINUTES },
    });
    return `${head.slice(0, -1)},"items":[\n`;
  },

  record(record, list) {
    const { event, status, startPrecision, updatedAt } = record;
    const { venue, startDatetime, endDatetime, isFree, priceMin, priceMax } = event;
    return JSON.stringify({
      id: event.id,
      url: event.url,
      title: event.title,
      content_text: describeEvent(record, list).join('\n\n'),
      ...(event.imageUrl !== null && { image: event.imageUrl }),
      date_modified: formatInstant(updatedAt),
      tags: [event.category],
      _marquee: { startDatetime, endDatetime, startPrecision, status, isFree, priceMin, priceMax, venue },
    });
  },

  close: () => '\n]}\n',
};
