/** Venues that were placed by polygons are placed again, where these may have changed. */

import { type Kysely, sql } from 'kysely';
import { moveVenues, recordChanges, VENUE_POINTS } from '../../catalog/index.ts';
import { hasCorrectedPlace } from '../../curation/index.ts';
import { externalIdAt, isPlacedBySource } from '../../sources/index.ts';
import { type Database, transact } from '../../store/index.ts';
import type { RunContext } from './context.ts';

/**
 * Moves published venues whose point lies in another neighborhood now; venues whose source names their neighborhood, or knows
 * only roughly where they are, stay, unless an operator has said where they are.
 * `isDone` tells external ids of this source that the run has placed already. Returns how many moved.
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
