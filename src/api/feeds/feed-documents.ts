/**
 * The documents behind secret URLs. One is written when it is asked for. Its tag is remembered for longer than its bytes: while the
 * directory gives the same events, a program that has them is answered without writing anything.
 */

import { hash } from 'node:crypto';
import { type Feed, type FeedForm, FeedsUnavailableError } from '../../feeds/index.ts';
import { compress, type Encoding } from '../../http/index.ts';
import type { LoadMerged, MergedEvents, Search, Snapshot } from '../../search/index.ts';
import { KEPT_MS, MAX_CHANGES } from './calendar-changes.ts';
import { type Chosen, chooseEvents, contentTypeOf, writeDocument } from './choose-events.ts';
import { createDocumentBodies, createKnownDocuments, type FeedDocument, type KnownDocument } from './document-memory.ts';

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

const keyOf = ({ feed, path }: Asked): string => `${path} ${feed.updatedAt.getTime()} ${feed.query}`;

const TAG_CHARS = 27;
const MAX_HELD_BYTES = 64 * 1_048_576;
