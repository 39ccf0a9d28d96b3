/** Event drafts become events: linked to their venue, scored, with their observations. One record, one event. */

import type { Kysely } from 'kysely';
import { bundleWord, type EventDraft, quote } from '../../facts/index.ts';
import { decodeContext, scoreFacts } from '../../ranking/index.ts';
import { loadEventScoreFacts, loadSignals, writeEvents, writeSignals } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { applyEventCorrections } from '../decisions/apply-corrections.ts';
import { rebuildEvents } from '../decisions/rebuild.ts';
import { loadVenuesByExternalId } from '../records/load-others.ts';
import { sharedRecords } from '../records/records.ts';
import { listedContexts } from '../scores/listed-events.ts';
import { contextAlone, scoreAll, scoreOf } from '../scores/score-events.ts';
import type { BatchOutcome, Entry, RunContext } from './context.ts';
import { type BatchRules, type ChangedEntry, type Prepared, saveBatch } from './save-batch.ts';

/** What of a draft is compared and kept: all that the written event depends on. */
export const eventListing = ({ id: _, ...listing }: EventDraft): object => listing;

/**
 * Saves a batch of at most `MAX_PER_BATCH` drafts. `willHaveVenue` answers for venues that a dry run has accepted but not written.
 */
export function saveEvents(
  context: RunContext,
  entries: readonly Entry<EventDraft>[],
  willHaveVenue: (externalId: string) => boolean = () => false,
): Promise<BatchOutcome> {
  const rules: BatchRules<EventDraft> = {
    kind: 'event',
    prepare: (db, differing) => prepare(context, db, differing, willHaveVenue),
  };
  return saveBatch(context, rules, entries);
}

async function prepare(
  context: RunContext,
  db: Kysely<Database>,
  differing: readonly ChangedEntry<EventDraft>[],
  willHaveVenue: (externalId: string) => boolean,
): Promise<Prepared<EventDraft>> {
  const venues = await loadVenuesByExternalId(
    db,
    context.sourceId,
    differing.map(({ draft }) => draft.venue),
  );
  // What a person has made one is what all its listings say.
  const shared = await sharedRecords(
    db,
    'event',
    differing.filter(({ isHeld }) => isHeld).map(({ recordId }) => recordId),
  );
  const isShared = ({ recordId }: ChangedEntry<EventDraft>) => shared.has(recordId);
  return {
    refuse: ({ draft }) =>
      venues.has(draft.venue) || willHaveVenue(draft.venue)
        ? null
        : { field: 'venue', reason: `wanted the externalId of a venue, got ${quote(draft.venue)}, which is none` },
    async writeShared(trx, accepted) {
      const ids = [...new Set(accepted.filter(isShared).map(({ targetId }) => targetId))];
      return ids.length === 0 ? [] : await rebuildEvents(trx, ids, context.now, { keepsStanding: false });
    },
    async write(trx, accepted) {
      const heldIds = accepted.filter(({ isNew }) => !isNew).map(({ targetId }) => targetId);
      const known = await loadSignals(trx, heldIds);
      const stored = await loadEventScoreFacts(trx, heldIds);
      const { now, cityTime } = context;
      const placed = accepted.flatMap((difference) => {
        const { draft, targetId } = difference;
        const venue = venues.get(draft.venue);
        if (!venue || isShared(difference)) return [];
        const event = { ...bundleWord(draft), id: targetId, venueId: venue.id };
        return [{ event, venue, signals: [...(known.get(targetId) ?? []), ...draft.signals] }];
      });
      const applied = await applyEventCorrections(
        trx,
        placed.map(({ event }) => event),
      );
      const amended = applied.filter(({ print }) => print !== '');
      const amendedIds = new Set(amended.map(({ record }) => record.id));
      const plain = placed.filter(({ event }) => !amendedIds.has(event.id));
      const previewed = new Map(
        accepted.flatMap(({ draft, targetId }) => {
          const found = context.previews?.get(draft.externalId);
          return found ? [[targetId, found.context] as const] : [];
        }),
      );
      const own = listedContexts(
        plain.map(({ event }) => event),
        new Map(plain.map(({ venue }) => [venue.id, venue])),
        now,
      );
      const contextOf = (id: string) => {
        const [held, alone] = [stored.get(id), own.get(id)];
        if (alone && held?.context) return decodeContext(held.showing, held.context);
        return previewed.get(id) ?? alone ?? contextAlone();
      };
      const observed = accepted.flatMap(({ draft, targetId }) =>
        draft.signals.map((signal) => ({ ...signal, eventId: targetId })),
      );
      // Those that are corrected or shared are there already.
      const isThere = new Set([...amendedIds, ...accepted.filter(isShared).map(({ targetId }) => targetId)]);
      await writeSignals(
        trx,
        observed.filter(({ eventId }) => isThere.has(eventId)),
      );
      const events = [
        ...plain.map(({ event, signals }) => ({ ...event, ...scoreOf(scoreFacts(event, contextOf(event.id), signals), now) })),
        ...(amended.length > 0 ? await scoreAll(trx, amended, now) : []),
      ];
      const fresh = new Set(accepted.filter(({ isHeld }) => !isHeld).map(({ targetId }) => targetId));
      const changes = await writeEvents(trx, events, { now, day: cityTime.day(now) }, { fresh });
      await writeSignals(
        trx,
        observed.filter(({ eventId }) => !isThere.has(eventId)),
      );
      const told = new Set(changes.map(({ entityId }) => entityId));
      // New observations move the trend even where they leave the event as it was.
      const silent = accepted.filter(({ draft, targetId }) => draft.signals.length > 0 && !told.has(targetId));
      return [...changes, ...silent.map(({ targetId }) => ({ kind: 'scored', entity: 'event', entityId: targetId }) as const)];
    },
  };
}
