/** All that a source has to say: its answers fetched one after another, each read by its provider in a worker. */

import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Outbound } from '../outbound/index.ts';
import {
  type ListingPage,
  type OutgoingRequest,
  PROVIDERS,
  ProviderError,
  type ReadListing,
  type SourceFacts,
  type SourceResponse,
} from '../providers/index.ts';
import type { Source } from './sources.ts';

/** Reads one answer: `read` of a `Reader`. */
export type ReadAnswer = (kind: string, answer: SourceResponse, source: SourceFacts) => Promise<ListingPage>;

export interface Fetched {
  listings: ReadListing[];
  /** Every answer was read and no limit was met. */
  isComplete: boolean;
  /** Nothing has changed since the last answer. */
  isUnchanged: boolean;
  etag: string | null;
  lastModified: string | null;
  /** Addresses that could not be read, beside the first one: one sentence each. */
  failures: string[];
}

export interface FetchContext {
  source: Source;
  facts: SourceFacts;
  outbound: Pick<Outbound, 'fetch'>;
  read: ReadAnswer;
  /** The key of the provider's API, by the name of its setting. */
  keyOf?: (setting: string) => string | null;
  /** Ask for everything, whatever was answered last. */
  isFresh?: boolean;
  onProgress?: (progress: { done: number; of: number; listings: number }) => void;
}

/** The source as a whole could not be read. */
export class FetchError extends Error {
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'FetchError';
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Throws a `FetchError` or a `ProviderError` when the first answer cannot be had or read. A later one that cannot makes the result
 * incomplete: what was read counts, and nothing is concluded from what is missing.
 */
export async function fetchListings(context: FetchContext): Promise<Fetched> {
  const { source, onProgress } = context;
  const provider = PROVIDERS.find(({ kind }) => kind === source.kind);
  if (!provider) throw new FetchError(`${source.kind} is not a kind of source`);
  const facts = { ...context.facts, key: provider.keySetting === null ? null : (context.keyOf?.(provider.keySetting) ?? null) };
  const first = provider.request(facts);
  const queue: OutgoingRequest[] = [first];
  const asked = new Set([first.url]);
  const listings: ReadListing[] = [];
  const failures: string[] = [];
  let isComplete = true;
  let tags: { etag: string | null; lastModified: string | null } = { etag: null, lastModified: null };
  for (let done = 0; done < queue.length; done++) {
    const request = queue[done] as OutgoingRequest;
    const isFirst = done === 0;
    try {
      const answer = await ask(request, context, isFirst);
      if (answer === 'unchanged') {
        return {
          listings: [],
          isComplete: true,
          isUnchanged: true,
          etag: source.etag,
          lastModified: source.lastModified,
          failures,
        };
      }
      if (isFirst) tags = { etag: answer.etag, lastModified: answer.lastModified };
      const page = await context.read(provider.kind, answer, facts);
      for (const listing of page.listings) listings.push(listing);
      for (const next of page.next) {
        if (asked.has(next.url)) continue;
        asked.add(next.url);
        queue.push(next);
      }
    } catch (error) {
      if (!(error instanceof FetchError || error instanceof ProviderError) || isFirst) throw error;
      isComplete = false;
      failures.push(error.message);
    }
    onProgress?.({ done: done + 1, of: queue.length, listings: listings.length });
    if (done + 1 >= MAX_ANSWERS || listings.length >= MAX_LISTINGS) {
      isComplete = isComplete && done + 1 === queue.length;
      break;
    }
  }
  // With several answers the first one's tags say nothing of the others.
  const single = queue.length === 1 ? tags : { etag: null, lastModified: null };
  return { listings, isComplete, isUnchanged: false, ...single, failures };
}

type Asked = SourceResponse & { etag: string | null; lastModified: string | null };

async function ask(
  request: OutgoingRequest,
  { source, outbound, isFresh = false }: FetchContext,
  isFirst: boolean,
): Promise<Asked | 'unchanged'> {
  if (request.url.startsWith('file:')) return { ...(await readLocal(new URL(request.url))), etag: null, lastModified: null };
  const conditions = isFirst && !isFresh ? { etag: source.etag, lastModified: source.lastModified } : {};
  const outcome = await outbound.fetch({ ...request, ...conditions });
  if (outcome.ok === 'unchanged') return 'unchanged';
  if (outcome.ok) return outcome;
  throw new FetchError(outcome.detail, outcome.retryAfterMs);
}

async function readLocal(file: URL): Promise<SourceResponse> {
  try {
    const { size } = await stat(file);
    if (size > MAX_FILE_BYTES) throw new FetchError(`the file ${pathOf(file)} has ${size} bytes, more than ${MAX_FILE_BYTES}`);
    return { url: file.href, body: await readFile(file), contentType: null };
  } catch (error) {
    if (error instanceof FetchError) throw error;
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new FetchError(`cannot read the file ${pathOf(file)}: ${code === 'ENOENT' ? 'it does not exist' : code}`);
  }
}

const pathOf = (file: URL): string => (file.host === '' ? fileURLToPath(file) : file.href);

const MAX_ANSWERS = 500;
const MAX_LISTINGS = 200_000;
const MAX_FILE_BYTES = 128 * 1024 * 1024;
