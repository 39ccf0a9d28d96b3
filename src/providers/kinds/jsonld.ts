/** Events that web pages describe to machines: schema.org Event as JSON-LD, microdata or RDFa. One page, or the pages that it or a sitemap lists. */

import { decodeHTML } from 'entities';
import { type ListedOccurrence, nameOccurrences } from '../fields/occurrences.ts';
import { webAddress } from '../fields/web-address.ts';
import type { ReadListing } from '../listing.ts';
import type { ListingPage, Provider, SourceFacts, SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { rejectedReading } from '../read-records.ts';
import { decodeText } from '../reading/decode-text.ts';
import { parseJson } from '../reading/parse-json.ts';
import { READER_LIMITS } from '../reading/reader-limits.ts';
import { findEvents } from './jsonld/find-events.ts';
import { isSitemap, pageRequest, pagesOfLinks, pagesOfSitemap, readLocation } from './jsonld/find-pages.ts';
import { MICRODATA, RDFA } from './jsonld/item-builder.ts';
import { createGraph } from './jsonld/node.ts';
import { readEvent } from './jsonld/read-event.ts';
import { readItems } from './jsonld/read-items.ts';
import { type JsonFlaw, recoverJson } from './jsonld/recover-json.ts';
import { walkTags } from './jsonld/walk-tags.ts';

export const jsonld: Provider = {
  kind: 'jsonld',
  mapping: 'over',
  keySetting: null,
  request: (source) => pageRequest(readLocation(source.location).address),
  read: readAnswer,
};

function readAnswer(answer: SourceResponse, source: SourceFacts): ListingPage {
  const text = decodeText(answer);
  if (text.length > MAX_PAGE_CHARS) throw new ProviderError('too_large', `the page is larger than ${MAX_PAGE_CHARS} characters`);
  const location = readLocation(source.location);
  if (isSitemap(text)) return { listings: [], next: pagesOfSitemap(text, answer.url, location.follow) };
  // Some sites offer the JSON-LD as a document of its own.
  if (/^\s*[[{]/.test(text)) {
    const read = readScripts([text], { url: answer.url, base: answer.url }, source);
    return { listings: withRefusals(read, read.refusals), next: [] };
  }
  if (!/<[a-z!]/i.test(text)) throw new ProviderError('not_of_the_kind', 'the response is not a web page');
  const page = readPage(text);
  const base = page.base !== null && URL.canParse(page.base, answer.url) ? new URL(page.base, answer.url).href : answer.url;
  const at = { url: answer.url, base };
  const next = pagesOfLinks(page, at, location);
  const scripts = readScripts(page.scripts, at, source);
  const items = scripts.count === 0 ? readAllItems(text, at, source) : null;
  const reasons = [...scripts.refusals];
  if (page.isCutOff) reasons.push('the page ends within a script');
  // A list whose pages are followed has its events there.
  if (items?.count === 0 && items.hasMicroformat && next.length === 0) reasons.push(MICROFORMAT);
  return { listings: withRefusals(items ?? scripts, reasons), next };
}

/** Every script counts alone: a bad one is a refused record, and the others are read. References lead from one to another. */
function readScripts(scripts: readonly string[], at: PageAddress, source: SourceFacts): ListedEvents & { refusals: string[] } {
  const { documents, refusals } = parseScripts(scripts);
  const size = scripts.reduce((sum, { length }) => sum + length, 0);
  return { ...listEvents(documents, size, at, source), refusals };
}

/** Of a page without events as JSON-LD: those of its microdata, else of its RDFa. */
function readAllItems(text: string, at: PageAddress, source: SourceFacts): ListedEvents & { hasMicroformat: boolean } {
  const none = { listings: [], count: 0, hasMicroformat: false };
  if (!HAS_ITEMS.test(text)) return none;
  return [MICRODATA, RDFA].reduce<ReturnType<typeof readAllItems>>((found, syntax) => {
    if (found.count > 0) return found;
    const { nodes, hasMicroformat } = readItems(text, syntax);
    return { ...listEvents(nodes, text.length, at, source), hasMicroformat };
  }, none);
}

function withRefusals({ listings, count }: ListedEvents, reasons: readonly string[]): ReadListing[] {
  const refusals = reasons.map((reason, at): ReadListing => {
    return { ok: false, index: count + at + 1, bytes: 0, field: null, reason, externalId: null };
  });
  return [...listings, ...refusals];
}

function parseScripts(scripts: readonly string[]): { documents: unknown[]; refusals: string[] } {
  const documents: unknown[] = [];
  const refusals: string[] = [];
  if (scripts.length > MAX_SCRIPTS)
    refusals.push(`the page has ${scripts.length} JSON-LD scripts, of which ${MAX_SCRIPTS} were read`);
  for (const [at, script] of scripts.slice(0, MAX_SCRIPTS).entries()) {
    if (script.length > MAX_SCRIPT_CHARS) {
      refusals.push(`script ${at + 1} is larger than ${MAX_SCRIPT_CHARS} characters`);
      continue;
    }
    try {
      if (script.trim() === '') continue;
      const parsed = parseScript(script);
      documents.push(...parsed.documents);
      refusals.push(...parsed.flaws.map((flaw) => `script ${at + 1}: ${flaw}`));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      refusals.push(`script ${at + 1}: ${error.message}`);
    }
  }
  return { documents, refusals };
}

interface PageAddress {
  url: string;
  /** What relative addresses are relative to. */
  base: string;
}

interface ListedEvents {
  listings: ReadListing[];
  /** Of events, listed or not. */
  count: number;
}

/**
 * The events among the nodes of a page as listings. `size` in characters is shared out among the events. Throws a `ProviderError` for more
 * times than a response may give.
 */
function listEvents(documents: readonly unknown[], size: number, { url, base }: PageAddress, source: SourceFacts): ListedEvents {
  const graph = createGraph(documents);
  const events = findEvents(documents, graph);
  const bytes = size / Math.max(1, events.length);
  const listings: ReadListing[] = [];
  const found: ListedOccurrence[] = [];
  for (const [at, each] of events.entries()) {
    const [index, read] = [at + 1, readEvent(each, graph, base, source)];
    if (read.length === 0) listings.push({ ok: 'dropped', index, bytes });
    for (const part of read) {
      if (part.ok) found.push({ index, ...part });
      else listings.push(rejectedReading({ index, bytes, record: () => each.node }, part));
    }
    if (found.length > READER_LIMITS.listings)
      throw new ProviderError('too_large', `the page gives more than ${READER_LIMITS.listings} times of events`);
  }
  const named = nameOccurrences(found, url);
  // A page about one event is that event's page.
  const alone = named.length === 1 ? webAddress(url) : null;
  for (const { index, event } of named)
    listings.push({
      ...{ ok: true, index, bytes, listing: { target: 'events', event: { ...event, url: event.url ?? alone } } },
      record: () => events[index - 1]?.node,
    });
  return { listings: listings.sort((a, b) => a.index - b.index), count: events.length };
}

interface WebPage {
  /** Contents of `<script type="application/ld+json">`, in their order. */
  scripts: string[];
  /** Whether the page ends inside such a script; what there is of it is not in `scripts`. */
  isCutOff: boolean;
  /** Of `<base href>`, as written. */
  base: string | null;
  /** Of `<a href>`, as written, at most 20 000. */
  links: string[];
  /** Of the link with `rel=next`, as written. */
  next: string | null;
}

/**
 * What a page made for people says to machines: its JSON-LD scripts and its links. What is in a comment or in another raw text element is
 * no script.
 */
export function readPage(html: string): WebPage {
  const page: WebPage = { scripts: [], isCutOff: false, base: null, links: [], next: null };
  let script: string | null = null;
  walkTags(html, {
    wants: (tag) => WANTED.has(tag),
    open(tag, attributes) {
      if (tag === 'script' && JSON_LD.test(attributes.get('type') ?? '')) script = '';
      noteAddress(page, tag, attributes);
    },
    text(piece) {
      if (script !== null) script += piece;
    },
    close() {
      if (script !== null) page.scripts.push(script);
      script = null;
    },
  });
  page.isCutOff = script !== null;
  return page;
}

function noteAddress(page: WebPage, tag: string, attributes: ReadonlyMap<string, string>): void {
  const href = attributes.get('href');
  if (href === undefined) return;
  if (tag === 'base') page.base ??= href;
  if ((tag === 'a' || tag === 'link') && /(?:^|\s)next(?:\s|$)/i.test(attributes.get('rel') ?? '')) page.next ??= href;
  else if (tag === 'a' && page.links.length < MAX_LINKS) page.links.push(href);
}

interface ParsedScript {
  documents: unknown[];
  /** What could not be read, and where. */
  flaws: string[];
}

/** The text of a JSON-LD script into its values. Throws a `ProviderError` for a script that is nested too deep. */
export function parseScript(text: string): ParsedScript {
  try {
    return { documents: unwrap(parseJson(text)), flaws: [] };
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== 'not_of_the_kind') throw error;
    return recover(plainQuotes(text));
  }
}

/** A template that was made JSON twice is a text of JSON. */
function unwrap(value: unknown): unknown[] {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return [value];
  try {
    return [parseJson(value)];
  } catch (error) {
    if (error instanceof ProviderError) return [value];
    throw error;
  }
}

function recover(text: string): ParsedScript {
  const { texts, flaws } = recoverJson(text);
  const described = flaws.slice(0, MAX_FLAWS).map((flaw) => describe(text, flaw));
  const more = flaws.length - described.length;
  return {
    documents: texts.flatMap((each) => unwrap(parseJson(each))),
    flaws: more === 0 ? described : [...described, `the document is not JSON in ${more} more places`],
  };
}

/** Quotes that an editor has escaped for HTML, or made beautiful. They count where the first name is in such quotes. */
function plainQuotes(text: string): string {
  if (ESCAPED.test(text)) return decodeHTML(text);
  return CURLY.test(text) ? text.replace(/[\u201c-\u201f\u2033]/g, '"') : text;
}

function describe(text: string, { at, wanted }: JsonFlaw): string {
  const before = text.slice(0, at).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  const got = at >= text.length ? 'the end' : JSON.stringify(text.slice(at, at + MAX_PRINTED).replace(/\p{Cc}/gu, ' '));
  return `the document is not JSON: wanted ${wanted}, got ${got} at ${place}`;
}

const MICROFORMAT =
  'the page describes its events as a microformat (h-event), which the kind `microformats` reads: wanted JSON-LD, microdata or RDFa of schema.org';
const HAS_ITEMS = /\bitemscope\b|\btypeof\b|\bh-event\b|\bvevent\b/i;
const MAX_PAGE_CHARS = 20 * 1024 * 1024;
const MAX_SCRIPTS = 50;
const MAX_SCRIPT_CHARS = 1024 * 1024;
const JSON_LD = /^\s*application\/ld\+json\s*(?:;|$)/i;
/** Elements whose attributes are looked at. */
const WANTED: ReadonlySet<string> = new Set(['script', 'base', 'a', 'link']);
const MAX_LINKS = 20_000;
const ESCAPED = /^[\s[{]*&(?:quot|#0?34|#x22);/i;
const CURLY = /^[\s[{]*[\u201c-\u201f\u2033]/;
const MAX_FLAWS = 20;
const MAX_PRINTED = 30;
