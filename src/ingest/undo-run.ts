/** `undoRun`: one run of a source taken back. Every record says again what it said before, and the directory follows. */

import type { Kysely } from 'kysely';
import type { Database } from '../store/index.ts';
import { isUuid } from '../values/uuid.ts';
import { IngestError } from './ingest-error.ts';
import { applyManualChanges, type ManualChangeResult } from './manual-changes.ts';
import { findLaterRun, loadRecordsBefore, loadRunToUndo, markUndone, pauseForUndo } from './stored-runs/undo.ts';

/**
 * Events that the run created answer "gone"; what it changed, merged or let vanish is as before. The source is paused, or its next
 * run would do the same again; one that is under way writes nothing more. Rejects with an `IngestError` when there is no such run, it wrote nothing that can be taken back, or a
 * later run has changed the same records.
 */
export async function undoRun(options: {
  store: { db: Kysely<Database> };
  id: string;
  now?: () => number;
}): Promise<ManualChangeResult> {
  const { db } = options.store;
  const now = (options.now ?? Date.now)();
  const run = isUuid(options.id) ? await loadRunToUndo(db, options.id.toLowerCase()) : null;
  if (!run) throw new IngestError('run_unknown', `no run has the id ${JSON.stringify(options.id.slice(0, MAX_PRINTED))}`);
  if (run.kind !== 'ingest' || run.state === 'undone' || run.state === 'held') {
    const why = run.state === 'undone' ? 'was already undone' : 'wrote nothing that can be undone';
    throw new IngestError('run_not_undoable', `run ${run.id} ${why}`);
  }
  const amended = await applyManualChanges({ db, kind: 'undo', sourceId: run.sourceId, now }, async () => {
    await refuseChangedSince(db, run.id);
    await pauseForUndo(db, run);
    return { staged: await loadRecordsBefore(db, run.id), isUndo: true };
  });
  await markUndone(db, run);
  return amended;
}

async function refuseChangedSince(db: Kysely<Database>, runId: string): Promise<void> {
  const later = await findLaterRun(db, runId);
  if (later !== null) {
    throw new IngestError('run_not_undoable', `a later run changed the same listings; undo run ${later} first`);
  }
}

const MAX_PRINTED = 64;
