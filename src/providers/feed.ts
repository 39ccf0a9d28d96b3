/** RSS, RDF, Atom and JSON feeds whose items say when something takes place. */

import { addressOf, isWeb } from './api-request.ts';
import { decodeText } from './decode-text.ts';
import { readItem } from './feed/read-item.ts';
import { readJsonFeed } from './feed/read-json-feed.ts';
import { readXml } from './feed/read-xml.ts';
import type { ReadListing } from './listing.ts';
import { nameOccurrences, type Occurrence } from './occurrences.ts';
import type { Answer, OutgoingRequest, Page, Provider } from './provider.ts';
import { ProviderError } from './provider-error.ts';

export const feed: Provider = {
  kind: 'feed',
  mapping: 'none',
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

function readAnswer(answer: Answer): Page {
  const text = decodeText(answer);
  if (text.length > MOST_CHARS) throw new ProviderError('too_large', `the feed is larger than ${MOST_CHARS} characters`);
  if (WEB_PAGE.test(text)) throw new ProviderError('not_of_the_kind', 'the answer is a web page and no feed');
  const { items, isCutOff, next } = /^\s*[[{]/.test(text) ? readJsonFeed(text) : readXml(text);
  const found: Occurrence[] = [];
  const refusals: { field: string | null; reason: string; externalId: string | null }[] = [];
  for (const item of items) {
    const read = readItem(item, answer.url);
    if (read.ok) found.push(read);
    else refusals.push({ field: read.field, reason: read.reason, externalId: read.id });
  }
  if (isCutOff) refusals.push({ field: null, reason: 'the feed is not read to its end', externalId: null });
  const events = nameOccurrences(found, answer.url);
  const bytes = answer.body.length / Math.max(1, events.length + refusals.length);
  const listings = [
    ...events.map((event, at): ReadListing => ({ ok: true, index: at + 1, bytes, listing: { target: 'events', event } })),
    ...refusals.map((refusal, at): ReadListing => ({ ok: false, index: events.length + at + 1, bytes, ...refusal })),
  ];
  return { listings, next: nextPage(next, answer.url) };
}

/** On the same host and no other. */
function nextPage(next: string | null, at: string): OutgoingRequest[] {
  if (next === null || !isWeb(at) || !URL.canParse(next, at)) return [];
  const url = new URL(next, at);
  return url.origin === new URL(at).origin && url.href !== at ? [feedRequest(url.href)] : [];
}

const WEB_PAGE = /^\s*<(?:!doctype\s+)?html[\s>]/i;
const MOST_CHARS = 50 * 1024 * 1024;
