/** After a write: events whose number in their run has changed because others of it came or went are scored again. */

import type { Transaction } from 'kysely';
import { type Change, loadComingShowings, loadSeveralShowings, writeScores } from '../catalog/index.ts';
import { showings } from '../ranking/index.ts';
import type { Database } from '../store/index.ts';
import { readScoreFacts } from './read-score-facts.ts';
import { scoreOf } from './score-event.ts';

/**
 * Looks at these runs, or at all of several showings, as of `now` (milliseconds), and notes the scores under the local `day`
 * (`YYYY-MM-DD`). So a directory does not depend on the order in which the nights of a show arrived. Returns the changes.
 */
export async function rescoreSeries(
  trx: Transaction<Database>,
  { now, day, runs }: { now: number; day: string; runs?: readonly string[] },
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const some of chunks([...new Set(runs ?? (await loadSeveralShowings(trx, now)))], RUNS_AT_ONCE)) {
    const coming = await loadComingShowings(trx, some, now);
    const numbers = showings(coming);
    const moved = coming.filter(({ id, showing }) => numbers.get(id) !== showing).map(({ id }) => id);
    for (const ids of chunks(moved, EVENTS_AT_ONCE)) {
      const facts = await readScoreFacts(trx, ids);
      const scores = [...facts].map(([id, known]) => ({ id, ...scoreOf({ ...known, showing: numbers.get(id) ?? 1 }, now) }));
      changes.push(...(await writeScores(trx, scores, { now, day })));
    }
  }
  return changes;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

const RUNS_AT_ONCE = 2000;
const EVENTS_AT_ONCE = 1000;
