/** Venue drafts become venues, each in the neighborhood it names or lies in. */

import { writeVenues } from '../catalog/index.ts';
import type { Entry, Outcome, RunContext } from './context.ts';
import type { VenueDraft } from './drafts.ts';
import { type BatchRules, saveBatch } from './save-batch.ts';

/** Saves a batch of drafts. */
export function saveVenues(context: RunContext, entries: readonly Entry<VenueDraft>[]): Promise<Outcome> {
  const located = (draft: VenueDraft) => draft.neighborhood ?? context.locate(draft.latitude, draft.longitude);
  const rules: BatchRules<VenueDraft> = {
    kind: 'venue',
    // `locatedIn` makes a venue differ when the polygons around it have changed.
    listing: ({ id: _, ...listing }) => ({ ...listing, locatedIn: located({ id: _, ...listing }) }),
    prepare: async () => ({
      refuse: ({ draft }) =>
        draft.neighborhood === null || context.neighborhoods.has(draft.neighborhood)
          ? null
          : {
              field: 'neighborhood',
              reason: `wanted the slug of a neighborhood, got ${JSON.stringify(draft.neighborhood)}, which is none`,
            },
      write: (trx, accepted) =>
        writeVenues(
          trx,
          accepted.map(({ draft: { externalId: _, ...draft }, targetId }) => ({
            ...draft,
            id: targetId,
            neighborhood: located({ externalId: _, ...draft }),
          })),
          context.now,
        ),
    }),
  };
  return saveBatch(context, rules, entries);
}
