/** The documents behind secret URLs. One is written when it is asked for, and held while it cannot have changed. */

import { hash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { MergedEvent } from '../../catalog/index.ts';
import { createCityTime } from '../../city/index.ts';
import {
  EVENT_FORMS,
  type EventRecord,
  type Feed,
  type FeedForm,
  FeedsUnavailableError,
  type Form,
  type ListFacts,
  MAX_CALENDAR_EVENTS,
  readEventRecords,
} from '../../feeds/index.ts';
import type { Search, Snapshot } from '../../search/index.ts';
import { compress } from '../compress.ts';
import { findEvents } from '../list-events.ts';
import type { Encoding } from '../negotiation.ts';
import { writeMeta } from '../route.ts';
import { findCalendarChanges, KEPT_MS, MAX_CHANGES } from './calendar-changes.ts';
import { readSavedValues } from './saved-query.ts';

export interface FeedDocument {
  body: Buffer;
  contentType: string;
  /** Strong, without quotes: a digest of the bytes. */
  tag: string;
  /** The body as this encoding has it. */
  encoded(encoding: Encoding): Promise<Buffer>;
}

export interface FeedDocumentsOptions {
  search: Pick<Search, 'current'>;
  /** The directory's clock. */
  now: () => number;
  /** Without a trailing slash. */
  publicUrl: () => string;
  /** Events that were merged at or after `since`, the latest first. */
  loadMerged: (since: number, limit: number) => Promise<readonly MergedEvent[]>;
}

export interface FeedDocuments {
  /** `path`: of the secret URL. Rejects with a `FeedsUnavailableError` when merged events cannot be loaded. */
  get(feed: Feed, form: FeedForm, path: string): FeedDocument | Promise<FeedDocument>;
}

/** A document, and the state of the directory and the span of its clock that it stands for. */
interface Held {
  document: FeedDocument;
  edition: number;
  from: number;
  until: number;
}

export function createFeedDocuments({ search, now, publicUrl, loadMerged }: FeedDocumentsOptions): FeedDocuments {
  /** By URL and version of the feed; what was used last stands last. */
  const held = new Map<string, Held>();
  const writing = new Map<string, Promise<FeedDocument>>();
  let heldBytes = 0;
  let merged: { seq: number; events: Promise<readonly MergedEvent[]> } | undefined;

  /** Asks the store once for each state of the directory. */
  function mergedAt({ seq }: Snapshot, moment: number): Promise<readonly MergedEvent[]> {
    if (merged?.seq !== seq) {
      const events = loadMerged(moment - KEPT_MS, MAX_CHANGES).catch((cause: unknown) => {
        merged = undefined;
        throw new FeedsUnavailableError('merged events cannot be loaded', { cause });
      });
      merged = { seq, events };
    }
    return merged.events;
  }

  function hold(key: string, entry: Held): void {
    drop(key);
    held.set(key, entry);
    heldBytes += entry.document.body.length;
    for (const oldest of held.keys()) {
      if (heldBytes <= MAX_HELD_BYTES || oldest === key) break;
      drop(oldest);
    }
  }

  function drop(key: string): void {
    heldBytes -= held.get(key)?.document.body.length ?? 0;
    held.delete(key);
  }

  async function write(key: string, feed: Feed, form: FeedForm, path: string): Promise<FeedDocument> {
    const snapshot = search.current();
    const moment = now();
    const values = readSavedValues(feed.query, { timezone: snapshot.city.timezone, now: moment });
    const changes =
      form === 'ics' && values
        ? findCalendarChanges({
            ...{ snapshot, values, now: moment, city: createCityTime(snapshot.city.timezone) },
            merged: await mergedAt(snapshot, moment),
          })
        : NO_CHANGES;
    const limit = MAX_CALENDAR_EVENTS - changes.records.length;
    const found = values ? findEvents(snapshot, { ...values, limit, offset: 0 }, moment) : NOTHING_FOUND;
    const { items, total } = found.page;
    const page = { total, limit: MAX_CALENDAR_EVENTS, offset: 0 };
    const meta = `${writeMeta(page, items.length)}}`;
    const selfUrl = publicUrl() + path;
    const body =
      form === 'json'
        ? snapshot.writeEvents(items, 'list', '{"data":[', `],${meta}}`)
        : await writeRecords(
            EVENT_FORMS[form],
            { snapshot, items, more: changes.records },
            {
              ...{ title: feed.name, description: `Events in ${snapshot.city.name}.`, selfUrl, homeUrl: `${publicUrl()}/` },
              ...{ language: snapshot.city.locale, timezone: snapshot.city.timezone, currency: snapshot.city.currency },
              updatedAt: Math.max(
                ...[feed.updatedAt.getTime(), ...items.map((item) => snapshot.lifecycle(item).updatedAt)],
                ...changes.records.map(({ updatedAt }) => updatedAt),
              ),
              ...{ total, maxRecords: MAX_CALENDAR_EVENTS, meta: meta.slice('"meta":'.length) },
            },
          );
    const contentType = form === 'json' ? 'application/json; charset=utf-8' : EVENT_FORMS[form].contentType;
    const document = toDocument(body, contentType, held.get(key)?.document);
    hold(key, { document, edition: snapshot.edition, from: moment, until: Math.min(found.until ?? moment, changes.until) });
    return document;
  }

  return {
    get(feed, form, path) {
      const key = `${path} ${feed.updatedAt.getTime()} ${feed.query}`;
      const entry = held.get(key);
      const moment = now();
      if (entry && entry.edition === search.current().edition && entry.from <= moment && moment < entry.until) {
        held.delete(key);
        held.set(key, entry);
        return entry.document;
      }
      let begun = writing.get(key);
      if (!begun) {
        begun = write(key, feed, form, path).finally(() => writing.delete(key));
        writing.set(key, begun);
      }
      return begun;
    },
  };
}

interface Chosen {
  snapshot: Snapshot;
  items: readonly number[];
  /** Records that stand behind them. */
  more: readonly EventRecord[];
}

/** A long document takes tens of milliseconds; other requests come in between. */
async function writeRecords(form: Form<EventRecord>, { snapshot, items, more }: Chosen, facts: ListFacts): Promise<Buffer> {
  const written: string[] = [];
  const add = (records: readonly EventRecord[]) => {
    for (const record of records) written.push(form.record(record, facts, written.length));
  };
  for (let at = 0; at < items.length; at += PIECE) {
    if (at > 0) await yieldToOthers();
    add(readEventRecords(snapshot, items.slice(at, at + PIECE)));
  }
  add(more);
  return Buffer.from(form.open(facts) + written.join(form.separator) + form.close(facts));
}

/** The one before is kept where the bytes are the same: it may be compressed already. */
function toDocument(body: Buffer, contentType: string, before: FeedDocument | undefined): FeedDocument {
  const tag = hash('sha256', body, 'base64url').slice(0, TAG_CHARS);
  if (before?.tag === tag) return before;
  const compressed = new Map<Encoding, Promise<Buffer>>();
  return {
    ...{ body, contentType, tag },
    encoded(encoding) {
      const made = compressed.get(encoding) ?? compress(body, encoding);
      compressed.set(encoding, made);
      return made;
    },
  };
}

const PIECE = 100;
const TAG_CHARS = 27;
/** Plain bodies; the compressed ones beside them are a tenth. */
const MAX_HELD_BYTES = 64 * 1_048_576;
const NO_CHANGES = { records: [], until: Number.POSITIVE_INFINITY };
/** A range that is over stays empty. */
const NOTHING_FOUND = { page: { items: [], total: 0 }, until: Number.POSITIVE_INFINITY };
