/** Venue drafts become venues, each in the neighborhood it names or lies in. */

import { writeVenues } from '../catalog/index.ts';
import type { Entry, Outcome, RunContext } from './context.ts';
import { obeyVenues } from './corrections/obey.ts';
import type { VenueDraft } from './drafts.ts';
import { type BatchRules, saveBatch } from './save-batch.ts';

/** Saves a batch of drafts. */
export function saveVenues(context: RunContext, entries: readonly Entry<VenueDraft>[]): Promise<Outcome> {
  const place = (draft: VenueDraft): string | null =>
    draft.neighborhood ?? (draft.isApproximate ? null : context.locate(draft.latitude, draft.longitude));
  const rules: BatchRules<VenueDraft> = {
    kind: 'venue',
    // `locatedIn` makes a venue differ when the polygons around it have changed.
    listing: (draft) => {
      const { id: _, ...listing } = draft;
      return { ...listing, locatedIn: place(draft) };
    },
    prepare: async () => ({
      refuse: ({ draft: { neighborhood } }) =>
        neighborhood === null || context.neighborhoods.has(neighborhood)
          ? null
          : {
              field: 'neighborhood',
              reason: `wanted the slug of a neighborhood, got ${JSON.stringify(neighborhood)}, which is none`,
            },
      async write(trx, accepted) {
        const venues = accepted.map(({ draft, targetId }) => {
          const { externalId: _, isApproximate: __, ...facts } = draft;
          return { ...facts, id: targetId, neighborhood: place(draft) };
        });
        const obeyed = await obeyVenues(trx, venues, context.locate);
        return writeVenues(
          trx,
          obeyed.map(({ record }) => record),
          context.now,
        );
      },
    }),
  };
  return saveBatch(context, rules, entries);
}
