/** Events that web pages describe to machines: schema.org Event as JSON-LD in HTML. One page, or the pages that it or a sitemap lists. */

import { type ListedOccurrence, nameOccurrences } from '../fields/occurrences.ts';
import { webAddress } from '../fields/web-address.ts';
import type { ReadListing } from '../listing.ts';
import type { ListingPage, Provider, SourceFacts, SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { decodeText } from '../reading/decode-text.ts';
import { READER_LIMITS } from '../reading/reader-limits.ts';
import { findEvents } from './jsonld/find-events.ts';
import { isSitemap, pageRequest, pagesOfLinks, pagesOfSitemap, readLocation } from './jsonld/find-pages.ts';
import { createGraph } from './jsonld/node.ts';
import { parseScript } from './jsonld/parse-script.ts';
import { readEvent } from './jsonld/read-event.ts';
import { readPage } from './jsonld/read-page.ts';

export const jsonld: Provider = {
  kind: 'jsonld',
  mapping: 'none',
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
  if (/^\s*[[{]/.test(text)) return { listings: readScripts([text], answer.url, answer.url, source), next: [] };
  if (!/<[a-z!]/i.test(text)) throw new ProviderError('not_of_the_kind', 'the response is not a web page');
  const page = readPage(text);
  const base = page.base !== null && URL.canParse(page.base, answer.url) ? new URL(page.base, answer.url).href : answer.url;
  const listings = readScripts(page.scripts, answer.url, base, source);
  if (page.isCutOff) listings.push(refused(listings.length + 1, 'the page ends within a script'));
  return { listings, next: pagesOfLinks(page, { url: answer.url, base }, location) };
}

/** Every script counts alone: a bad one is a refused record, and the others are read. References lead from one to another. */
function readScripts(scripts: readonly string[], page: string, base: string, source: SourceFacts): ReadListing[] {
  const { documents, refusals } = parseScripts(scripts);
  const graph = createGraph(documents);
  const events = findEvents(documents, graph);
  const bytes = scripts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, events.length);
  const listings: ReadListing[] = [];
  const found: ListedOccurrence[] = [];
  for (const [at, each] of events.entries()) {
    const [index, read] = [at + 1, readEvent(each, graph, base, source)];
    if (read.length === 0) listings.push({ ok: 'dropped', index, bytes });
    for (const part of read) {
      if (part.ok) found.push({ index, ...part });
      else listings.push({ ok: false, index, bytes, field: part.field, reason: part.reason, externalId: part.id });
    }
    if (found.length > READER_LIMITS.listings)
      throw new ProviderError('too_large', `the page gives more than ${READER_LIMITS.listings} times of events`);
  }
  const named = nameOccurrences(found, page);
  // A page about one event is that event's page.
  const alone = named.length === 1 ? webAddress(page) : null;
  for (const { index, event } of named)
    listings.push({ ok: true, index, bytes, listing: { target: 'events', event: { ...event, url: event.url ?? alone } } });
  listings.sort((a, b) => a.index - b.index);
  return [...listings, ...refusals.map((reason, at) => refused(events.length + at + 1, reason))];
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

function refused(index: number, reason: string): ReadListing {
  return { ok: false, index, bytes: 0, field: null, reason, externalId: null };
}

const MAX_PAGE_CHARS = 20 * 1024 * 1024;
const MAX_SCRIPTS = 50;
const MAX_SCRIPT_CHARS = 1024 * 1024;
