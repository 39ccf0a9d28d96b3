/** What must not happen to a directory between one answer of a source and the next. */

import type { Kysely } from 'kysely';
import { clusterEvents, detectClocks } from '../src/facts/index.ts';
import type { StoredFacts } from '../src/facts/merge/record.ts';
import type { Database } from '../src/store/index.ts';

export interface HeldEvent {
  id: string;
  title: string;
  venueId: string;
  state: string;
  status: string;
  startsAt: number;
  mergedInto: string | null;
  isUnconfirmed: boolean;
}

export interface HeldListing {
  id: string;
  externalId: string;
  eventId: string | null;
  isGone: boolean;
  startsAt: number;
  night: string | null;
  facts: StoredFacts;
}

export interface Directory {
  events: Map<string, HeldEvent>;
  records: Map<string, HeldListing>;
}

/** Ids of events, or of pairs of them. */
export interface Faults {
  /** Was to come, and is neither published nor merged, though a listing says it, or is published though none does. */
  lost: string[];
  /** Listings of another event than before, though their night is the same and the event has not been merged into that one. */
  renamed: string[];
  twins: [string, string][];
}

export async function readDirectory(db: Kysely<Database>): Promise<Directory> {
  const events = await db
    .selectFrom('event')
    .select(['id', 'title', 'venue_id', 'state', 'status', 'starts_at', 'merged_into', 'unconfirmed_since'])
    .execute();
  const records = await db
    .selectFrom('record')
    .select(['id', 'external_id', 'event_id', 'gone_at', 'starts_at', 'night', 'facts'])
    .where('kind', '=', 'event')
    .execute();
  return {
    events: new Map(
      events.map((row) => [
        row.id,
        {
          id: row.id,
          title: row.title,
          venueId: row.venue_id,
          state: row.state,
          status: row.status,
          startsAt: row.starts_at.getTime(),
          mergedInto: row.merged_into,
          isUnconfirmed: row.unconfirmed_since !== null,
        },
      ]),
    ),
    records: new Map(
      records.map((row) => [
        row.id,
        {
          id: row.id,
          externalId: row.external_id,
          eventId: row.event_id,
          isGone: row.gone_at !== null,
          startsAt: row.starts_at?.getTime() ?? 0,
          night: row.night,
          facts: row.facts as StoredFacts,
        },
      ]),
    ),
  };
}

export function findFaults(before: Directory, after: Directory, now: number): Omit<Faults, 'twins'> {
  const said = new Set([...after.records.values()].flatMap(({ eventId, isGone }) => (isGone || !eventId ? [] : [eventId])));
  const coming = [...before.events.values()].filter(({ state, startsAt }) => state === 'published' && startsAt >= now);
  const lost = coming.filter(({ id }) => {
    const event = after.events.get(id);
    if (event?.state === 'merged') return !isPublished(after, event.mergedInto);
    return event?.state !== 'published' || said.has(id) === event.isUnconfirmed;
  });
  const renamed = [...before.records.values()].filter(({ id, eventId, night }) => {
    const record = after.records.get(id);
    if (!record || record.isGone || eventId === null || record.eventId === eventId || record.night !== night) return false;
    return after.events.get(eventId)?.mergedInto !== record.eventId;
  });
  return { lost: lost.map(({ id }) => id), renamed: renamed.map(({ id }) => id) };
}

const isPublished = ({ events }: Directory, id: string | null): boolean => id !== null && events.get(id)?.state === 'published';

/**
 * Events to come that are published as two, though their listings, matched all at once, are one. Listings that have gone count as long
 * as their event is listed; only those that know the hour, as a listing without one may be either performance of a day.
 */
export function findTwins({ events, records }: Directory, now: number): [string, string][] {
  const shown = [...records.values()].flatMap(({ id, eventId, isGone, startsAt, facts: { venueKey: _, ...facts } }) => {
    const event = eventId === null ? undefined : events.get(eventId);
    if (event?.state !== 'published' || event.startsAt < now) return [];
    return [{ eventId: event.id, isGone, fact: { ...facts, id, startsAt } }];
  });
  const present = shown.filter(({ isGone }) => !isGone);
  const clocks = detectClocks(present.map(({ fact }) => fact));
  const eventOf = new Map(shown.map(({ eventId, fact }) => [fact.id, eventId]));
  const pairs = [present, shown.filter(({ fact }) => fact.precision === 'time')].flatMap((some) =>
    clusterEvents(
      some.map(({ fact }) => fact),
      { clocks, decisions: [] },
    ).groups.flatMap((group) => {
      const [first = '', ...others] = [...new Set(group.flatMap((id) => eventOf.get(id) ?? []))].sort();
      return others.map((other): [string, string] => [first, other]);
    }),
  );
  return [...new Map(pairs.map((pair) => [pair.join(), pair])).values()];
}
