/** What is remembered of documents: their tags, for long, and their bytes, as many as fit. What was used last stands last. */

import type { Feed } from '../../feeds/index.ts';
import type { Snapshot } from '../../search/index.ts';

/** Without its bytes: most programs have them already. */
export interface FeedDocument {
  contentType: string;
  /** Strong, without quotes: a digest of the bytes. */
  tag: string;
  /** Octets. */
  size: number;
}

/** A document, and the version of the feed, the state of the directory and the span of its clock that it stands for. */
export interface KnownDocument {
  document: FeedDocument;
  feed: FeedVersion;
  source: string;
  edition: number;
  from: number;
  until: number;
}

export type FeedVersion = Pick<Feed, 'query' | 'updatedAt'>;

/** Documents by the path of their URL. */
export function createKnownDocuments() {
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
export function createDocumentBodies(maxBytes: number) {
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

const isSame = (one: FeedVersion, other: FeedVersion): boolean =>
  one === other || (one.query === other.query && one.updatedAt.getTime() === other.updatedAt.getTime());

const MAX_KNOWN = 10_000;
