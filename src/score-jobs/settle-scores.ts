/** After a write: what was said about other events has changed, and they are scored again. */

import type { Kysely, Transaction } from 'kysely';
import { type Change, recordChanges, writeScores } from '../catalog/index.ts';
import type { ScoreContext } from '../ranking/index.ts';
import { type Database, transact } from '../store/index.ts';
import { readContexts } from './listed-events.ts';
import { readScoreFacts } from './read-score-facts.ts';
import { isMoved, scoreOf } from './score-event.ts';

interface Moment {
  /** Milliseconds. */
  now: number;
  /** The local day, `YYYY-MM-DD`. */
  day: string;
}

/**
 * Compares all listed events as of `now`, and notes new scores under `day`. So a directory does not depend on the order in which its events
 * arrived. Returns the changes.
 */
export async function settleScores(trx: Transaction<Database>, moment: Moment): Promise<Change[]> {
  const changes: Change[] = [];
  for (const contexts of await readMoved(trx, moment.now)) changes.push(...(await writeMoved(trx, contexts, moment)));
  return changes;
}

/** The same after a commit, in short transactions: others use the database while all events are compared. Records the changes. */
export async function settleScoresInSteps(db: Kysely<Database>, moment: Moment): Promise<void> {
  for (const contexts of await readMoved(db, moment.now))
    await transact(db, async (trx) => recordChanges(trx, await writeMoved(trx, contexts, moment), moment.now));
}

type Contexts = ReadonlyMap<string, ScoreContext>;

/** By event, in parts: the contexts that are not those of the stored scores. */
async function readMoved(db: Kysely<Database>, now: number): Promise<Contexts[]> {
  const { contexts, stored } = await readContexts(db, now);
  const moved = [...contexts].filter(([id, context]) => {
    const held = stored.get(id);
    return held !== undefined && isMoved(context, held);
  });
  const parts = Math.ceil(moved.length / EVENTS_AT_ONCE);
  return Array.from({ length: parts }, (_, part) => new Map(moved.slice(part * EVENTS_AT_ONCE, (part + 1) * EVENTS_AT_ONCE)));
}

async function writeMoved(trx: Transaction<Database>, contexts: Contexts, { now, day }: Moment): Promise<Change[]> {
  const facts = await readScoreFacts(trx, [...contexts.keys()]);
  const scores = [...facts].map(([id, known]) => ({
    id,
    ...scoreOf({ ...known, context: contexts.get(id) ?? known.context }, now),
  }));
  return writeScores(trx, scores, { now, day });
}

const EVENTS_AT_ONCE = 1000;
