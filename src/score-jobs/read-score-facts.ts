/** The recorded facts that scores are computed of. */

import type { Kysely } from 'kysely';
import { loadEventScoreFacts, loadSignals } from '../catalog/index.ts';
import { decodeContext, type ScoreFacts, scoreFacts } from '../ranking/index.ts';
import type { Database } from '../store/index.ts';

/** What is known of these events, by event; `discoveryScore` explains it as of the moment it was scored at. */
export async function readScoreFacts(db: Kysely<Database>, eventIds: readonly string[]): Promise<Map<string, ScoreFacts>> {
  const signals = await loadSignals(db, eventIds);
  const facts = await loadEventScoreFacts(db, eventIds);
  return new Map(
    [...facts].map(([id, { event, showing, context }]) => {
      return [id, scoreFacts(event, decodeContext(showing, context), signals.get(id) ?? [])];
    }),
  );
}
