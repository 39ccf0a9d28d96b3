/** Events that web pages describe to machines: schema.org Event as JSON-LD, microdata or RDFa. One page, or the pages that it or a sitemap lists. */

import type { ReadListing } from '../listing.ts';
import type { ListingPage, Provider, SourceFacts, SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { decodeText } from '../reading/decode-text.ts';
import { isSitemap, pageRequest, pagesOfLinks, pagesOfSitemap, readLocation } from './jsonld/find-pages.ts';
import { MICRODATA, RDFA } from './jsonld/item-builder.ts';
import { type ListedEvents, listEvents, type PageAddress } from './jsonld/list-events.ts';
import { parseScript } from './jsonld/parse-script.ts';
import { readItems } from './jsonld/read-items.ts';
import { readPage } from './jsonld/read-page.ts';

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

const MICROFORMAT = 'the page describes its events as a microformat (h-event): wanted JSON-LD, microdata or RDFa of schema.org';
const HAS_ITEMS = /\bitemscope\b|\btypeof\b|\bh-event\b|\bvevent\b/i;
const MAX_PAGE_CHARS = 20 * 1024 * 1024;
const MAX_SCRIPTS = 50;
const MAX_SCRIPT_CHARS = 1024 * 1024;
