/** RSS, RDF, Atom and JSON feeds whose items say when something takes place. */

import { addressOf, nextOnHost } from '../api-request.ts';
import { createDateTextReader } from '../fields/date-text/date-text.ts';
import { type ListedOccurrence, nameOccurrences } from '../fields/occurrences.ts';
import type { ReadListing } from '../listing.ts';
import {
  type ListingPage,
  type OutgoingRequest,
  type Provider,
  readingDay,
  type SourceFacts,
  type SourceResponse,
} from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { rejectedReading } from '../read-records.ts';
import { decodeText } from '../reading/decode-text.ts';
import { readItem } from './feed/read-item.ts';
import { readJsonFeed } from './feed/read-json-feed.ts';
import { readXml } from './feed/read-xml.ts';
import { recordOf } from './feed/record-of.ts';

export const feed: Provider = {
  kind: 'feed',
  mapping: 'over',
  keySetting: null,
  request: ({ location }) => feedRequest(addressOf(location).href),
  read: readAnswer,
};

function feedRequest(url: string): OutgoingRequest {
  return {
    url,
    accept:
      'application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml;q=0.9, application/xml;q=0.8, */*;q=0.5',
  };
}

function readAnswer(answer: SourceResponse, source: SourceFacts): ListingPage {
  const text = decodeText(answer);
  if (text.length > MAX_CHARS) throw new ProviderError('too_large', `the feed is larger than ${MAX_CHARS} characters`);
  if (WEB_PAGE.test(text)) throw new ProviderError('not_of_the_kind', 'the response is a web page, not a feed');
  const { items, isCutOff, next } = /^\s*[[{]/.test(text) ? readJsonFeed(text) : readXml(text);
  const bytes = answer.body.length / Math.max(1, items.length);
  const dates = { readText: createDateTextReader(source.locales), today: readingDay(source) };
  const found: ListedOccurrence[] = [];
  const listings: ReadListing[] = [];
  for (const [at, item] of items.entries()) {
    const [index, read] = [at + 1, readItem(item, answer.url, dates)];
    if (read.ok) found.push(...[read.event, ...read.later].map((event) => ({ index, ...read, event })));
    else listings.push(rejectedReading({ index, bytes, record: () => recordOf(item) }, read));
  }
  for (const { index, event } of nameOccurrences(found, answer.url))
    listings.push({ ok: true, index, bytes, listing: { target: 'events', event }, record: () => recordOf(items[index - 1]) });
  listings.sort((a, b) => a.index - b.index);
  if (isCutOff)
    listings.push({
      ok: false,
      index: items.length + 1,
      bytes: 0,
      field: null,
      reason: 'the feed is not read to its end',
      externalId: null,
    });
  const nextUrl = nextOnHost(next, answer.url);
  return { listings, next: nextUrl === null ? [] : [feedRequest(nextUrl)] };
}

const WEB_PAGE = /^\s*<(?:!doctype\s+)?html[\s>]/i;
const MAX_CHARS = 50 * 1024 * 1024;
