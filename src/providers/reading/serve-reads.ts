/** The inside of a reading process: takes answers one after another, and gives back listings. */

import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import type { ReadListing } from '../listing.ts';
import type { ListingPage, OutgoingRequest, Provider, SourceFacts, SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { type PageSurvey, surveyPage } from '../survey-page.ts';
import type { ReaderLimits } from './reader-limits.ts';

/** Serves the process that forked this one, and ends with it. */
export function serveReads(providers: readonly Provider[]): void {
  const report = (message: ReaderReport): void => void process.send?.(message);
  let goOn = (): void => {};

  process.on('disconnect', () => process.exit());
  process.on('message', (order: ReaderOrder) => {
    if (order.say === 'more') return goOn();
    const work = order.say === 'survey' ? survey(order) : read(providers, order).then(deliver);
    work.catch((error: Error) => {
      const code = error instanceof ProviderError ? error.code : 'crashed';
      report({ say: 'failed', code, message: error.message.slice(0, MAX_MESSAGE_CHARS) });
    });
  });
  report({ say: 'ready' });

  async function survey(order: Extract<ReaderOrder, { say: 'survey' }>): Promise<void> {
    report({ say: 'surveyed', page: inTime(order.clockMs, () => surveyPage(unpacked(order.answer))) });
  }

  async function deliver({ listings, next }: ListingPage): Promise<void> {
    for (let at = 0; at < listings.length; at += BATCH) {
      const { promise, resolve } = Promise.withResolvers<void>();
      goOn = resolve;
      report({ say: 'listings', listings: listings.slice(at, at + BATCH) });
      await promise;
    }
    report({ say: 'done', next });
  }
}

async function read(providers: readonly Provider[], order: Extract<ReaderOrder, { say: 'read' }>): Promise<ListingPage> {
  const { kind, answer, source, timeMs, clockMs, limits } = order;
  const provider = providers.find((each) => each.kind === kind);
  if (!provider) throw new ProviderError('crashed', `there is no reader of ${kind}`);
  try {
    const page = await inTime(clockMs, () => provider.read(unpacked(answer), source));
    return capPage(page, limits, provider.mostListings ?? limits.listings);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const { code, name, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new ProviderError('too_slow', `reading took more than ${timeMs} ms`);
    throw new ProviderError('crashed', `the reader of ${kind} failed: ${name}: ${message}`);
  }
}

/** A file that is kept packed, such as `sitemap.xml.gz`. Throws a `ProviderError` for one that does not unpack. */
function unpacked(answer: SourceResponse): SourceResponse {
  const [first, second] = answer.body;
  if (first !== GZIP[0] || second !== GZIP[1]) return answer;
  try {
    return { ...answer, body: gunzipSync(answer.body, { maxOutputLength: MAX_UNPACKED_BYTES }) };
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    if (isLarge) throw new ProviderError('too_large', `the file unpacks to more than ${MAX_UNPACKED_BYTES} bytes`);
    throw new ProviderError('not_of_the_kind', 'the file is packed with gzip, and damaged');
  }
}

/** A new context for its time limit alone: it ends a loop that no message reaches, should the parent, which watches its work, be gone. */
function inTime<T>(clockMs: number, read: () => T): T {
  return runInNewContext('read()', { read }, { timeout: clockMs });
}

/**
 * What a provider made of an answer, held to a size that the rest can bear. A text that is too long is unknown; where a listing is nothing
 * without it, the listing is refused. Throws a `ProviderError` of code `too_large` for too many listings, or too much of them together:
 * half a source would look like events that vanished.
 */
function capPage(page: ListingPage, limits: ReaderLimits, mostListings: number): ListingPage {
  const most = Math.min(mostListings, limits.listings);
  if (page.listings.length > most) throw new ProviderError('too_large', `the response has more than ${most} listings`);
  const texts = { left: limits.allChars };
  return {
    listings: page.listings.map((record) => capRecord(record, limits, texts)),
    next: page.next.slice(0, limits.nextRequests),
  };
}

function capRecord(record: ReadListing, limits: ReaderLimits, texts: { left: number }): ReadListing {
  if (record.ok === 'dropped') return record;
  if (!record.ok) return { ...record, reason: record.reason.slice(0, MAX_REASON_CHARS) };
  const { listing, index, bytes } = record;
  const said: object = listing.target === 'events' ? listing.event : listing.venue;
  for (const [field, value] of Object.entries(said)) {
    if (NEEDED.includes(field) && typeof value === 'string' && value.length > limits.textChars) {
      const reason = `longer than ${limits.textChars} characters`;
      return { ok: false, index, bytes, field, reason, externalId: null };
    }
  }
  return { ...record, listing: capped(listing, limits, texts) as typeof listing };
}

function capped(value: unknown, limits: ReaderLimits, texts: { left: number }): unknown {
  if (typeof value === 'string') {
    if (value.length > limits.textChars) return null;
    texts.left -= value.length;
    if (texts.left < 0)
      throw new ProviderError('too_large', `the listings have more than ${limits.allChars} characters together`);
    return value;
  }
  if (Array.isArray(value)) {
    const items = value.slice(0, limits.textItems).map((item) => capped(item, limits, texts));
    return items.filter((item) => item !== null);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, capped(each, limits, texts)]));
}

/** What the reader and its processes say to each other. */
export type ReaderOrder =
  | {
      say: 'read';
      kind: string;
      answer: SourceResponse;
      source: SourceFacts;
      timeMs: number;
      clockMs: number;
      limits: ReaderLimits;
    }
  | { say: 'survey'; answer: SourceResponse; timeMs: number; clockMs: number }
  /** The listings before were taken. */
  | { say: 'more' };

export type ReaderReport =
  | { say: 'ready' }
  /** Some at a time: to take them all at once would hold up whatever else the receiving thread does. */
  | { say: 'listings'; listings: ReadListing[] }
  | { say: 'done'; next: readonly OutgoingRequest[] }
  | { say: 'surveyed'; page: PageSurvey }
  | { say: 'failed'; code: ProviderError['code']; message: string };

/** A few milliseconds' worth. */
const BATCH = 200;
const MAX_MESSAGE_CHARS = 500;
/** Of a listing itself, not of its venue. */
const NEEDED = ['externalId', 'title', 'start', 'name'];
const MAX_REASON_CHARS = 500;
/** RFC 1952 §2.3.1. */
const GZIP = [0x1f, 0x8b] as const;
const MAX_UNPACKED_BYTES = 20 * 1024 * 1024;
