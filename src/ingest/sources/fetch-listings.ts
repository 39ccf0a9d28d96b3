/** All that a source has to say: its answers fetched one after another, each read by its provider in a worker. */

import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Outbound } from '../../outbound/index.ts';
import {
  type ListingPage,
  type OutgoingRequest,
  PROVIDERS,
  ProviderError,
  type ReadListing,
  type SourceFacts,
  type SourceResponse,
} from '../../providers/index.ts';
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
  /** The first answer, if nothing was listed. */
  answer?: SourceResponse;
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
  const queue = createRequestQueue(first);
  const answer = await ask(first, context, true);
  if (answer === 'unchanged') {
    const { etag, lastModified } = source;
    return { listings: [], isComplete: true, isUnchanged: true, etag, lastModified, failures: [] };
  }
  const listings: ReadListing[] = [];
  const failures: string[] = [];
  const take = async (response: SourceResponse): Promise<void> => {
    const page = await context.read(provider.kind, response, facts);
    for (const listing of page.listings) listings.push(listing);
    queue.add(page.next);
  };
  await take(answer);
  for (let done = 1; ; done++) {
    onProgress?.({ done, of: queue.requests.length, listings: listings.length });
    const next = queue.requests[done];
    if (!next || done >= MAX_ANSWERS || listings.length >= MAX_LISTINGS) {
      const isComplete = failures.length === 0 && !next;
      const empty = listings.length === 0 ? { answer } : {};
      return { listings, isComplete, isUnchanged: false, ...tagsOf(queue.requests.length, answer), failures, ...empty };
    }
    const failure = await askForMore(next, context, take);
    if (failure !== null) failures.push(failure);
  }
}

/** Null: it was read. Else why not, in one sentence. */
async function askForMore(
  request: OutgoingRequest,
  context: FetchContext,
  take: (response: SourceResponse) => Promise<void>,
): Promise<string | null> {
  try {
    const answer = await ask(request, context, false);
    if (answer !== 'unchanged') await take(answer);
    return null;
  } catch (error) {
    if (error instanceof FetchError || error instanceof ProviderError) return error.message;
    throw error;
  }
}

/** Requests still to be sent and those that were; each address once. */
function createRequestQueue(first: OutgoingRequest) {
  const requests: OutgoingRequest[] = [first];
  const asked = new Set([first.url]);
  return {
    requests,
    add(next: readonly OutgoingRequest[]): void {
      for (const request of next) {
        if (asked.has(request.url)) continue;
        asked.add(request.url);
        requests.push(request);
      }
    },
  };
}

interface Tags {
  etag: string | null;
  lastModified: string | null;
}

/** With several answers the first one's tags say nothing of the others. */
function tagsOf(answers: number, { etag, lastModified }: Tags): Tags {
  return answers === 1 ? { etag, lastModified } : { etag: null, lastModified: null };
}

type Asked = SourceResponse & Tags;

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
