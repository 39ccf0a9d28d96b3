/** The process of a run. Started by `runInProcess`; is told a `ProcessTask`, tells `ProcessReport`s, and ends with its parent. */

import { createClocks } from '../clock.ts';
import { openOutbound } from '../outbound/index.ts';
import { openReader } from '../providers/index.ts';
import { IngestError, type IngestErrorCode } from '../sources/index.ts';
import { openStore, type Store, StoreError } from '../store/index.ts';
import { doManualWork } from './manual-changes.ts';
import { runSource } from './run/run-source.ts';
import type { ProcessReport, ProcessTask } from './run-in-process.ts';
import { undoRun } from './undo-run.ts';

const tell = (report: ProcessReport) => process.send?.(report);
process.on('disconnect', () => process.exit());
// A signal of the terminal reaches the whole group; the parent decides what it means.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
// Listening keeps the process until the parent lets go: a report that is still under way is not lost.
process.on('message', async (task: ProcessTask) => {
  try {
    const store = await openStore(task.store);
    try {
      tell({ kind: 'done', report: await perform(task, store) });
    } finally {
      await store.close();
    }
  } catch (error) {
    tell({ kind: 'failed', ...failureOf(error) });
  }
});

function failureOf(error: unknown): { code: IngestErrorCode | null; message: string } {
  const { message } = error as Error;
  // What stops a run has no full stop at its end.
  if (error instanceof StoreError) return { code: 'store_refused', message: message.replace(/\.$/, '') };
  return { code: error instanceof IngestError ? error.code : null, message };
}

async function perform(task: ProcessTask, store: Store) {
  const now = createClocks(task.nowSetting).directory;
  if ('undo' in task) return undoRun({ store, id: task.undo, now });
  if ('hand' in task) return doManualWork(task.hand, { store, now, patienceMs: task.patienceMs });
  const outbound = openOutbound({ allowedHosts: task.allowedHosts });
  const reader = openReader();
  try {
    return await runSource({
      store,
      name: task.name,
      outbound,
      read: reader.read,
      now,
      keyOf: (setting) => task.providerKeys[setting] ?? null,
      onProgress: (progress) => tell({ kind: 'progress', progress }),
    });
  } finally {
    await reader.close();
    await outbound.close();
  }
}

tell({ kind: 'ready' });
