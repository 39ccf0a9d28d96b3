/** After a write: what was said about other events has changed, and they are scored again. */

import type { Transaction } from 'kysely';
import { type Change, writeScores } from '../catalog/index.ts';
import type { Database } from '../store/index.ts';
import { readContexts } from './listed-events.ts';
import { readScoreFacts } from './read-score-facts.ts';
import { isMoved, scoreOf } from './score-event.ts';

/**
 * Compares all listed events as of `now` (milliseconds), and notes new scores under the local `day` (`YYYY-MM-DD`). So a directory does
 * not depend on the order in which its events arrived. Returns the changes.
 */
export async function settleScores(trx: Transaction<Database>, { now, day }: { now: number; day: string }): Promise<Change[]> {
  const changes: Change[] = [];
  const { contexts, stored } = await readContexts(trx, now);
  const moved = [...contexts].flatMap(([id, context]) => {
    const held = stored.get(id);
    return held && isMoved(context, held) ? [id] : [];
  });
  for (let from = 0; from < moved.length; from += EVENTS_AT_ONCE) {
    const facts = await readScoreFacts(trx, moved.slice(from, from + EVENTS_AT_ONCE));
    const scores = [...facts].map(([id, known]) => {
      return { id, ...scoreOf({ ...known, context: contexts.get(id) ?? known.context }, now) };
    });
    changes.push(...(await writeScores(trx, scores, { now, day })));
  }
  return changes;
}

const EVENTS_AT_ONCE = 1000;
