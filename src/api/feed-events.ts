/**
 * What a feed holds now, and the document that is made of it. A subscribed calendar shows more beside the list for a while: events that
 * were cancelled or merged. A program would otherwise drop them without a word, or keep them for good.
 */

import { hash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import {
  EVENT_FORMS,
  type Feed,
  type FeedForm,
  type ListFacts,
  MAX_CALENDAR_EVENTS,
  readEventRecords,
  type ServedEvent,
} from '../feeds/index.ts';
import { type EventListValues, findEvents, readSavedValues } from '../query/index.ts';
import { EVENT_STATUSES } from '../records/index.ts';
import type { MergedEvents, Snapshot } from '../search/index.ts';
import { DAY_MS } from '../values/duration.ts';
import { writeMeta } from './endpoints/shaped-records.ts';

interface FeedAddress {
  feed: Feed;
  form: FeedForm;
  /** The whole URL. */
  selfUrl: string;
  /** Of the site, without a trailing slash. */
  publicUrl: string;
}

export interface Chosen {
  snapshot: Snapshot;
  items: readonly number[];
  /** Records that stand behind them. */
  more: readonly ServedEvent[];
  facts: ListFacts;
  /** Stands for all that the bytes of the document depend on. */
  source: string;
  /** Directory time, milliseconds, at which the same snapshot may give others. */
  until: number;
}

interface Moment {
  snapshot: Snapshot;
  /** Directory time, milliseconds. */
  now: number;
  /** For calendars. */
  merged: MergedEvents | null;
}

export function chooseEvents({ feed, form, selfUrl, publicUrl }: FeedAddress, { snapshot, now, merged }: Moment): Chosen {
  const { name, locale, timezone, currency } = snapshot.city;
  const values = readSavedValues(feed.query, { timezone, now });
  const changes = form === 'ics' && values ? findCalendarChanges({ snapshot, values, now, merged }) : NO_CHANGES;
  const more = changes.records;
  const limit = MAX_CALENDAR_EVENTS - more.length;
  const { page, until = now } = values ? findEvents(snapshot, { ...values, limit, offset: 0 }, now) : NOTHING_FOUND;
  const { items, total, tag } = page;
  const lifecycles = items.map((item) => snapshot.lifecycle(item));
  const updates = [...lifecycles, ...more].map(({ updatedAt }) => updatedAt);
  const facts: ListFacts = {
    title: feed.name,
    description: `Events in ${name}.`,
    selfUrl,
    homeUrl: `${publicUrl}/`,
    language: locale,
    timezone,
    currency,
    updatedAt: updates.reduce((latest, at) => Math.max(latest, at), feed.updatedAt.getTime()),
    total,
    maxRecords: MAX_CALENDAR_EVENTS,
    meta: `${writeMeta({ total, limit: MAX_CALENDAR_EVENTS, offset: 0 }, items.length)}}`.slice('"meta":'.length),
  };
  // The tag of a page leaves out what only calendars and readers show.
  const source = `${tag} ${hash('sha1', JSON.stringify([facts, lifecycles, more]), 'base64url')}`;
  return { snapshot, items, more, facts, source, until: Math.min(until, changes.until) };
}

/** A long document takes tens of milliseconds; other requests come in between. */
export async function writeDocument(form: FeedForm, { snapshot, items, more, facts }: Chosen): Promise<Buffer> {
  if (form === 'json') return snapshot.writeEvents(items, 'list', '{"data":[', `],"meta":${facts.meta}}`);
  const { open, record, separator, close } = EVENT_FORMS[form];
  const written: string[] = [];
  const add = (records: readonly ServedEvent[]) => {
    for (const each of records) written.push(record(each, facts, written.length));
  };
  for (let at = 0; at < items.length; at += PIECE) {
    if (at > 0) await yieldToOthers();
    add(readEventRecords(snapshot, items.slice(at, at + PIECE)));
  }
  add(more);
  return Buffer.from(open(facts) + written.join(separator) + close(facts));
}

interface CalendarChanges {
  /** All with the status `cancelled`. */
  records: ServedEvent[];
  /** Directory time, milliseconds, at which the same snapshot may have others. */
  until: number;
}

interface Asked {
  snapshot: Snapshot;
  values: EventListValues;
  /** Directory time, milliseconds. */
  now: number;
  merged: MergedEvents | null;
}

/** Within the filters of a feed, from the last 30 days. */
function findCalendarChanges(asked: Asked): CalendarChanges {
  const cancelled = findCancelled(asked);
  const merged = findMerged(asked);
  return {
    records: [...cancelled.records, ...merged.records].slice(0, MAX_CHANGES),
    until: Math.min(cancelled.until, merged.until),
  };
}

/** Of a feed that does not choose cancelled events itself. */
function findCancelled({ snapshot, values, now }: Asked): CalendarChanges {
  if (values.status?.includes('cancelled')) return NONE;
  const since = Math.max(values.updated_since ?? 0, now - KEPT_MS);
  const asked = { ...values, status: ['cancelled'] as const, updated_since: since, limit: MAX_CHANGES, offset: 0 };
  const { page, until = now } = findEvents(snapshot, asked, now);
  const records = readEventRecords(snapshot, page.items);
  return { records, until: Math.min(until, ...records.map(({ updatedAt }) => updatedAt + KEPT_MS + 1)) };
}

/** What happened to the survivor does not matter: whoever had the event must hear that it is over. */
function findMerged({ snapshot, values, now, merged }: Asked): CalendarChanges {
  if (!merged) return NONE;
  const { mergedAt } = merged;
  const asked = { ...values, status: values.status ?? EVENT_STATUSES, limit: MAX_CHANGES, offset: 0 };
  const { page, until = now } = findEvents(merged.snapshot, asked, now);
  const records = readEventRecords(merged.snapshot, page.items).flatMap((record): ServedEvent[] => {
    const at = mergedAt.get(record.event.id) ?? Number.NEGATIVE_INFINITY;
    // The merger may have been undone by now.
    if (at < now - KEPT_MS || snapshot.event(record.event.id).found === 'published') return [];
    // The merger is one more change that a calendar must hear of.
    return [{ ...record, status: 'cancelled', updatedAt: at, revision: record.revision + 1 }];
  });
  return { records, until: Math.min(until, ...records.map(({ updatedAt }) => updatedAt + KEPT_MS + 1)) };
}

export const contentTypeOf = (form: FeedForm): string =>
  form === 'json' ? 'application/json; charset=utf-8' : EVENT_FORMS[form].contentType;

const PIECE = 100;
const NO_CHANGES = { records: [], until: Number.POSITIVE_INFINITY };
/** A range that is over stays empty. */
const NOTHING_FOUND = { page: { items: [], total: 0, tag: '' }, until: Number.POSITIVE_INFINITY };
export const KEPT_MS = 30 * DAY_MS;
/** More than are cancelled in a city in a month; the rest of a calendar is for what takes place. */
export const MAX_CHANGES = 500;
const NONE: CalendarChanges = { records: [], until: Number.POSITIVE_INFINITY };
