/** RSS, RDF, Atom and JSON feeds whose items say when something takes place. */

import { addressOf, nextOnHost } from '../api-request.ts';
import { createDateTextReader } from '../fields/date-text/date-text.ts';
import { isObject } from '../fields/json-fields.ts';
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
import { parseJson } from '../reading/parse-json.ts';
import { type FeedField, type Item, type ParsedFeed, simpleName } from './feed/field.ts';
import { readItem } from './feed/read-item.ts';
import { readXml } from './feed/read-xml.ts';

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

/**
 * JSON Feed 1.0 and 1.1, with the extensions that its §"Extensions" allows: objects whose keys begin with `_`. Throws a `ProviderError`
 * for what is no JSON Feed.
 */
function readJsonFeed(text: string): ParsedFeed {
  const document = parseJson(text);
  if (!isObject(document) || !Array.isArray(document.items))
    throw new ProviderError('not_of_the_kind', 'the document is not an RSS, Atom or JSON feed');
  const items = document.items.slice(0, MAX_ITEMS).map((item) => ({ fields: [...fieldsOf(item)], isCutOff: false }));
  return {
    items,
    isCutOff: items.length < document.items.length,
    next: typeof document.next_url === 'string' ? document.next_url : null,
  };
}

/** What an extension says counts as said by the item itself, in a vocabulary of its own. */
function* fieldsOf(value: unknown, space = 'core', parent = ''): Generator<FeedField> {
  if (!isObject(value)) return;
  for (const [key, each] of Object.entries(value)) {
    for (const listed of Array.isArray(each) ? each : [each]) yield* fieldsOfMember(key, listed, space, parent);
  }
}

function* fieldsOfMember(key: string, listed: unknown, space: string, parent: string): Generator<FeedField> {
  const name = simpleName(key);
  if (isPlain(listed)) yield { space, name, parent, text: String(listed).trim(), attributes: {} };
  else if (key.startsWith('_')) yield* fieldsOf(listed, key, parent);
  else if (parent === '') yield* fieldsOf(listed, space, name);
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/**
 * An item as a mapping finds it: its elements by their simple names. `startdate`, inside another element `location.name`, an attribute
 * `enclosure.url`. What occurs several times is a list.
 */
function recordOf(item: Item | undefined): Readonly<Record<string, unknown>> {
  const said = new Map<string, string[]>();
  const add = (name: string, text: string): void => {
    const texts = said.get(name) ?? [];
    if (text === '') return;
    said.set(name, texts);
    texts.push(text);
  };
  for (const { name, parent, text, attributes } of item?.fields ?? []) {
    const full = parent === '' ? name : `${parent}.${name}`;
    add(full, text);
    for (const [attribute, value] of Object.entries(attributes)) add(`${full}.${attribute.toLowerCase()}`, value.trim());
  }
  return Object.fromEntries([...said].map(([name, texts]) => [name, texts.length === 1 ? texts[0] : texts]));
}

const WEB_PAGE = /^\s*<(?:!doctype\s+)?html[\s>]/i;
const MAX_CHARS = 50 * 1024 * 1024;
const MAX_ITEMS = 20_000;
