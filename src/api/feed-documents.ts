/**
 * The documents behind secret URLs. One is written when it is asked for. Its tag is remembered for longer than its bytes: while the
 * directory gives the same events, a program that has them is answered without writing anything.
 */

import { hash } from 'node:crypto';
import { type Feed, type FeedForm, FeedsUnavailableError } from '../feeds/index.ts';
import { compress, type Encoding } from '../http/index.ts';
import type { LoadMerged, MergedEvents, Search, Snapshot } from '../search/index.ts';
import { type Chosen, chooseEvents, contentTypeOf, KEPT_MS, MAX_CHANGES, writeDocument } from './feed-events.ts';

/** Without its bytes: most programs have them already. */
interface FeedDocument {
  contentType: string;
  /** Strong, without quotes: a digest of the bytes. */
  tag: string;
  /** Octets. */
  size: number;
}

/** A document, and the version of the feed, the state of the directory and the span of its clock that it stands for. */
interface KnownDocument {
  document: FeedDocument;
  feed: FeedVersion;
  source: string;
  edition: number;
  from: number;
  until: number;
}

type FeedVersion = Pick<Feed, 'query' | 'updatedAt'>;

/** Documents by the path of their URL. */
function createKnownDocuments() {
  const known = new Map<string, KnownDocument>();

  function put(key: string, entry: KnownDocument): FeedDocument {
    known.delete(key);
    known.set(key, entry);
    if (known.size > MAX_KNOWN) known.delete(known.keys().next().value ?? '');
    return entry.document;
  }

  return {
    put,
    /** The last one, right or not. */
    last: (key: string): KnownDocument | undefined => known.get(key),
    /** The one that is right for this version of the feed and this snapshot at this moment. */
    at(key: string, feed: FeedVersion, { edition }: Snapshot, moment: number): FeedDocument | undefined {
      const entry = known.get(key);
      const isRight = entry && entry.edition === edition && entry.from <= moment && moment < entry.until;
      return isRight && isSame(entry.feed, feed) ? put(key, entry) : undefined;
    },
  };
}

/** Bytes by name. */
function createDocumentBodies(maxBytes: number) {
  const held = new Map<string, Buffer>();
  let bytes = 0;
  return {
    get(name: string): Buffer | undefined {
      const body = held.get(name);
      if (!body) return undefined;
      held.delete(name);
      held.set(name, body);
      return body;
    },
    put(name: string, body: Buffer): Buffer {
      bytes += body.length - (held.get(name)?.length ?? 0);
      held.delete(name);
      held.set(name, body);
      for (const [oldest, { length }] of held) {
        if (bytes <= maxBytes || oldest === name) break;
        held.delete(oldest);
        bytes -= length;
      }
      return body;
    },
  };
}

export interface FeedDocumentsOptions {
  search: Pick<Search, 'current'>;
  /** The directory's clock. */
  now: () => number;
  /** Without a trailing slash. */
  publicUrl: () => string;
  loadMerged: LoadMerged;
  /** Octets of documents in memory. */
  maxHeldBytes?: number;
}

/** `path`: of the secret URL. Both reject with a `FeedsUnavailableError` when merged events cannot be loaded. */
export interface FeedDocuments {
  get(feed: Feed, form: FeedForm, path: string): FeedDocument | Promise<FeedDocument>;
  /** The same from memory alone; undefined where it must be looked at. */
  peek(feed: Feed, form: FeedForm, path: string): FeedDocument | undefined;
  /** Its bytes, and the tag that they have by now. */
  read(feed: Feed, form: FeedForm, path: string, encoding: Encoding | null): Promise<{ tag: string; bytes: Buffer }>;
}

export function createFeedDocuments(options: FeedDocumentsOptions): FeedDocuments {
  const { search, now, publicUrl, loadMerged, maxHeldBytes = MAX_HELD_BYTES } = options;
  const known = createKnownDocuments();
  const bodies = createDocumentBodies(maxHeldBytes);
  const mergedAt = createMergedEvents(loadMerged);
  /** Those who ask at the same time share one look, and one document. */
  const looking = new Map<string, Promise<FeedDocument>>();
  const writing = new Map<string, Promise<Written>>();

  async function choose({ feed, form, path }: Asked): Promise<Choice> {
    const snapshot = search.current();
    const moment = now();
    const address = { feed, form, selfUrl: publicUrl() + path, publicUrl: publicUrl() };
    const merged = form === 'ics' ? await mergedAt(snapshot, moment) : null;
    const chosen = chooseEvents(address, { snapshot, now: moment, merged });
    const { source, until } = chosen;
    return { chosen, span: { feed, source, edition: snapshot.edition, from: moment, until } };
  }

  async function write({ form, path }: Asked, { chosen, span }: Choice): Promise<Written> {
    const body = await writeDocument(form, chosen);
    const tag = hash('sha256', body, 'base64url').slice(0, TAG_CHARS);
    bodies.put(tag, body);
    return {
      body,
      document: known.put(path, { ...span, document: { contentType: contentTypeOf(form), tag, size: body.length } }),
    };
  }

  async function look(asked: Asked): Promise<FeedDocument> {
    const choice = await choose(asked);
    const before = known.last(asked.path);
    if (before?.source === choice.span.source) return known.put(asked.path, { ...choice.span, document: before.document });
    return (await write(asked, choice)).document;
  }

  const peek = ({ feed, path }: Asked): FeedDocument | undefined => known.at(path, feed, search.current(), now());

  function get(asked: Asked): FeedDocument | Promise<FeedDocument> {
    return peek(asked) ?? together(looking, keyOf(asked), () => look(asked));
  }

  return {
    get: (feed, form, path) => get({ feed, form, path }),
    peek: (feed, form, path) => peek({ feed, form, path }),

    async read(feed, form, path, encoding) {
      const asked = { feed, form, path };
      const document = await get(asked);
      const held = bodies.get(document.tag);
      // It may have had to make room for others. No snapshot is held for that: what is written now is of the newest one.
      const written = held
        ? { document, body: held }
        : await together(writing, keyOf(asked), async () => write(asked, await choose(asked)));
      const { tag } = written.document;
      const { body } = written;
      if (encoding === null) return { tag, bytes: body };
      const name = `${tag} ${encoding}`;
      return { tag, bytes: bodies.get(name) ?? bodies.put(name, await compress(body, encoding)) };
    },
  };
}

/** Merged events, asked of the store once for each state of the directory. */
function createMergedEvents(load: LoadMerged) {
  let known: { seq: number; events: Promise<MergedEvents | null> } | undefined;
  return ({ seq }: Snapshot, moment: number): Promise<MergedEvents | null> => {
    if (known?.seq !== seq) {
      const events = load(moment - KEPT_MS, MAX_CHANGES).catch((cause: unknown) => {
        known = undefined;
        throw new FeedsUnavailableError('merged events cannot be loaded', { cause });
      });
      known = { seq, events };
    }
    return known.events;
  };
}

function together<T>(begun: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const running = begun.get(key) ?? work().finally(() => begun.delete(key));
  begun.set(key, running);
  return running;
}

interface Choice {
  chosen: Chosen;
  span: Omit<KnownDocument, 'document'>;
}

interface Written {
  document: FeedDocument;
  body: Buffer;
}

interface Asked {
  feed: Feed;
  form: FeedForm;
  path: string;
}

const isSame = (one: FeedVersion, other: FeedVersion): boolean =>
  one === other || (one.query === other.query && one.updatedAt.getTime() === other.updatedAt.getTime());

const MAX_KNOWN = 10_000;
const keyOf = ({ feed, path }: Asked): string => `${path} ${feed.updatedAt.getTime()} ${feed.query}`;

const TAG_CHARS = 27;
const MAX_HELD_BYTES = 64 * 1_048_576;
