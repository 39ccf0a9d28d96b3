/** A run taken back from its page: begun once, waited for as long as a reader waits. */

import { setTimeout as delay } from 'node:timers/promises';
import { IngestError, type RunLine } from '../../../../ingest/index.ts';
import type { Rooms } from '../../rooms.ts';
import type { Act } from '../act.ts';

export type Undone = { ok: true; outcome: 'undone' | 'undoing' } | { ok: false; reason: string };

/** `undoing`: it goes on in the background. Refusals are sentences. */
export function undoRun({ once, note }: Act, { runs, ending }: Rooms, run: RunLine): Promise<Undone> {
  return once(async () => {
    const undo = runs.undo(run.id).then(
      async (): Promise<Undone> => {
        await note({ action: 'run.undo', subject: 'run', subjectId: run.id, detail: { source: run.source?.name ?? null } });
        return { ok: true, outcome: 'undone' };
      },
      (error: unknown): Undone => {
        if (!(error instanceof IngestError)) throw error;
        return { ok: false, reason: `The run cannot be undone: ${error.message}.` };
      },
    );
    // Nobody may wait any more when it fails. The failure is logged already and must not end the service.
    undo.catch(() => undefined);
    const patience = delay(PATIENCE_MS, { ok: true, outcome: 'undoing' } as const, { signal: ending, ref: false });
    return Promise.race([undo, patience]);
  });
}

const PATIENCE_MS = 8_000;
