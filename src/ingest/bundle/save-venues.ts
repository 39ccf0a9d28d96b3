/** Venue drafts become venues, each in the neighborhood it names or lies in. */

import { type Change, writeVenues } from '../../catalog/index.ts';
import { applyVenueCorrections, rebuildVenue } from '../../curation/index.ts';
import { quote, type VenueDraft } from '../../normalize/index.ts';
import { sharedRecords } from '../../sources/index.ts';
import type { BatchOutcome, Entry, RunContext } from './context.ts';
import { type BatchRules, saveBatch } from './save-batch.ts';

/** What of a draft is compared and kept. `locatedIn` makes a venue differ when the polygons around it have changed. */
export function venueListing(draft: VenueDraft, context: Pick<RunContext, 'locate'>): object {
  const { id: _, ...listing } = draft;
  return { ...listing, locatedIn: placeOf(draft, context) };
}

/** Saves a batch of drafts. */
export function saveVenues(context: RunContext, entries: readonly Entry<VenueDraft>[]): Promise<BatchOutcome> {
  const rules: BatchRules<VenueDraft> = {
    kind: 'venue',
    prepare: async (db, differing) => {
      // What a person has made one is what the first of its listings says.
      const held = differing.filter(({ isHeld }) => isHeld).map(({ recordId }) => recordId);
      const shared = await sharedRecords(db, 'venue', held, context.sourceId);
      return {
        refuse: ({ draft: { neighborhood } }) =>
          neighborhood === null || context.neighborhoods.has(neighborhood)
            ? null
            : {
                field: 'neighborhood',
                reason: `wanted the slug of a neighborhood, got ${quote(neighborhood)}, which is none`,
              },
        async write(trx, accepted) {
          const alone = accepted.filter(({ recordId }) => !shared.has(recordId));
          const venues = alone.map(({ draft, targetId }) => {
            const { externalId: _, isApproximate, area: __, provider: ___, ...facts } = draft;
            const precision = isApproximate ? { locationPrecision: 'approximate' as const } : {};
            return { ...facts, id: targetId, neighborhood: placeOf(draft, context), ...precision };
          });
          const applied = await applyVenueCorrections(trx, venues, context.locate);
          return writeVenues(
            trx,
            applied.map(({ record }) => record),
            context.now,
          );
        },
        async writeShared(trx, accepted) {
          const ids = new Set(accepted.filter(({ recordId }) => shared.has(recordId)).map(({ targetId }) => targetId));
          const changes: Change[] = [];
          for (const id of ids) changes.push(...(await rebuildVenue(trx, id, context.now)));
          return changes;
        },
      };
    },
  };
  return saveBatch(context, rules, entries);
}

function placeOf(draft: VenueDraft, { locate }: Pick<RunContext, 'locate'>): string | null {
  return draft.neighborhood ?? (draft.isApproximate ? null : locate(draft.latitude, draft.longitude));
}
