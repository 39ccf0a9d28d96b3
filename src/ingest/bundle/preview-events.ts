/** A first look at the events of a bundle: what they say about each other, so that each is written once, with its final score. */

import { setImmediate as turn } from 'node:timers/promises';
import { loadNextListed } from '../../catalog/index.ts';
import { bundleWord } from '../../merge/index.ts';
import { createEventParser, type EventDraft, isPlainObject } from '../../normalize/index.ts';
import { listedContexts, type ShownEvent } from '../../score-jobs/index.ts';
import { loadVenuesByExternalId } from '../../sources/index.ts';
import type { EventPreview, RunContext } from './context.ts';
import type { ReadLine } from './read-ndjson.ts';

/**
 * By external id. Null where it cannot be said beforehand: the directory has events already, or the bundle has too many. The venues of
 * the bundle must be in the directory.
 */
export async function previewEvents(
  { db, sourceId, now, newId, cityTime, dryRun }: RunContext,
  lines: AsyncIterable<ReadLine> | undefined,
): Promise<ReadonlyMap<string, EventPreview> | null> {
  if (dryRun || !lines || (await loadNextListed(db, { since: 0, after: FIRST_ID, limit: 1 })).length > 0) return null;
  const parse = createEventParser(cityTime);
  const drafts = new Map<string, ShownEvent>();
  for await (const read of lines) {
    if (read.line % LINES_AT_ONCE === 0) await turn();
    const parsed = read.ok ? parse(withoutTexts(read.value)) : null;
    if (!parsed?.ok || drafts.has(parsed.value.externalId)) continue;
    if (drafts.size >= MAX_EVENTS) return null;
    drafts.set(parsed.value.externalId, shownEvent(parsed.value, parsed.value.id ?? newId()));
  }
  const names = [...drafts.values()].map(({ venueId }) => venueId);
  const venues = await loadVenuesByExternalId(db, sourceId, names);
  const events = [...drafts.values()].flatMap((event) => {
    const venue = venues.get(event.venueId);
    return venue ? [{ ...event, venueId: venue.id }] : [];
  });
  const facts = new Map([...venues.values()].map(({ id, ...venue }) => [id, venue]));
  const contexts = listedContexts(events, facts, now, cityTime);
  return new Map(
    [...drafts].flatMap(([externalId, { id }]) => {
      const context = contexts.get(id);
      return context ? [[externalId, { id, context }] as const] : [];
    }),
  );
}

/** Long texts take most of the time of parsing, and say nothing about others. */
const withoutTexts = (value: unknown): unknown =>
  isPlainObject(value) ? { ...value, description: null, signals: undefined } : value;

/** Its venue is an external id yet. */
const shownEvent = (draft: EventDraft, id: string): ShownEvent => ({ ...bundleWord(draft), id, venueId: draft.venue });

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LINES_AT_ONCE = 20;
/** All of them are in memory at once. */
const MAX_EVENTS = 300_000;
