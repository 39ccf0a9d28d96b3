/** Venue drafts become venues, each in the neighborhood it names or lies in. */

import { type Kysely, sql } from 'kysely';
import { quote, type VenueDraft } from '../../facts/index.ts';
import { type Change, moveVenues, recordChanges, VENUE_POINTS, writeVenues } from '../../records/index.ts';
import { type Database, transact } from '../../store/index.ts';
import { hasCorrectedPlace } from '../decisions/active-corrections.ts';
import { applyVenueCorrections } from '../decisions/apply-corrections.ts';
import { rebuildVenue } from '../decisions/rebuild.ts';
import { sharedRecords } from '../records/records.ts';
import { externalIdAt, isPlacedBySource } from '../records/relations.ts';
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

/**
 * Venues that were placed by polygons are placed again, where these may have changed. Moves published venues whose point lies in another
 * neighborhood now; venues whose source names their neighborhood, or knows only roughly where they are, stay, unless an operator has said
 * where they are. `isDone` tells external ids of this source that the run has placed already. Returns how many moved.
 */
export async function relocateVenues(context: RunContext, isDone: (externalId: string) => boolean): Promise<number> {
  let moved = 0;
  for (let after = FIRST_ID; ; ) {
    const page = await placedVenues(context.db, context.sourceId, after);
    const last = page.at(-1);
    if (!last) return moved;
    after = last.id;
    const moves = page.flatMap(({ id, latitude, longitude, neighborhood, external_id }) => {
      if (external_id !== null && isDone(external_id)) return [];
      const place = context.locate(latitude, longitude);
      return place === neighborhood ? [] : [{ venueId: id, neighborhood: place }];
    });
    moved += moves.length;
    if (context.dryRun || moves.length === 0) continue;
    await transact(context.db, async (trx) => recordChanges(trx, await moveVenues(trx, moves, context.now), context.now));
  }
}

async function placedVenues(db: Kysely<Database>, sourceId: string, after: string) {
  const { rows } = await sql<{
    id: string;
    latitude: number;
    longitude: number;
    neighborhood: string | null;
    external_id: string | null;
  }>`
    select id, latitude, longitude, neighborhood, ${externalIdAt(sourceId, sql`place.id`)} as external_id
    from ${VENUE_POINTS} as place
    where id > ${after} and (${hasCorrectedPlace(sql`place.id`)} or not ${isPlacedBySource(sql`place.id`)})
    order by id limit ${PAGE}`.execute(db);
  return rows;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const PAGE = 2000;
